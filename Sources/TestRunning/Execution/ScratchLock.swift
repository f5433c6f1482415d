import Foundation

/// The lock of a scratch folder: SwiftPM gives false results when two package folders share one, and waits for ever
/// when two runs do.
struct ScratchLock: ~Copyable {
    private let descriptor: Int32

    /// Waits for the folder.
    ///
    /// - Parameters:
    ///   - owner: The new owner, shown to the next run that waits.
    ///   - waiting: Called once with the current owner.
    static func acquire(
        scratchPath: String,
        owner: String,
        timeout: Duration,
        waiting: (String) -> Void
    ) async throws(RunnerError) -> ScratchLock {
        let path = "\(scratchPath).lock"
        try makeDirectory((path as NSString).deletingLastPathComponent)
        let descriptor = try systemCall("open", path) { open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        var lock = ScratchLock(descriptor: descriptor)
        let clock = RunClock()
        let deadline = clock.now + timeout
        var isTold = false
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw .fileSystem(action: "lock", path: path, detail: systemMessage(errno))
            }
            let holder = lock.owner
            if clock.now >= deadline { throw .scratchBusy(path: scratchPath, owner: holder) }
            if !isTold { waiting(holder) }
            isTold = true
            do { try await clock.sleep(for: .milliseconds(100)) } catch { throw .interrupted }
        }
        lock.owner = owner
        return lock
    }

    /// The current owner, as recorded.
    private var owner: String {
        get {
            var bytes = [UInt8](repeating: 0, count: 512)
            let count = pread(descriptor, &bytes, bytes.count, 0)
            return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : "another run"
        }
        set {
            ftruncate(descriptor, 0)
            let bytes = Array(newValue.utf8)
            pwrite(descriptor, bytes, bytes.count, 0)
        }
    }

    deinit {
        // Closing is not enough: a child of another thread, between its fork and its exec, still has the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
