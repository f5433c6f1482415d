import Foundation
import Synchronization

/// The files that tokens have sent and that no run has yet: so many bytes and files of each token.
///
/// They are counted from the start of the server on, and for a day: what is older, 'kanmon db prune' removes.
final class PendingFiles: Sendable {
    /// How many bytes may wait of one token: eight of the largest runs.
    static let mostBytes = 4 << 30
    /// How many files.
    static let mostFiles = 100_000
    private static let lifetime = 86_400.0

    private struct File {
        let bytes: Int
        let moment: Date
    }

    private struct Files {
        var byHash: [String: File] = [:]
        var bytes = 0

        mutating func remove(_ sha256: String) {
            if let file = byHash.removeValue(forKey: sha256) { bytes -= file.bytes }
        }
    }

    private let byToken = Mutex<[String: Files]>([:])

    /// Counts a file that is about to arrive.
    ///
    /// - Returns: Whether there is room for it.
    func admit(_ sha256: String, _ bytes: Int, of token: String, at moment: Date) -> Bool {
        byToken.withLock { byToken in
            var files = byToken[token] ?? Files()
            defer { byToken[token] = files }
            files.remove(sha256)
            if !Self.hasRoom(files, bytes) {
                for (hash, file) in files.byHash where moment.timeIntervalSince(file.moment) >= Self.lifetime {
                    files.remove(hash)
                }
            }
            guard Self.hasRoom(files, bytes) else { return false }
            files.byHash[sha256] = File(bytes: bytes, moment: moment)
            files.bytes += bytes
            return true
        }
    }

    private static func hasRoom(_ files: Files, _ bytes: Int) -> Bool {
        files.byHash.count < mostFiles && files.bytes + bytes <= mostBytes
    }

    /// Counts files no more: their run has come, or they did not arrive.
    func settle(_ hashes: some Sequence<String>, of token: String) {
        byToken.withLock { byToken in
            guard var files = byToken[token] else { return }
            for sha256 in hashes { files.remove(sha256) }
            byToken[token] = files.byHash.isEmpty ? nil : files
        }
    }
}
