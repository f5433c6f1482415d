import CodeCoverage

/// A recorded program: its objects, its raw profiles, and what the tools export of them.
struct MappingFixture {
    var objects: [[UInt8]]
    var profiles: [[UInt8]]
    let export: [UInt8]

    init() throws {
        objects = try ["main.o", "Till.o"].map { try CoverageFixture.bytes("mapping/\($0)") }
        profiles = try ["one.raw", "two.raw"].map { try CoverageFixture.bytes("mapping/\($0)") }
        export = try CoverageFixture.bytes("mapping/export.json")
    }

    /// The bytes of the export that is read of the objects and profiles, and what it says.
    func read() throws(MappingFault) -> (bytes: [UInt8], export: CoverageExport) {
        var mapping = try CoverageMapping()
        for profile in profiles {
            try borrowed(profile) { bytes throws(MappingFault) in try mapping.add(profile: bytes) }
        }
        for object in objects {
            try borrowed(object) { bytes throws(MappingFault) in try Self.add(bytes, to: &mapping) }
        }
        let result = try MappingExport(mapping)
        return (result.withBytes { Array($0) }, result.export)
    }

    /// Adds the parts of an object that a runner reads.
    static func add(_ file: UnsafeRawBufferPointer, to mapping: inout CoverageMapping) throws(MappingFault) {
        let head = UnsafeRawBufferPointer(rebasing: file.prefix(ObjectLayout.headSize))
        let tables = try ObjectLayout.tables(head, fileSize: file.count)
        let sections = UnsafeRawBufferPointer(rebasing: file[tables.sections])
        let names = UnsafeRawBufferPointer(
            rebasing: file[try ObjectLayout.names(tables, sections, fileSize: file.count)])
        guard let parts = try ObjectLayout.parts(sections, names, fileSize: file.count) else { return }
        try mapping.add(parts, whole: UnsafeRawBufferPointer(rebasing: file[parts.whole]))
    }

    private func borrowed(
        _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(MappingFault) -> Void
    ) throws(MappingFault) {
        try bytes.withUnsafeBufferPointer { bytes throws(MappingFault) in
            try body(UnsafeRawBufferPointer(bytes))
        }
    }
}

extension [UInt8] {
    /// The bytes with others at a place.
    func replacing(at place: Int, with bytes: [UInt8]) -> [UInt8] {
        var changed = self
        changed.replaceSubrange(place..<place + bytes.count, with: bytes)
        return changed
    }
}
