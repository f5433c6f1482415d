import Foundation

/// The turn of one process to change a file, while others wait for theirs.
///
/// The lock is a file of its own beside that one, which is another file after each change. It ends with the value, or with the process,
/// however that ends.
public final class ChangeLock: Sendable {
    private let descriptor: Int32

    /// Waits for the turn.
    ///
    /// - Parameter path: The file that is to be changed; it need not exist, but its folder.
    /// - Throws: `EvidenceError.unwritable` if the lock cannot be made or taken.
    public init(_ path: String) throws(EvidenceError) {
        let lock = "\(path).lock"
        descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path: lock, reason: FileBytes.systemError()) }
        FileOwner.follow(folderOf: lock)
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .unwritable(path: lock, reason: FileBytes.systemError()) }
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
