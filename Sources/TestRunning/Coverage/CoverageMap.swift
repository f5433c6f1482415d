import Foundation

/// Whether an object file holds LLVM's coverage map: then an export over it has to name the file it was compiled from.
///
/// Only the table of sections is looked at, which costs microseconds even where the object has megabytes.
enum CoverageMap {
    /// The section's name, with the byte that ends it.
    private static let name = Array("__llvm_covmap\0".utf8)
    /// The size of a section's header in 64-bit ELF.
    private static let headerSize = 64

    /// Looks into an object file; one of another format than 64-bit little-endian ELF has no map that we know of.
    static func isPresent(inObjectAt path: String) throws(RunnerError) -> Bool {
        let object = try onFileSystem("read", path) {
            try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
        }
        return object.withUnsafeBytes { isPresent(in: $0) }
    }

    /// Looks into the bytes of an object file. What points outside of them is passed over.
    static func isPresent(in object: UnsafeRawBufferPointer) -> Bool {
        guard object.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
            let table = number(object, at: 0x28, as: UInt64.self),
            var count = number(object, at: 0x3C, as: UInt16.self),
            var namesIndex = number(object, at: 0x3E, as: UInt16.self)
        else { return false }
        // Beyond 65,279 sections both stand in the first header instead.
        if count == 0 { count = number(object, at: table + 0x20, as: UInt64.self) ?? 0 }
        if namesIndex == 0xFFFF { namesIndex = number(object, at: table + 0x28, as: UInt32.self) ?? 0 }
        guard count <= object.count / headerSize, table <= object.count - count * headerSize, namesIndex < count,
            let names = number(object, at: table + namesIndex * headerSize + 0x18, as: UInt64.self)
        else { return false }
        return (0..<count).contains { index in
            guard let offset = number(object, at: table + index * headerSize, as: UInt32.self) else { return false }
            let place = names + offset
            return place <= object.count - name.count && object[place...].starts(with: name)
        }
    }

    private static func number<Value: FixedWidthInteger & BitwiseCopyable>(
        _ object: UnsafeRawBufferPointer,
        at offset: Int,
        as type: Value.Type
    ) -> Int? {
        guard offset >= 0, offset <= object.count - MemoryLayout<Value>.size else { return nil }
        let value = object.loadUnaligned(fromByteOffset: offset, as: type)
        // Keeps every sum above far from overflowing.
        return Int(exactly: Value(littleEndian: value)).flatMap { $0 <= 1 << 48 ? $0 : nil }
    }
}
