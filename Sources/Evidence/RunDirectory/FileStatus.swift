public import Foundation

/// What the file system says of a file.
public struct FileStatus: Sendable, Hashable {
    /// Whether it is a file, and no folder, pipe or device.
    public let isRegularFile: Bool
    /// Whether others than its owner may read, write or enter it.
    public let isOpenToOthers: Bool
    /// Whether everybody may write to it.
    public let isWritableByOthers: Bool
    /// Whether everybody may read, write or enter it.
    public let isOpenToEverybody: Bool
    /// The user id of its owner.
    public let owner: UInt32
    /// The id of its group.
    public let group: UInt32

    /// Its size in bytes.
    public let size: Int
    /// When its contents were changed last.
    public let modified: Date

    /// Asks for an open file; `nil` if the descriptor is not open.
    public init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Asks for the file at a path, links followed; `nil` if there is none.
    public init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        size = Int(status.st_size)
        let seconds = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1_000_000_000
        modified = Date(timeIntervalSince1970: seconds)
        isRegularFile = status.st_mode & S_IFMT == S_IFREG
        isOpenToOthers = status.st_mode & 0o077 != 0
        isWritableByOthers = status.st_mode & 0o002 != 0
        isOpenToEverybody = status.st_mode & 0o007 != 0
        owner = status.st_uid
        group = status.st_gid
    }
}
