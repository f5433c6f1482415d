import Foundation

/// Detects changes of a file without reading it: by inode, size and times.
///
/// On disk file systems only the kernel sets the change time of an inode, so a file whose modification time was set
/// back is detected too. The device number is ignored, because it may differ after a restart.
public struct FileStamp: Sendable, Hashable {
    let inode: UInt64
    /// The size in bytes.
    let size: Int64
    /// The modification time, which writers can set, in nanoseconds since 1970.
    let modified: Int64
    /// The change time of the inode, in nanoseconds since 1970.
    let changed: Int64

    /// The stamp of a file, following links; `nil` if there is none.
    public init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        self.init(info)
    }

    /// Makes a stamp from the result of `stat`.
    init(_ info: stat) {
        inode = UInt64(info.st_ino)
        size = Int64(info.st_size)
        modified = Self.nanoseconds(info.st_mtim)
        changed = Self.nanoseconds(info.st_ctim)
    }

    /// Reads what `description` wrote; `nil` if it is nothing of the kind.
    init?(described text: some StringProtocol) {
        let numbers = text.split(separator: " ").map { Int64($0) }
        guard numbers.count == 4, let inode = UInt64(text.prefix { $0 != " " }), let size = numbers[1],
            let modified = numbers[2], let changed = numbers[3]
        else { return nil }
        (self.inode, self.size, self.modified, self.changed) = (inode, size, modified, changed)
    }

    /// Whether a later change would have another stamp: the file had not changed for some time when the clock of files showed `now`.
    /// Some file systems count in steps of up to two seconds, all others in milliseconds.
    func isSettled(at now: Int64) -> Bool {
        now - changed > (changed % 1_000_000_000 == 0 ? 2_000_000_000 : 20_000_000)
    }

    /// The stamp as bytes to be hashed.
    var bytes: [UInt8] {
        [inode, UInt64(bitPattern: size), UInt64(bitPattern: modified), UInt64(bitPattern: changed)].flatMap { value in
            withUnsafeBytes(of: value.littleEndian) { Array($0) }
        }
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

extension FileStamp: CustomStringConvertible {
    /// All four numbers, by which a record tells a file.
    public var description: String { "\(inode) \(size) \(modified) \(changed)" }
}
