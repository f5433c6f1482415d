import Foundation

/// Detects changes of a file without reading it: by inode, size and times.
///
/// On disk file systems only the kernel sets the change time of an inode, so a file whose modification time was set
/// back is detected too. The device number is ignored, because it may differ after a restart.
struct FileStamp: Sendable, Hashable {
    /// The inode.
    let inode: UInt64
    /// The size in bytes.
    let size: Int64
    /// The modification time, which writers can set, in nanoseconds since 1970.
    let modified: Int64
    /// The change time of the inode, in nanoseconds since 1970.
    let changed: Int64

    /// The stamp of a file, following links; `nil` if there is none.
    init?(_ path: String) {
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
    var description: String { "\(inode) \(size) \(modified) \(changed)" }
}
