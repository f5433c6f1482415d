import Evidence
import Foundation

/// Reads the profiles and objects of a run in this process.
///
/// It does the same as `llvm-profdata` and `llvm-cov` for the output of the Swift compiler, in a fifth of the time.
///
/// For anything else it gives no result; then the tools run, and also report what is wrong.
struct CoverageReading: ~Copyable {
    /// The objects that hold a coverage map.
    let mapped: Set<String>
    /// The same export as by llvm-cov.
    let result: MappingExport

    /// Reads these profiles and objects; `nil` if anything is uncertain.
    static func of(_ objects: [String], profiles: [String]) -> CoverageReading? {
        do throws(MappingFault) {
            return try CoverageReading(objects, profiles: profiles)
        } catch {
            return nil
        }
    }

    private init(_ objects: [String], profiles: [String]) throws(MappingFault) {
        var mapping = try CoverageMapping()
        for profile in profiles {
            try Self.stopIfCancelled()
            try Self.add(profile: profile, to: &mapping)
        }
        var reader = ObjectReader()
        var mapped: Set<String> = []
        for object in objects {
            try Self.stopIfCancelled()
            if try reader.add(object, to: &mapping) { mapped.insert(object) }
        }
        let result = try MappingExport(mapping)
        self.mapped = mapped
        self.result = result
    }

    /// Unlike a tool this reading cannot be killed, so it checks for cancellation.
    private static func stopIfCancelled() throws(MappingFault) {
        if Task.isCancelled { throw .cancelled }
    }

    private static func add(profile: String, to mapping: inout CoverageMapping) throws(MappingFault) {
        var bytes = FileBuffer()
        let file = try OpenFile(profile)
        try file.read(0..<file.size, into: &bytes)
        try mapping.add(profile: bytes.all)
    }
}

/// Reads only the coverage sections of objects: a few kilobytes of megabytes.
private struct ObjectReader: ~Copyable {
    private var head = FileBuffer()
    private var sections = FileBuffer()
    private var names = FileBuffer()
    private var whole = FileBuffer()

    /// Adds the functions of an object; `false` for one without a map.
    mutating func add(_ path: String, to mapping: inout CoverageMapping) throws(MappingFault) -> Bool {
        let file = try OpenFile(path)
        try file.read(0..<min(ObjectLayout.headSize, file.size), into: &head)
        let tables = try ObjectLayout.tables(head.all, fileSize: file.size)
        try file.read(tables.sections, into: &sections)
        try file.read(try ObjectLayout.names(tables, sections.all, fileSize: file.size), into: &names)
        guard let parts = try ObjectLayout.parts(sections.all, names.all, fileSize: file.size) else { return false }
        try file.read(parts.whole, into: &whole)
        try mapping.add(parts, whole: whole.all)
        return true
    }
}

/// An open regular file and its size.
private struct OpenFile: ~Copyable {
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
private struct FileBuffer: ~Copyable {
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
