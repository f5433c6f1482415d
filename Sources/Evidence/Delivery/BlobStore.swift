public import Foundation

/// Files of runs, each once and named by its SHA-256: the sources of the runs that were made here, and apart from them, for each
/// sender, what it delivered. The run directories have hard links to them.
public struct BlobStore: Sendable {
    /// The largest file that is taken, in bytes: 64 MiB.
    public static let largest = 64 << 20
    /// How long a file that no run has is kept after it was needed last, in seconds: the rest of its run may still come.
    static let waiting = 86_400.0
    /// How long it is kept after it arrived, however often it is needed, in seconds: a sender does not hold the disk for ever.
    static let longestWaiting = 2 * waiting

    /// The folder; it need not exist.
    public let path: String

    /// The folders to wait for when one is made in `path`: that one, and those that were perhaps made with it.
    private let parents: [String]

    /// Names a folder; nothing is read yet.
    public init(path: String) { self.init(path: path, parents: [path]) }

    private init(path: String, parents: [String]) {
        self.path = path
        self.parents = parents
    }

    /// The folder of what senders delivered.
    private var senders: String { "\(path)/senders" }

    /// What one sender has delivered, byte for byte: a store of its own.
    ///
    /// Were there one for all, what a sender is asked for would tell what others have sent, and a hash would be enough to get at
    /// the file.
    ///
    /// - Parameter sender: What identifies it, such as the SHA-256 of its secret.
    public func sent(by sender: String) -> BlobStore {
        let own = "\(senders)/\(Digest.sha256(Array(sender.utf8)))"
        return BlobStore(path: own, parents: [own, senders, path])
    }

    /// This store and those of all senders.
    private var all: [BlobStore] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: senders)) ?? []
        return [self] + names.sorted().map { BlobStore(path: "\(senders)/\($0)") }
    }

    /// The folder of files that are still arriving.
    private var incoming: String { "\(path)/incoming" }

    /// The folder of a blob: named by the first two digits, so that no folder gets very large.
    func folder(of sha256: String) -> String { "\(path)/\(sha256.prefix(2))" }

    /// The place of a blob. The name is a well-formed digest, which every caller has checked.
    func location(of sha256: String) -> String { "\(folder(of: sha256))/\(sha256)" }

    /// The size of a blob in bytes; `nil` if there is none of this name, or the name is no SHA-256.
    public func size(of sha256: String) -> Int? {
        var status = stat()
        guard Digest.isWellFormed(sha256), lstat(location(of: sha256), &status) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return Int(status.st_size)
    }

    /// Notes that a blob is needed again, so that it is not removed before its run is there.
    ///
    /// That is the time of its last use; the time of its last change stays the one at which it arrived.
    public func touch(_ sha256: String) {
        guard Digest.isWellFormed(sha256) else { return }
        // Linux's `UTIME_NOW` and `UTIME_OMIT`, which the C library hides from Swift.
        let times = [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 1), timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)]
        utimensat(AT_FDCWD, location(of: sha256), times, AT_SYMLINK_NOFOLLOW)
    }

    /// Whether nobody will come for a file that no run has.
    private static func isForgotten(_ status: stat, now: Date) -> Bool {
        let (arrived, used) = (Double(status.st_mtim.tv_sec), Double(status.st_atim.tv_sec))
        let now = now.timeIntervalSince1970
        return now - max(arrived, used) > waiting || now - arrived > longestWaiting
    }

    /// Begins to take in a blob.
    ///
    /// - Throws: `EvidenceError.malformed` for a name that is no SHA-256, `.unwritable`.
    public func receive(_ sha256: String) throws(EvidenceError) -> IncomingBlob {
        guard Digest.isWellFormed(sha256) else {
            throw .damaged(file: sha256, reason: "the name is not 64 lower-case hexadecimal digits")
        }
        try make(incoming)
        let name = "\(incoming)/\(sha256).\(String(UInt64.random(in: 0 ... .max), radix: 16))"
        return try IncomingBlob(sha256, at: name, in: self)
    }

    /// Gives a complete file its name; on disk when it returns.
    fileprivate func publish(_ file: String, as sha256: String) throws(EvidenceError) {
        try FileBytes.settle(file, mode: 0o600)
        try make(folder(of: sha256))
        // Unlike a renaming, a link never replaces what runs are linked to already.
        guard link(file, location(of: sha256)) == 0 || errno == EEXIST else {
            throw .unwritable(path: location(of: sha256), reason: FileBytes.systemError())
        }
        unlink(file)
        try FileBytes.sync(folder(of: sha256))
    }

    func make(_ folder: String) throws(EvidenceError) {
        if access(folder, F_OK) == 0 { return }
        do {
            try FileOwner.makeFolder(folder)
        } catch {
            throw .unwritable(path: folder, reason: "the folder cannot be created")
        }
        for parent in parents { try FileBytes.sync(parent) }
    }

    /// Removes the blobs that no run directory has, and what is left of files that did not arrive: a day after they were needed last, and
    /// two days after they arrived in any case.
    ///
    /// - Parameter isDryRun: Whether to remove nothing and only count.
    /// - Returns: How many files, and their bytes.
    public func prune(now: Date, isDryRun: Bool) -> (files: Int, bytes: Int) {
        all.map { $0.pruneOwn(now: now, isDryRun: isDryRun) }.reduce((0, 0)) { ($0.0 + $1.files, $0.1 + $1.bytes) }
    }

    private func pruneOwn(now: Date, isDryRun: Bool) -> (files: Int, bytes: Int) {
        let files = FileManager.default
        var removed = (files: 0, bytes: 0)
        let folders = ((try? files.contentsOfDirectory(atPath: path)) ?? []).map { "\(path)/\($0)" }
        // A file that was killed while it got its name has two links: those first.
        for folder in folders.filter({ $0 == incoming }) + folders.filter({ $0 != incoming }) {
            for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
                let file = "\(folder)/\(name)"
                var status = stat()
                guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                    folder == incoming || status.st_nlink == 1, Self.isForgotten(status, now: now)
                else { continue }
                if !isDryRun, unlink(file) != 0 { continue }
                removed.files += 1
                removed.bytes += Int(status.st_size)
            }
        }
        return removed
    }

    /// How many files there are that have arrived, and their bytes. Each is looked at, so this takes time.
    public func size() -> (files: Int, bytes: Int) {
        all.map { $0.ownSize() }.reduce((0, 0)) { ($0.0 + $1.files, $0.1 + $1.bytes) }
    }

    private func ownSize() -> (files: Int, bytes: Int) {
        let files = FileManager.default
        var size = (files: 0, bytes: 0)
        for folder in (try? files.contentsOfDirectory(atPath: path)) ?? [] where "\(path)/\(folder)" != incoming {
            for name in (try? files.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? [] {
                guard let bytes = self.size(of: name) else { continue }
                size.files += 1
                size.bytes += bytes
            }
        }
        return size
    }

    /// The bytes of the disk, and how many of them are free for this program; `nil` if unknown.
    public var disk: (free: Int, total: Int)? {
        status.map { (Int($0.f_bavail) * Int($0.f_frsize), Int($0.f_blocks) * Int($0.f_frsize)) }
    }

    /// How much of the disk is free: 0 to 1; 1 if unknown.
    public var freeShare: Double {
        status.map { status in
            Self.freeShare(
                blocks: (Int(status.f_bavail), Int(status.f_blocks)), files: (Int(status.f_favail), Int(status.f_files))
            )
        } ?? 1
    }

    /// The lesser share of the bytes and of the files that are free: small files use up the files of a disk long before its bytes. A
    /// file system that makes room for files as they come says that it has none.
    static func freeShare(blocks: (free: Int, total: Int), files: (free: Int, total: Int)) -> Double {
        let ofBlocks = Double(blocks.free) / Double(blocks.total)
        return files.total > 0 ? min(ofBlocks, Double(files.free) / Double(files.total)) : ofBlocks
    }

    private var status: statvfs? {
        var status = statvfs()
        // The folder may not be there yet; the one above it is.
        let parent = (path as NSString).deletingLastPathComponent
        guard statvfs(path, &status) == 0 || statvfs(parent, &status) == 0, status.f_blocks > 0 else { return nil }
        return status
    }
}

/// A blob on its way: hashed while its bytes arrive, and visible only when all of them did.
public final class IncomingBlob {
    private let sha256: String
    private let file: String
    private let store: BlobStore
    private var writer: FileWriter
    private var digest = Digest()
    private var isDone = false
    /// How many bytes have arrived.
    public private(set) var count = 0

    fileprivate init(_ sha256: String, at file: String, in store: BlobStore) throws(EvidenceError) {
        self.sha256 = sha256
        self.file = file
        self.store = store
        writer = try FileWriter(creating: file)
    }

    deinit { if !isDone { unlink(file) } }

    /// Takes more bytes.
    ///
    /// - Throws: `EvidenceError.tooLarge` above `BlobStore.largest`, `.unwritable`.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(EvidenceError) {
        count += bytes.count
        guard count <= BlobStore.largest else {
            throw .tooLarge(file: sha256, reason: "the limit is \(BlobStore.largest) bytes")
        }
        digest.update(bytes)
        try writer.append(bytes)
    }

    /// Makes the blob visible; on disk when it returns.
    ///
    /// - Throws: `EvidenceError.damaged` if the bytes have another SHA-256; then nothing is visible.
    public func finish() throws(EvidenceError) {
        guard digest.text == sha256 else {
            throw .damaged(file: sha256, reason: "the bytes that arrived have another SHA-256")
        }
        try writer.finish()
        try store.publish(file, as: sha256)
        isDone = true
    }
}
