import Foundation
import RunModel

/// LLVM's coverage map in an object file: an export must name the object's source, and have as many functions as the
/// map.
///
/// Only the section table and the record headers are read, which takes microseconds even for large objects.
struct CoverageMap: Sendable, Hashable {
    /// The number of functions; `nil` for an unknown version of the map.
    let functions: Int?

    /// The range of a section in the object.
    private struct Place {
        var offset: Int
        var size: Int
    }

    /// The names of the sections, each with the byte that ends it.
    private static let mapName = Array("__llvm_covmap\0".utf8)
    private static let functionsName = Array("__llvm_covfun\0".utf8)
    /// The size of a section's header in 64-bit ELF.
    private static let headerSize = 64
    /// The versions of the map that have functions in separate sections, with headers of 28 bytes.
    private static let versions = 3...6
    private static let recordHead = 28

    /// Reads an object file; `nil` without a map, and for any format but 64-bit little-endian ELF.
    init?(ofObjectAt path: String) throws(RunnerError) {
        let object = try onFileSystem("read", path) {
            try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
        }
        guard let map = object.withUnsafeBytes({ CoverageMap(in: $0) }) else { return nil }
        self = map
    }

    /// Reads the bytes of an object file. Offsets outside of it are ignored.
    init?(in object: UnsafeRawBufferPointer) {
        guard object.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
            let table = Self.number(object, at: 0x28, as: UInt64.self),
            var count = Self.number(object, at: 0x3C, as: UInt16.self),
            var namesIndex = Self.number(object, at: 0x3E, as: UInt16.self)
        else { return nil }
        // With more than 65,279 sections both are in the first header instead.
        if count == 0 { count = Self.number(object, at: table + 0x20, as: UInt64.self) ?? 0 }
        if namesIndex == 0xFFFF { namesIndex = Self.number(object, at: table + 0x28, as: UInt32.self) ?? 0 }
        guard count <= object.count / Self.headerSize, table <= object.count - count * Self.headerSize,
            namesIndex < count,
            let names = Self.number(object, at: table + namesIndex * Self.headerSize + 0x18, as: UInt64.self)
        else { return nil }
        var map: Place?
        var records: [Place?] = []
        for index in 0..<count {
            let header = table + index * Self.headerSize
            guard let offset = Self.number(object, at: header, as: UInt32.self) else { continue }
            if Self.has(Self.functionsName, object, at: names + offset) {
                records.append(Self.place(object, header))
            } else if map == nil, Self.has(Self.mapName, object, at: names + offset) {
                map = Self.place(object, header) ?? Place(offset: 0, size: 0)
            }
        }
        guard let map else { return nil }
        functions = Self.hasKnownVersion(object, map) ? Self.count(object, records) : nil
    }

    /// The map begins with four numbers, the last of which is its version.
    private static func hasKnownVersion(_ object: UnsafeRawBufferPointer, _ map: Place) -> Bool {
        guard map.size >= 16, let version = number(object, at: map.offset + 12, as: UInt32.self) else { return false }
        return versions.contains(version)
    }

    /// The number of records; `nil` if one extends beyond its section.
    private static func count(_ object: UnsafeRawBufferPointer, _ sections: [Place?]) -> Int? {
        var count = 0
        for section in sections {
            guard let section else { return nil }
            var position = 0
            while position < section.size {
                // A hash of the name, the size of what follows the head, and two hashes more.
                guard let size = number(object, at: section.offset + position + 8, as: UInt32.self) else { return nil }
                let end = position + recordHead + size
                guard end <= section.size else { return nil }
                position = (end + 7) / 8 * 8
                count += 1
            }
        }
        return count
    }

    /// The range of a header's section; `nil` if it is outside of the object, or compressed.
    private static func place(_ object: UnsafeRawBufferPointer, _ header: Int) -> Place? {
        let isCompressed = 0x800
        guard let flags = number(object, at: header + 0x08, as: UInt64.self), flags & isCompressed == 0,
            let offset = number(object, at: header + 0x18, as: UInt64.self),
            let size = number(object, at: header + 0x20, as: UInt64.self), offset + size <= object.count
        else { return nil }
        return Place(offset: offset, size: size)
    }

    private static func has(_ name: [UInt8], _ object: UnsafeRawBufferPointer, at place: Int) -> Bool {
        guard let start = object.baseAddress, place <= object.count - name.count else { return false }
        return memcmp(start + place, name, name.count) == 0
    }

    private static func number<Value: FixedWidthInteger & BitwiseCopyable>(
        _ object: UnsafeRawBufferPointer,
        at offset: Int,
        as type: Value.Type
    ) -> Int? {
        guard offset >= 0, offset <= object.count - MemoryLayout<Value>.size else { return nil }
        let value = object.loadUnaligned(fromByteOffset: offset, as: type)
        // Prevents overflows in the sums above.
        return Int(exactly: Value(littleEndian: value)).flatMap { $0 <= 1 << 48 ? $0 : nil }
    }
}
