import Evidence
import Foundation
import RunModel

/// The runs that lie on the disk and not yet in the store: one small file for each, named after the run.
///
/// It is written before the store is asked and removed when the store has taken the run, so that a store that is locked,
/// full or damaged, or a kill in between, costs no more than some time: whoever writes next takes in what waits.
struct Spool: Sendable {
    private let folder: String

    init(_ home: Home) { folder = home.path + "/spool" }

    /// How many runs one writer takes in beside its own, so that nobody waits long.
    static let most = 20

    /// Notes that a run waits. Where even that cannot be written, the run directory is still there for a rebuild.
    func add(_ id: RunID, at directory: String) {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try? Data(directory.utf8).write(to: URL(filePath: "\(folder)/\(id)"), options: .atomic)
    }

    /// Notes that a run is in the store, or gone.
    func remove(_ id: RunID) { try? FileManager.default.removeItem(atPath: "\(folder)/\(id)") }

    /// The runs that wait, the oldest first.
    func waiting() -> [(id: RunID, directory: RunDirectory)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap(RunID.init).sorted().compactMap { id in
            let file = "\(folder)/\(id)"
            // A pipe would wait for whoever writes into it.
            let type = try? FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType
            guard type == .typeRegular, let path = FileManager.default.contents(atPath: file) else { return nil }
            return (id, RunDirectory(path: String(decoding: path, as: UTF8.self)))
        }
    }
}
