import Foundation

/// What the file system says of an open file.
public struct FileStatus: Sendable, Hashable {
    /// Whether it is a file, and no folder, pipe or device.
    public let isRegularFile: Bool
    /// Whether others than its owner may read, write or enter it.
    public let isOpenToOthers: Bool
    /// The user id of its owner.
    public let owner: UInt32

    /// Asks for it; `nil` if the descriptor is not open.
    public init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        isRegularFile = status.st_mode & S_IFMT == S_IFREG
        isOpenToOthers = status.st_mode & 0o077 != 0
        owner = status.st_uid
    }
}
