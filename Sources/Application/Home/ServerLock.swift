import Foundation
import Gate

/// The lock that a home has for its one server. Two would take in the same runs at once, and forget each other's machines and sessions.
package final class ServerLock: Sendable {
    /// The open folder, which holds the lock; the system lets go of it when the process ends, however that happens.
    private let descriptor: Int32

    /// Takes the lock; `nil` for a home that is not there.
    ///
    /// - Throws: `Problem` if another server has it.
    package init?(_ home: Home) throws(Problem) {
        descriptor = open(home.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            // Where a file system has no locks, nobody can tell.
            guard errno == EWOULDBLOCK else { return }
            throw Problem(
                .ioError, "failed to serve \(home.path): another server has it",
                hint: "stop that one, or choose another --home")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
