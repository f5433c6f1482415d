import Foundation
import RunModel

extension RunDirectory {
    /// The folder of the attachments, relative to the run directory.
    package static let attachmentsFolder = "attachments"

    /// What was kept of the files that tests attached.
    public struct KeptAttachments: Sendable, Hashable {
        /// The files in the run directory, each content once.
        public var artifacts: [Artifact] = []
        /// Every file that was attached.
        public var entries: [KeptAttachment] = []
    }

    /// How much is kept of what the tests of a run attach.
    struct AttachmentLimits {
        /// The largest file, in bytes.
        var file = 16 << 20
        /// All files together, in bytes.
        var all = 128 << 20
        /// The number of files.
        var count = 1000
    }
}

extension RunDirectory.Writer {
    /// Keeps the files that tests attached, each content once, and names those that it leaves out.
    ///
    /// Tests wrote the folder and are not trusted: no link is followed, and only regular files are opened.
    ///
    /// - Parameters:
    ///   - folder: Has a folder for each pass.
    ///   - passes: The names of those folders.
    public func keepAttachments(
        in folder: String, passes: [String]
    ) throws(EvidenceError) -> RunDirectory.KeptAttachments {
        try keepAttachments(in: folder, passes: passes, limits: RunDirectory.AttachmentLimits())
    }

    func keepAttachments(
        in folder: String, passes: [String], limits: RunDirectory.AttachmentLimits
    ) throws(EvidenceError) -> RunDirectory.KeptAttachments {
        var found = RunDirectory.KeptAttachments()
        var left = limits.all
        for file in passes.flatMap({ Self.files(in: $0, of: folder) }) {
            // The manifest has a limit, too; what is beyond it is missing in the list, which reading it tells.
            guard found.entries.count < 10 * limits.count else { break }
            let room = min(limits.file, left)
            guard found.entries.count < limits.count else {
                let reason = "the limit is \(limits.count) attachments for a run"
                found.entries.append(KeptAttachment(file: file, bytes: 0, reason: reason))
                continue
            }
            do throws(EvidenceError) {
                guard let artifact = try keepAttachment(file, of: folder, most: room) else { continue }
                left -= artifact.bytes
                found.entries.append(KeptAttachment(file: file, bytes: artifact.bytes, sha256: artifact.sha256))
                if !found.artifacts.contains(where: { $0.sha256 == artifact.sha256 }) {
                    found.artifacts.append(artifact)
                }
            } catch {
                let reason: String
                switch error {
                case .tooLarge(_, let words):
                    reason = room < limits.file ? "\(words) for what is left of \(limits.all) bytes for a run" : words
                case .damaged(_, let words): reason = words
                default: throw error
                }
                found.entries.append(KeptAttachment(file: file, bytes: 0, reason: reason))
            }
        }
        return found
    }

    /// The files of a pass, ordered by name; none if the folder is gone or is a link.
    private static func files(in pass: String, of folder: String) -> [String] {
        var status = stat()
        let path = "\(folder)/\(pass)"
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.map { "\(pass)/\($0)" }.sorted { Name($0) < Name($1) }
    }

    /// Copies a file under the hash of its content; `nil` if it is gone.
    private func keepAttachment(_ file: String, of folder: String, most: Int) throws(EvidenceError) -> Artifact? {
        guard let (descriptor, size) = try FileBytes.openRegular(file, beneath: folder, limit: most) else {
            return nil
        }
        defer { close(descriptor) }
        let bytes = try FileBytes.chunk(size, of: descriptor, file)
        let sha256 = Digest.sha256(bytes)
        let path = "\(RunDirectory.attachmentsFolder)/\(sha256)"
        let place = try location(of: path)
        if access(place, F_OK) != 0 { try FileBytes.write(bytes, to: place) }
        return Artifact(role: .attachment, path: path, bytes: bytes.count, sha256: sha256)
    }
}
