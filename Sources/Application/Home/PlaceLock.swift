import Evidence
import Foundation

/// The lock of a project's run directories, while one of them gets its place and its row: whoever decides by what lies there finds the
/// same until both are done. Several processes take it, as each delivered run is judged by its own.
final class PlaceLock: Sendable {
    /// That another run was given the place since it was decided who may have it.
    struct Changed: Error {}

    /// The open folder, which holds the lock; the system lets go of it when the process ends, however that happens.
    private let descriptor: Int32

    /// Waits for the lock. Where a folder cannot be opened, or its file system has no locks, there is none.
    init(around directory: RunDirectory) {
        let folder = (directory.path as NSString).deletingLastPathComponent
        let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        while opened >= 0, flock(opened, LOCK_EX) != 0, errno == EINTR {}
        descriptor = opened
    }

    deinit {
        guard descriptor >= 0 else { return }
        // Closing is not enough: a child that is just being started has the descriptor until it runs its program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
