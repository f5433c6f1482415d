import CodeCoverage
import Evidence
import Foundation

/// An open regular file and its size.
struct OpenFile: ~Copyable {
    let size: Int
    private let descriptor: Int32

    init(_ path: String) throws(MappingFault) {
        // A test can replace its profile by anything, for instance a pipe without a writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .truncated }
        var info = stat()
        guard fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw .format
        }
        size = Int(info.st_size)
        descriptor = file
    }

    deinit { close(descriptor) }

    /// Reads a part of the file, all of it or nothing.
    func read(_ range: Range<Int>, into buffer: inout FileBuffer) throws(MappingFault) {
        guard range.count <= RunDirectory.fileLimit else { throw .limit }
        buffer.resize(to: range.count)
        var taken = 0
        while taken < range.count {
            let count = pread(
                descriptor, buffer.start + taken, range.count - taken, off_t(range.lowerBound + taken))
            guard count > 0 || (count < 0 && errno == EINTR) else { throw .truncated }
            taken += max(count, 0)
        }
    }
}

/// A buffer that is reused for the next bytes.
struct FileBuffer: ~Copyable {
    private(set) var start = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 16)
    private var capacity = 4096
    private var count = 0

    deinit { start.deallocate() }

    var all: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// Resizes the buffer; its content is lost.
    mutating func resize(to size: Int) {
        count = size
        guard size > capacity else { return }
        capacity = max(size, capacity * 2)
        start.deallocate()
        start = .allocate(byteCount: capacity, alignment: 16)
    }
}
