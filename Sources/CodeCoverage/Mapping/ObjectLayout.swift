/// Where the parts of an object file lie that tell of coverage: found in the tables of 64-bit little-endian ELF, of which
/// only a few bytes have to be read.
package enum ObjectLayout {
    /// How much of the beginning of a file has to be read.
    package static let headSize = 64

    /// Where the table of sections lies, and which of them has the names of all.
    package struct Tables: Sendable, Hashable {
        /// The place of the table in the file.
        package let sections: Range<Int>
        fileprivate let namesIndex: Int
    }

    /// Where a part lies in the file.
    package struct Parts: Sendable, Hashable {
        /// The records of functions, each section for itself, in their order.
        package let functions: [Range<Int>]
        /// The names of files.
        package let map: Range<Int>
        /// The names of functions.
        package let names: Range<Int>

        /// What lies around all of them.
        package var whole: Range<Int> {
            let all = functions + [map, names]
            return (all.map(\.lowerBound).min() ?? 0)..<(all.map(\.upperBound).max() ?? 0)
        }
    }

    private static let entrySize = 64
    private static let isProgramBits: UInt32 = 1
    private static let isCompressed: UInt64 = 0x800

    /// Reads the beginning of a file.
    package static func tables(_ head: UnsafeRawBufferPointer, fileSize: Int) throws(MappingFault) -> Tables {
        guard head.count >= headSize, head.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { throw .format }
        let start = head.loadUnaligned(fromByteOffset: 0x28, as: UInt64.self).littleEndian
        let size = head.loadUnaligned(fromByteOffset: 0x3A, as: UInt16.self).littleEndian
        let count = Int(head.loadUnaligned(fromByteOffset: 0x3C, as: UInt16.self).littleEndian)
        let names = Int(head.loadUnaligned(fromByteOffset: 0x3E, as: UInt16.self).littleEndian)
        // With more sections than these fields hold, they say something else.
        guard size == entrySize, count > 0, names < count, names < 0xFF00 else { throw .format }
        guard start <= UInt64(fileSize), count &* entrySize <= fileSize &- Int(start) else { throw .truncated }
        return Tables(sections: Int(start)..<Int(start) &+ count &* entrySize, namesIndex: names)
    }

    /// Where the names of sections lie.
    package static func names(
        _ tables: Tables, _ sections: UnsafeRawBufferPointer, fileSize: Int
    ) throws(MappingFault) -> Range<Int> {
        try place(sections, tables.namesIndex, fileSize)
    }

    /// Finds the parts; `nil` for an object without a map, which is of no source that was compiled with coverage.
    package static func parts(
        _ sections: UnsafeRawBufferPointer, _ sectionNames: UnsafeRawBufferPointer, fileSize: Int
    ) throws(MappingFault) -> Parts? {
        var functions: [Range<Int>] = []
        var map: Range<Int>?
        var names: Range<Int>?
        for index in 0..<sections.count / entrySize {
            let name = Int(sections.loadUnaligned(fromByteOffset: index &* entrySize, as: UInt32.self).littleEndian)
            switch kind(sectionNames, at: name) {
            case nil: continue
            case .functions: functions.append(try plain(sections, index, fileSize))
            case .map:
                guard map == nil else { throw .format }
                map = try plain(sections, index, fileSize)
            case .names:
                let place = try plain(sections, index, fileSize)
                guard !place.isEmpty else { continue }
                guard names == nil else { throw .format }
                names = place
            }
        }
        guard let map else { return nil }
        // Without names the tools pass over the whole object.
        guard let names else { throw .names }
        return Parts(functions: functions, map: map, names: names)
    }

    private enum Kind { case functions, map, names }

    /// What a section is by its name: `__llvm_covfun`, `__llvm_covmap` or `__llvm_prf_names`.
    @inline(__always)
    private static func kind(_ names: UnsafeRawBufferPointer, at place: Int) -> Kind? {
        // Of thousands of names hardly one begins with the first six letters.
        guard place <= names.count &- 8,
            names.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian & 0xFFFF_FFFF_FFFF
                == 0x6D76_6C6C_5F5F
        else { return nil }
        let name = UnsafeRawBufferPointer(rebasing: names[place...].prefix { $0 != 0 })
        if name.elementsEqual("__llvm_covfun".utf8) { return .functions }
        if name.elementsEqual("__llvm_covmap".utf8) { return .map }
        return name.elementsEqual("__llvm_prf_names".utf8) ? .names : nil
    }

    /// The place of a section that is written as it is.
    private static func plain(
        _ sections: UnsafeRawBufferPointer, _ index: Int, _ fileSize: Int
    ) throws(MappingFault) -> Range<Int> {
        let entry = index &* entrySize
        guard sections.loadUnaligned(fromByteOffset: entry &+ 4, as: UInt32.self).littleEndian == isProgramBits,
            sections.loadUnaligned(fromByteOffset: entry &+ 8, as: UInt64.self).littleEndian & isCompressed == 0
        else { throw .format }
        return try place(sections, index, fileSize)
    }

    private static func place(
        _ sections: UnsafeRawBufferPointer, _ index: Int, _ fileSize: Int
    ) throws(MappingFault) -> Range<Int> {
        let entry = index &* entrySize
        guard entry &+ entrySize <= sections.count else { throw .truncated }
        let start = sections.loadUnaligned(fromByteOffset: entry &+ 0x18, as: UInt64.self).littleEndian
        let size = sections.loadUnaligned(fromByteOffset: entry &+ 0x20, as: UInt64.self).littleEndian
        guard start <= UInt64(fileSize), size <= UInt64(fileSize) &- start else { throw .truncated }
        return Int(start)..<Int(start &+ size)
    }
}
