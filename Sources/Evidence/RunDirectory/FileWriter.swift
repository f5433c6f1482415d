import Foundation

/// A new file that is written piece by piece, readable by its owner only, without waiting for the disk.
///
/// Whole blocks are written past the page cache if possible, because the disk is synced anyway. In the page cache a
/// large report would take as much memory again, which is slow in a new virtual machine.
package struct FileWriter: ~Copyable {
    /// What is written at once, and what its place in memory is a multiple of: no disk asks for more than that.
    private static let (block, alignment) = (256 << 10, 4096)

    private let path: String
    private var descriptor: Int32
    private let room: UnsafeMutableRawPointer
    private var held = 0
    private var isPastCache = false

    /// Makes the file; one that is there already is an error.
    package init(creating path: String) throws(EvidenceError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path: path, reason: FileBytes.systemError()) }
        FileOwner.follow(folderOf: path, descriptor)
        (self.path, self.descriptor) = (path, descriptor)
        room = .allocate(byteCount: Self.block, alignment: Self.alignment)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        room.deallocate()
    }

    /// Adds bytes.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(EvidenceError) {
        var rest = bytes[...]
        while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
            let count = min(rest.count, Self.block - held)
            room.advanced(by: held).copyMemory(from: start, byteCount: count)
            held += count
            rest = rest.dropFirst(count)
            guard held == Self.block else { return }
            // Some file systems cannot, and say so.
            if !isPastCache, let flag = Self.pastCache { isPastCache = fcntl(descriptor, F_SETFL, flag) == 0 }
            try flush()
        }
    }

    /// Writes what is left. A full disk may show only here.
    package mutating func finish() throws(EvidenceError) {
        endPastCache()
        try flush()
        defer { descriptor = -1 }
        guard close(descriptor) == 0 else { throw .unwritable(path: path, reason: FileBytes.systemError()) }
    }

    private mutating func flush() throws(EvidenceError) {
        var written = 0
        while written < held {
            let put = write(descriptor, room + written, held - written)
            written += max(0, put)
            guard written < held, put < 0 || isPastCache else { continue }
            if isPastCache {
                // A real error occurs again when the rest is written normally.
                endPastCache()
            } else if errno != EINTR {
                throw .unwritable(path: path, reason: FileBytes.systemError())
            }
        }
        held = 0
    }

    private mutating func endPastCache() {
        guard isPastCache else { return }
        isPastCache = false
        _ = fcntl(descriptor, F_SETFL, 0)
    }

    /// Linux's `O_DIRECT`, which the C library hides from Swift; `nil` where its number is not known.
    private static var pastCache: Int32? {
        #if arch(x86_64)
            0o40000
        #elseif arch(arm64)
            0o200000
        #else
            nil
        #endif
    }
}
