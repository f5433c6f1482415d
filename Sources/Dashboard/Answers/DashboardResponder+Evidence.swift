import Evidence
import Foundation
import Gate
import HTTPTypes
import Pages
import RunModel
import Storage

extension DashboardResponder {
    /// A run, and the files that its manifest names; no files if its directory is gone.
    func evidence(_ id: RunID) throws -> (run: RunSummary, files: [EvidenceFile]?) {
        guard let run = try store.summary(of: id) else { throw Refusal.notFound }
        guard let directory = run.runDirectory.map({ RunDirectory(path: $0) }), directory.isThere else {
            return (run, nil)
        }
        let files = try directory.manifest().artifacts.map {
            EvidenceFile(path: $0.path, role: $0.role.rawValue, bytes: $0.bytes)
        }
        return (run, files)
    }

    /// One of those files, as a download and never as a page, because it is untrusted.
    ///
    /// It is found by its exact name in the manifest, and compared with the checksum there.
    func evidenceFile(_ id: RunID, _ file: String) throws -> Answer {
        guard let path = try store.summary(of: id)?.runDirectory, RunDirectory(path: path).isThere else {
            throw Refusal.notFound
        }
        let directory = RunDirectory(path: path)
        // Those of a merged run lie in the folders of its shards, which its own manifest does not name.
        let attachment = try store.attachment(at: file, in: id)
        let artifact =
            try attachment.map {
                Artifact(role: .attachment, path: $0.path, bytes: $0.bytes, sha256: $0.sha256)
            } ?? directory.manifest().artifacts.first { Name($0.path) == Name(file) }
        guard let artifact, artifact.bytes <= EvidenceFile.largest else { throw Refusal.notFound }
        let name = (attachment?.name ?? artifact.path).fileName(of: id)
        let opened = try directory.open(artifact.path)
        guard try opened.matches(artifact) else {
            throw EvidenceError.damaged(file: artifact.path, reason: "it is not what was recorded")
        }
        var answer = Answer(
            status: .ok, contentType: attachment?.mediaType ?? "application/octet-stream", body: [],
            fields: [.contentDisposition: "attachment; filename=\"\(name)\""], isSandboxed: true)
        answer.send(opened, on: pages.threads)
        return answer
    }
}

extension String {
    /// The file name of the download, with characters that need no quotes: `0123456789ab-tests.xml`.
    fileprivate func fileName(of run: RunID) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-".utf8)
        let bytes = utf8.map { plain.contains($0) ? $0 : UInt8(ascii: "_") }.suffix(100)
        return "\(run.short)-" + String(decoding: bytes, as: UTF8.self)
    }
}
