package import Evidence
import Foundation
package import RunModel

/// The run directories that are not stored yet: one small file for each, named after the run.
///
/// The file is written before the run is stored and removed afterwards. So a locked, full or damaged store or a
/// killed process only delays a run: the next writer stores the waiting ones.
package struct Spool: Sendable {
    private let folder: String

    package init(_ home: Home) { folder = home.path + "/spool" }

    /// How many waiting runs one writer stores besides its own, so that it does not take long.
    static let most = 20

    /// Records that a run waits. If that fails, a rebuild can still store it from its directory.
    func add(_ id: RunID, at directory: String) {
        try? FileOwner.makeFolder(folder)
        let file = "\(folder)/\(id)"
        try? Data(directory.utf8).write(to: URL(filePath: file), options: .atomic)
        FileOwner.follow(folderOf: file)
    }

    /// Records that a run is stored, or gone.
    package func remove(_ id: RunID) { try? FileManager.default.removeItem(atPath: "\(folder)/\(id)") }

    /// The directory of a run that waits; `nil` if it does not.
    func directory(of id: RunID) -> RunDirectory? { waiting().first { $0.id == id }?.directory }

    /// The runs that wait, the oldest first.
    package func waiting() -> [(id: RunID, directory: RunDirectory)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap(RunID.init).sorted().compactMap { id in
            let file = "\(folder)/\(id)"
            // Opening a pipe would block.
            let type = try? FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType
            guard type == .typeRegular, let path = FileManager.default.contents(atPath: file) else { return nil }
            return (id, RunDirectory(path: String(decoding: path, as: UTF8.self)))
        }
    }
}
