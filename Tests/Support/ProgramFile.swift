import Foundation

/// Programs that tests write and start.
public enum ProgramFile {
    /// Waits until no process has the file open for writing: it cannot be started before (`ETXTBSY`).
    ///
    /// Whoever wrote it has closed it. But other tests start processes meanwhile, and each of them holds what was open at that
    /// moment until it has become another program.
    public static func awaitClosed(_ path: String) {
        // Linux's `F_SETLEASE`, which the C library hides from Swift. There is no lease to read what somebody may write.
        let setLease: Int32 = 1024
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        defer { close(descriptor) }
        while fcntl(descriptor, setLease, F_RDLCK) != 0, errno == EAGAIN { usleep(1000) }
        _ = fcntl(descriptor, setLease, F_UNLCK)
    }
}
