import CodeCoverage
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

    /// The processes by the one that started them, which comes first; without those in which no test ran.
    ///
    /// - Throws: `MappingFault` where a file is damaged.
    func groups() throws(MappingFault) -> [[RecordedProcess]] {
        var groups: [[RecordedProcess]] = []
        for first in names where !first.contains(".") {
            // All processes of a program have one list of its functions.
            var lists: [String: ImageFunctions] = [:]
            var group = [try process(first, of: first, &lists)]
            guard group[0].hasTests else { continue }
            // A pass over all names for each first process, of which there are few.
            for name in names where name.hasPrefix(first + ".") && !name.hasPrefix(first + ".image-") {
                group.append(try process(name, of: first, &lists))
            }
            groups.append(group)
        }
        return groups
    }

    private func process(
        _ name: String, of first: String, _ lists: inout [String: ImageFunctions]
    ) throws(MappingFault) -> RecordedProcess {
        var buffer = FileBuffer()
        return try RecordedProcess(try Self.read("\(folder)/\(name)", into: &buffer)) { suffix throws(MappingFault) in
            if let known = lists[suffix] { return known }
            var buffer = FileBuffer()
            let list = try ImageFunctions(try Self.read("\(folder)/\(first).\(suffix)", into: &buffer))
            lists[suffix] = list
            return list
        } live: { path throws(MappingFault) in
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            var buffer = FileBuffer()
            return Array(try Self.read(path, into: &buffer))
        }
    }

    /// Reads a whole file; the bytes are those of the buffer.
    private static func read(
        _ path: String, into buffer: inout FileBuffer
    ) throws(MappingFault) -> UnsafeRawBufferPointer {
        let file = try OpenFile(path)
        try file.read(0..<file.size, into: &buffer)
        return buffer.all
    }
}
