import Foundation

/// The lock of a scratch folder: SwiftPM gives false results when two package folders share one, and waits for ever
/// when two runs do.
struct ScratchLock: ~Copyable {
    private let descriptor: Int32

    /// Waits for the folder.
    ///
    /// - Parameters:
    ///   - owner: The new owner, shown to the next run that waits.
    ///   - package: The folder of the package, shown where build products are listed.
    ///   - waiting: Called once with the current owner.
    static func acquire(
        scratchPath: String,
        owner: String,
        package: String,
        timeout: Duration,
        waiting: (String) -> Void
    ) async throws(RunnerError) -> ScratchLock {
        let path = "\(scratchPath).lock"
        try makeDirectory((path as NSString).deletingLastPathComponent)
        let descriptor = try systemCall("open", path) { open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        let lock = ScratchLock(descriptor: descriptor)
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
        lock.write("\(owner)\n\(package)")
        return lock
    }

    /// The current owner, as recorded.
    private var owner: String {
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return count > 0
            ? String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) : "another run"
    }

    private func write(_ text: String) {
        ftruncate(descriptor, 0)
        let bytes = Array(text.utf8)
        pwrite(descriptor, bytes, bytes.count, 0)
    }

    /// The folder of the package that a lock was last taken for; `nil` if it does not say.
    static func package(in lock: String) -> String? {
        guard let bytes = FileManager.default.contents(atPath: lock), let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        return String(decoding: bytes[(end + 1)...], as: UTF8.self)
    }

    deinit {
        // Closing is not enough: a child of another thread, between its fork and its exec, still has the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
