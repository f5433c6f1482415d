import CodeCoverage
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
    /// The functions of the objects, to ask which tests execute them; `nil` unless tests were recorded.
    let mapping: CoverageMapping?

    /// Reads these profiles and objects; `nil` if anything is uncertain.
    ///
    /// - Parameter keepsFormulas: Whether tests were recorded.
    static func of(_ objects: [String], profiles: [String], keepsFormulas: Bool = false) -> CoverageReading? {
        do throws(MappingFault) {
            return try CoverageReading(objects, profiles: profiles, keepsFormulas: keepsFormulas)
        } catch {
            return nil
        }
    }

    private init(_ objects: [String], profiles: [String], keepsFormulas: Bool) throws(MappingFault) {
        var mapping = try CoverageMapping(keepsFormulas: keepsFormulas)
        for profile in profiles {
            try Self.stopIfCancelled()
            try Self.add(profile: profile, to: &mapping)
        }
        var reader = ObjectSectionReader()
        var mapped: Set<String> = []
        for object in objects {
            try Self.stopIfCancelled()
            if try reader.add(object, to: &mapping) { mapped.insert(object) }
        }
        let result = try MappingExport(mapping)
        self.mapped = mapped
        self.mapping = keepsFormulas ? mapping : nil
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
private struct ObjectSectionReader: ~Copyable {
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
