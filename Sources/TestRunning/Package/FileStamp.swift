import Foundation

/// What tells one state of a file from another without reading it: which file it is, its size, and when it was changed.
///
/// On the file systems of a disk the kernel alone sets the time of the last change of an inode: who writes a file and puts its
/// date back is seen as well. The device is none of it, whose number may be another after a restart.
struct FileStamp: Sendable, Hashable {
    /// The inode.
    let inode: UInt64
    /// The size in bytes.
    let size: Int64
    /// When the content was changed last, as far as its writer says, in nanoseconds since 1970.
    let modified: Int64
    /// When the inode was changed last, in nanoseconds since 1970.
    let changed: Int64

    /// Looks at a file, and behind a link; `nil` where there is none.
    init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        self.init(info)
    }

    /// Takes over what the kernel told.
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
