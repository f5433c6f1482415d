import Evidence
import Foundation
import RunModel

/// The records that the preloaded library left in a folder: of each first process and of those that its tests started.
struct TestRecording {
    private let folder: String
    private let names: [String]

    /// Lists the folder.
    init(folder: String) {
        self.folder = folder
        names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted { Name($0) < Name($1) }
    }

    /// Whether nothing was recorded.
    var isEmpty: Bool { names.isEmpty }

    /// The processes by the one that started them, which comes first.
    ///
    /// - Throws: `MappingFault` where a file is damaged.
    func groups() throws(MappingFault) -> [[RecordedProcess]] {
        var groups: [[RecordedProcess]] = []
        for first in names where !first.contains(".") {
            var group = [try process(first, of: first)]
            // A pass over all names for each first process, of which there are few.
            for name in names where name.hasPrefix(first + ".") && !name.hasPrefix(first + ".image-") {
                group.append(try process(name, of: first))
            }
            groups.append(group)
        }
        return groups
    }

    private func process(_ name: String, of first: String) throws(MappingFault) -> RecordedProcess {
        var buffer = FileBuffer()
        let file = try OpenFile("\(folder)/\(name)")
        try file.read(0..<file.size, into: &buffer)
        return try RecordedProcess(buffer.all) { suffix throws(MappingFault) in
            try Self.bytes("\(folder)/\(first).\(suffix)")
        } live: { path throws(MappingFault) in
            FileManager.default.fileExists(atPath: path) ? try Self.bytes(path) : nil
        }
    }

    private static func bytes(_ path: String) throws(MappingFault) -> [UInt8] {
        var buffer = FileBuffer()
        let file = try OpenFile(path)
        try file.read(0..<file.size, into: &buffer)
        return Array(buffer.all)
    }
}
