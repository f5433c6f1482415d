import Evidence
import RunModel

/// The attachments of a run, by what its event streams call them.
struct AttachmentList {
    /// Where each file lies in the run directory.
    private var kept: [Name: (path: String, bytes: Int)] = [:]
    private var reasons: [Name: String] = [:]

    init(_ manifest: RunManifest) {
        let artifacts = manifest.artifacts.filter {
            $0.role == .attachment && $0.path == "\(RunDirectory.attachmentsFolder)/\($0.sha256)"
        }
        let paths = Dictionary(artifacts.map { ($0.sha256, $0) }) { first, _ in first }
        for entry in manifest.attachments ?? [] {
            if let artifact = entry.sha256.flatMap({ paths[$0] }) {
                kept[Name(entry.file)] = (artifact.path, artifact.bytes)
            } else {
                reasons[Name(entry.file)] = entry.reason ?? "it is not among the artifacts of the run"
            }
        }
    }

    /// The attached files that were kept, ordered by name: tests attach them at the same time.
    func kept(of attached: [EventStream.AttachedFile]) -> [TestAttachment] {
        attached.compactMap { file in
            kept[Self.key(file)].map { TestAttachment(name: file.name, path: $0.path, bytes: $0.bytes) }
        }.sorted()
    }

    /// That some of the attached files were left out; `nil` if none was.
    func note(_ attached: [EventStream.AttachedFile]) -> Note? {
        let missing = attached.filter { kept[Self.key($0)] == nil }
        guard let first = missing.min(by: { Name($0.name) < Name($1.name) }) else { return nil }
        let reason = reasons[Self.key(first)] ?? "it is not in the folder for attachments"
        return Note(
            .attachmentsLeftOut,
            detail: "\(missing.count) of \(attached.count) were not kept, the first is '\(first.name)': \(reason)")
    }

    /// The last two parts of the path: the folder of the pass and the file in it.
    private static func key(_ file: EventStream.AttachedFile) -> Name {
        Name(file.path.pathParts().suffix(2).joined(separator: "/"))
    }
}
