import Foundation

extension FileBytes {
    /// Lends a regular file that is mapped into memory.
    ///
    /// - Parameter body: Takes the bytes, and a function to say of how many at the beginning it is done with: their pages are
    ///   given back, and read again from the file where they are looked at once more.
    static func mapped<Result, Failure: Error>(
        _ path: String, limit: Int,
        _ body: (UnsafeRawBufferPointer, @escaping (Int) -> Void) throws(Failure) -> Result
    ) throws -> Result {
        guard let (descriptor, size) = try openRegular(path, limit: limit) else {
            throw EvidenceError.unreadable(path: path, reason: "there is no such file")
        }
        defer { close(descriptor) }
        guard size > 0 else { return try body(UnsafeRawBufferPointer(start: nil, count: 0), { _ in }) }
        guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            throw EvidenceError.unreadable(path: path, reason: systemError())
        }
        defer { munmap(start, size) }
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        return try body(UnsafeRawBufferPointer(start: start, count: size)) { count in
            // Only advice: a page that stays costs memory and nothing else.
            _ = madvise(start, count / page * page, MADV_DONTNEED)
        }
    }
}
