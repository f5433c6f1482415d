import Foundation

/// The sections of an object file or a program in 64-bit little-endian ELF. Only their table is read, which takes microseconds even
/// for large files.
struct ObjectSections {
    /// The range of a section in the file.
    struct Place {
        var offset: Int
        var size: Int
    }

    /// The size of a section's header.
    private static let headerSize = 64

    private let object: UnsafeRawBufferPointer
    private let table: Int
    private let count: Int
    private let names: Int

    /// Takes the bytes of a file; `nil` for any other format. Offsets outside of it are ignored.
    init?(_ object: UnsafeRawBufferPointer) {
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
        (self.object, self.table, self.count, self.names) = (object, table, count, names)
    }

    /// The places of all sections of a name; `nil` for one that is outside of the file, or compressed.
    func places(of name: StaticString) -> [Place?] {
        (0..<count).compactMap { index -> Place?? in
            let header = table + index * Self.headerSize
            guard let offset = Self.number(object, at: header, as: UInt32.self), has(name, at: names + offset) else {
                return nil
            }
            return .some(place(header))
        }
    }

    /// How many bytes the sections of a name have in a file together; `nil` if that cannot be known.
    static func size(of name: StaticString, inFileAt path: String) -> Int? {
        guard let file = try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped) else { return nil }
        return file.withUnsafeBytes { bytes in
            guard let places = ObjectSections(bytes)?.places(of: name) else { return nil }
            let known = places.compactMap(\.self)
            return known.count == places.count ? known.reduce(0) { $0 + $1.size } : nil
        }
    }

    private func place(_ header: Int) -> Place? {
        let isCompressed = 0x800
        guard let flags = Self.number(object, at: header + 0x08, as: UInt64.self), flags & isCompressed == 0,
            let offset = Self.number(object, at: header + 0x18, as: UInt64.self),
            let size = Self.number(object, at: header + 0x20, as: UInt64.self), offset + size <= object.count
        else { return nil }
        return Place(offset: offset, size: size)
    }

    /// Whether a name stands at a place, with the zero that ends it.
    private func has(_ name: StaticString, at place: Int) -> Bool {
        let length = name.utf8CodeUnitCount + 1
        guard let start = object.baseAddress, place <= object.count - length else { return false }
        return memcmp(start + place, name.utf8Start, length) == 0
    }

    /// The number at a place of a file; `nil` outside of it.
    static func number<Value: FixedWidthInteger & BitwiseCopyable>(
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
