import Evidence
import Foundation

/// What lies in the folders that a build reads: every file with the digest of its content.
///
/// A file is read again only if its stamp has changed, so what a tool did to modification times hides nothing.
struct SourceContents: Sendable, Hashable {
    /// One file, or what is known of one that is gone.
    struct File: Sendable, Hashable {
        /// Its stamp; `nil` if the content has to be read again.
        var stamp: FileStamp?
        /// What tells its content from any other; empty if unknown.
        var identity: String
        /// The modification times that its contents had since what is made of it was last made from nothing.
        var times: [Int64]
    }

    /// A difference from the contents before.
    struct Change: Sendable, Hashable {
        /// The absolute path.
        var path: [UInt8]
        /// Whether the path was there before, and still is.
        var wasThere: Bool, isThere: Bool
        /// Whether the compiler may have read other content under the same modification time, and so takes this for that.
        var isDisguised: Bool
        /// Whether it is, or was, a link to a folder: all paths through it have other content.
        var isFolderLink: Bool
    }

    private(set) var files: [[UInt8]: File] = [:]

    private static let gone = "gone"
    private static let folder = "folder "
    /// More contents with times of their own than this are not told apart.
    private static let mostTimes = 16

    /// Brings the contents up to date.
    ///
    /// - Parameter now: What the clock of files showed before the scan.
    /// - Returns: What differs, ordered by path.
    mutating func update(_ scan: SourceScan, now: Int64) -> [Change] {
        var changes: [Change] = []
        var current = files
        let found = scan.files
        for (path, found) in found {
            let known = files[path]
            // The stamp is that of the file at the end of a link, which another link can share.
            if let known, let stamp = known.stamp, stamp == found.stamp, Self.leads(known.identity, as: found) {
                continue
            }
            let identity = Self.identity(path, found)
            var file = File(stamp: found.stamp, identity: identity, times: known?.times ?? [])
            if found.stamp?.isSettled(at: now) == false { file.stamp = nil }
            let time = found.stamp?.modified ?? 0
            if known?.identity != identity || identity.isEmpty {
                let isDisguised =
                    known?.identity == "" || file.times.contains(time) || file.times.count >= Self.mostTimes
                changes.append(
                    Change(
                        path: path, wasThere: known.map { $0.identity != Self.gone } ?? false, isThere: true,
                        isDisguised: isDisguised,
                        isFolderLink: [identity, known?.identity ?? ""].contains { $0.hasPrefix(Self.folder) }))
                file.times = isDisguised ? [time] : file.times + [time]
            } else if !file.times.contains(time) {
                file.times = file.times.suffix(Self.mostTimes - 1) + [time]
            }
            current[path] = file
        }
        for (path, known) in files where found[path] == nil && known.identity != Self.gone {
            // Its times count until what was made of it is gone, too.
            current[path] = File(stamp: nil, identity: Self.gone, times: known.times)
            changes.append(
                Change(
                    path: path, wasThere: true, isThere: false, isDisguised: false,
                    isFolderLink: known.identity.hasPrefix(Self.folder)))
        }
        files = current
        return changes.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    }

    /// Forgets the content of what differs between two scans: which of the contents was compiled is unknown.
    mutating func forgetChanged(since scan: SourceScan, now other: SourceScan, where isConcerned: ([UInt8]) -> Bool) {
        let (before, after) = (scan.files, other.files)
        for path in Set(before.keys).union(after.keys) where before[path] != after[path] && isConcerned(path) {
            files[path] = File(stamp: nil, identity: "", times: files[path]?.times ?? [])
        }
    }

    /// What tells the content of a file from any other; empty if it cannot be read.
    private static func identity(_ path: [UInt8], _ file: FolderListing.File) -> String {
        if let target = file.target, target.contains(0) || file.stamp == nil {
            return folder + Digest.sha256(target)
        }
        guard file.stamp != nil else { return "special" }
        let name = String(decoding: path, as: UTF8.self)
        guard let content = try? BuiltProducts.hash(of: name) else { return "" }
        // A copy of it can be run, or leads elsewhere, as it does itself.
        let mode = FileManager.default.isExecutableFile(atPath: name) ? " executable" : ""
        return content + mode + link(file)
    }

    /// Whether an identity is that of a file that leads where this one does, or of none that leads anywhere, as this one.
    private static func leads(_ identity: String, as file: FolderListing.File) -> Bool {
        file.target == nil ? !identity.contains(" link ") : identity.hasSuffix(link(file))
    }

    /// Where a file leads, as a part of its identity; empty for one that is no link.
    private static func link(_ file: FolderListing.File) -> String {
        file.target.map { " link \(Digest.sha256($0))" } ?? ""
    }
}

extension SourceContents {
    /// All contents as bytes, ordered by path.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for (path, file) in files.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let times = file.times.map(String.init).joined(separator: " ")
            for field in [
                path, Array((file.stamp?.description ?? "").utf8), Array(file.identity.utf8), Array(times.utf8),
            ] {
                bytes += field + [0]
            }
        }
        return bytes
    }

    /// Reads what `bytes` wrote; `nil` if it is nothing of the kind.
    init?(bytes: some RandomAccessCollection<UInt8>) {
        let fields = bytes.split(separator: 0, omittingEmptySubsequences: false)
        guard fields.count % 4 == 1, fields.last?.isEmpty == true else { return nil }
        files.reserveCapacity(fields.count / 4)
        for start in stride(from: 0, to: fields.count - 1, by: 4) {
            let text = fields[(start + 1)...(start + 3)].map { String(decoding: $0, as: UTF8.self) }
            let times = text[2].split(separator: " ").compactMap { Int64($0) }
            let stamp = FileStamp(described: text[0])
            guard stamp != nil || text[0].isEmpty else { return nil }
            files[Array(fields[start])] = File(stamp: stamp, identity: text[1], times: times)
        }
    }
}
