import Foundation
import Synchronization

/// The files that tokens send, and those that have arrived and that no run has yet, as numbers of bytes and files of
/// each token.
///
/// They are counted from the start of the server on, and for a day. Then 'kanmon db prune' removes them, or a day later if they were
/// needed again: so each prune leaves no more of a token than came in two days.
final class PendingFiles: Sendable {
    /// How many bytes may wait of one token: eight of the largest runs.
    static let mostBytes = 4 << 30
    /// How many files.
    static let mostFiles = 100_000
    private static let lifetime = 86_400.0

    /// A file on its way, which takes room on the disk of its own even if the same one arrives twice at once. It is counted until
    /// the object goes, or the file has arrived.
    final class Arrival: Sendable {
        private let files: PendingFiles
        private let token: String
        private let bytes: Int

        fileprivate init(_ files: PendingFiles, _ token: String, _ bytes: Int) {
            (self.files, self.token, self.bytes) = (files, token, bytes)
        }

        /// Counts the file as one that waits for its run.
        func end(_ sha256: String, at moment: Date) {
            files.change(token) { $0.add(sha256, File(bytes: bytes, moment: moment)) }
        }

        deinit {
            files.change(token) { files in
                files.arriving.count -= 1
                files.arriving.bytes -= bytes
            }
        }
    }

    private struct File {
        let bytes: Int
        let moment: Date
    }

    private struct Files {
        var byHash: [String: File] = [:]
        var bytes = 0
        var arriving = (count: 0, bytes: 0)

        var isEmpty: Bool { byHash.isEmpty && arriving.count == 0 }

        func hasRoom(_ more: Int) -> Bool {
            byHash.count + arriving.count < mostFiles && bytes + arriving.bytes + more <= mostBytes
        }

        mutating func add(_ sha256: String, _ file: File) {
            remove(sha256)
            byHash[sha256] = file
            bytes += file.bytes
        }

        mutating func remove(_ sha256: String) {
            if let file = byHash.removeValue(forKey: sha256) { bytes -= file.bytes }
        }
    }

    private let byToken = Mutex<[String: Files]>([:])

    private func change<Value>(_ token: String, _ body: (inout Files) -> Value) -> Value {
        byToken.withLock { byToken in
            var files = byToken[token] ?? Files()
            // One owner, so that it is changed in its place.
            byToken[token] = nil
            defer { byToken[token] = files.isEmpty ? nil : files }
            return body(&files)
        }
    }

    /// Counts a file that is about to arrive; `nil` where there is no room for it.
    func admit(_ bytes: Int, of token: String, at moment: Date) -> Arrival? {
        let hasRoom = change(token) { files in
            if !files.hasRoom(bytes) {
                for (hash, file) in files.byHash where moment.timeIntervalSince(file.moment) >= Self.lifetime {
                    files.remove(hash)
                }
            }
            guard files.hasRoom(bytes) else { return false }
            files.arriving.count += 1
            files.arriving.bytes += bytes
            return true
        }
        return hasRoom ? Arrival(self, token, bytes) : nil
    }

    /// Counts files no more: their run has come.
    func settle(_ hashes: some Sequence<String>, of token: String) {
        change(token) { files in for sha256 in hashes { files.remove(sha256) } }
    }
}
