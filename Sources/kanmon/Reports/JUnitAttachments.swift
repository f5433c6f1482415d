import Evidence
import Foundation
import RunModel

/// Copies of what tests attached, under names that people and Jenkins can do something with.
///
/// The run directory names a file by its content. Jenkins' plug-in for attachments shows the name of the file that it is
/// told, and an image only if that ends so.
struct JUnitAttachments: Sendable {
    private let directory: RunDirectory
    /// Those that are there, by where they lie in the run directory and what they are called.
    private var names: [TestAttachment: String] = [:]

    /// Those of a run whose directory still has them.
    init(of run: TestRun, in directory: RunDirectory) {
        self.directory = directory
        for file in run.tests.flatMap(\.attachments) where (try? bytes(of: file)) != nil {
            names[file] = "attachments/\(file.sha256.prefix(16))/\(Self.plain(file.name))"
        }
    }

    /// Its copy, relative to the folder of the reports; `nil` if there is none.
    func name(of file: TestAttachment) -> String? { names[file] }

    /// Writes the copies, one by one.
    func copy(to put: (ReportFile) throws -> Void) throws {
        for (file, name) in names.sorted(by: { $0.value < $1.value }) {
            try put(ReportFile(name, bytes(of: file)))
        }
    }

    /// The content, after its checksum was verified.
    private func bytes(of file: TestAttachment) throws -> [UInt8] {
        try directory.bytes(
            of: Artifact(role: .attachment, path: file.path, bytes: file.bytes, sha256: file.sha256))
    }

    /// A file name without anything that a path, a shell or the plug-in minds; its end is kept, which tells the kind.
    private static func plain(_ name: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-".utf8)
        let bytes = name.utf8.map { plain.contains($0) ? $0 : UInt8(ascii: "_") }.suffix(100)
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasPrefix(".") || text.isEmpty ? "_" + text : text
    }
}
