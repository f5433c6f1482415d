import Foundation

extension FileBytes {
    /// Passes on a mapped regular file. It must not be truncated meanwhile.
    package static func mapped<Result>(
        _ path: String, limit: Int, _ body: (LentBytes) throws(EvidenceError) -> Result
    ) throws(EvidenceError) -> Result {
        guard let (descriptor, size) = try openRegular(path, limit: limit) else {
            throw .unreadable(path: path, reason: "there is no such file")
        }
        defer { close(descriptor) }
        guard size > 0 else { return try body(LentBytes(UnsafeBufferPointer(start: nil, count: 0))) }
        guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            throw .unreadable(path: path, reason: systemError())
        }
        defer { munmap(start, size) }
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let bytes = UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: size)
        return try body(
            LentBytes(bytes) { count in
                // Only a hint: a page that stays only costs memory.
                _ = madvise(start, count / page * page, MADV_DONTNEED)
            })
    }
}
