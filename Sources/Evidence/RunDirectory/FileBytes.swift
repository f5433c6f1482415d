import Dispatch
import Foundation
import Synchronization

/// Whole files, read and written through the system's own calls: no links followed, every byte accounted for.
package enum FileBytes {
    /// Reads a regular file; `nil` when there is none.
    package static func read(_ path: String, limit: Int) throws(EvidenceError) -> [UInt8]? {
        guard let (descriptor, size) = try openRegular(path, limit: limit) else { return nil }
        defer { close(descriptor) }
        return try chunk(size, of: descriptor, path)
    }

    /// The size and the SHA-256 of a regular file, read piece by piece; `nil` when there is none.
    static func digest(_ path: String, limit: Int) throws(EvidenceError) -> (bytes: Int, sha256: String)? {
        guard let (descriptor, size) = try openRegular(path, limit: limit) else { return nil }
        defer { close(descriptor) }
        var (digest, count) = (Digest(), 0)
        while count < size {
            let piece = try chunk(min(size - count, 1 << 20), of: descriptor, path)
            if piece.isEmpty { break }
            digest.update(piece)
            count += piece.count
        }
        return (count, digest.text)
    }

    static func openRegular(
        _ path: String, limit: Int
    ) throws(EvidenceError) -> (descriptor: Int32, size: Int)? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor < 0 {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            if errno == ELOOP { throw .damaged(file: path, reason: "not a regular file") }
            throw .unreadable(path: path, reason: systemError())
        }
        do throws(EvidenceError) {
            return (descriptor, try size(of: descriptor, path, limit: limit))
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// The size of an open file, which is regular and not larger than `limit`.
    static func size(of descriptor: Int32, _ path: String, limit: Int) throws(EvidenceError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, reason: systemError()) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .damaged(file: path, reason: "not a regular file") }
        let size = Int(status.st_size)
        guard size <= limit else { throw .tooLarge(file: path, reason: "\(size) bytes, the limit is \(limit)") }
        return size
    }

    /// The next bytes of an open file, or those from an offset on; fewer only at its end.
    static func chunk(
        _ size: Int, of descriptor: Int32, at offset: Int? = nil, _ path: String
    ) throws(EvidenceError) -> [UInt8] {
        var failure: String?
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            takeHugePages(UnsafeMutableRawBufferPointer(buffer))
            while count < size {
                guard let base = buffer.baseAddress else { return }
                let got =
                    offset.map { pread(descriptor, base + count, size - count, off_t($0 + count)) }
                    ?? Foundation.read(descriptor, base + count, size - count)
                if got < 0 {
                    if errno == EINTR { continue }
                    failure = systemError()
                    return
                }
                if got == 0 { return }
                count += got
            }
        }
        if let failure { throw .unreadable(path: path, reason: failure) }
        return bytes
    }

    /// Asks for huge pages under a large buffer that was never touched: getting four kilobytes a time takes longer than
    /// reading a report into them. Only advice.
    private static func takeHugePages(_ buffer: UnsafeMutableRawBufferPointer) {
        let size = 2 << 20
        guard buffer.count >= 2 * size, let base = buffer.baseAddress else { return }
        let start = (Int(bitPattern: base) + size - 1) / size * size
        let end = (Int(bitPattern: base) + buffer.count) / size * size
        _ = madvise(UnsafeMutableRawPointer(bitPattern: start), end - start, MADV_HUGEPAGE)
    }

    /// Writes a new file, readable by its owner only, without waiting for the disk.
    static func write(_ bytes: [UInt8], to path: String) throws(EvidenceError) {
        var file = try FileWriter(creating: path)
        try bytes.withUnsafeBufferPointer { bytes throws(EvidenceError) in
            try file.append(UnsafeRawBufferPointer(bytes))
        }
        try file.finish()
    }

    /// Waits until a folder is on the disk.
    static func sync(_ path: String) throws(EvidenceError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unwritable(path: path, reason: systemError()) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .unwritable(path: path, reason: systemError()) }
    }

    /// How many files are waited for at once.
    private static let settled = 8

    /// The same for many files at once: what the disk is given together it writes together.
    static func settle(_ paths: [String], mode: mode_t) throws(EvidenceError) {
        let failure = Mutex<EvidenceError?>(nil)
        let group = DispatchGroup()
        for first in 0..<min(paths.count, settled) {
            // A serial queue has a thread of its own. Concurrent ones share those of Swift's tasks, which would wait as well.
            DispatchQueue(label: "kanmon.settling").async(group: group) {
                for index in stride(from: first, to: paths.count, by: settled) {
                    do throws(EvidenceError) {
                        try settle(paths[index], mode: mode)
                    } catch {
                        failure.withLock { $0 = error }
                    }
                }
            }
        }
        group.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Waits until a file or folder is on the disk, and takes the rights of all others away.
    static func settle(_ path: String, mode: mode_t) throws(EvidenceError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .unwritable(path: path, reason: systemError()) }
        defer { close(descriptor) }
        // One that another process has made is still root's.
        FileOwner.follow(folderOf: path, descriptor)
        guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0 else {
            throw .unwritable(path: path, reason: systemError())
        }
    }

    /// What the last system call complained of.
    static func systemError() -> String { String(cString: strerror(errno)) }
}
