import Foundation
import Glibc

/// An exclusive lock on a file. It is released with the value, and when the process ends in any way.
struct FileLock: ~Copyable, Sendable {
    private let descriptor: Int32
    /// Whether the previous owner was killed: an owner that releases the lock removes its name.
    let isTakenOver: Bool

    /// Takes the lock without waiting.
    init(path: String, owner: LockOwner) throws(ShadowTreeError) {
        let descriptor = try Self.locked(path)
        var status = stat()
        let hasName = fstat(descriptor, &status) == 0 && status.st_size > 0
        do {
            try Self.write(owner, to: descriptor, path: path)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        isTakenOver = hasName
    }

    deinit {
        _ = ftruncate(descriptor, 0)
        // Closing is not enough: a child that is just being started has the descriptor until it runs its program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func locked(_ path: String) throws(ShadowTreeError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .fileSystem("open", path: path, code: errno) }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            let holder = code == EWOULDBLOCK ? holder(descriptor) : nil
            close(descriptor)
            throw code == EWOULDBLOCK ? .busy(holder) : .fileSystem("lock", path: path, code: code)
        }
        return descriptor
    }

    private static func write(_ owner: LockOwner, to descriptor: Int32, path: String) throws(ShadowTreeError) {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        // Encoding cannot fail for these values; if it did, the lock would hold without a name.
        let bytes = Array((try? encoder.encode(owner)) ?? Data())
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw .fileSystem("write", path: path, code: errno)
        }
    }

    /// The current owner; `nil` if the file is empty or just being written.
    private static func holder(_ descriptor: Int32) -> LockOwner? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try? decoder.decode(LockOwner.self, from: Data(buffer[..<count]))
    }
}
