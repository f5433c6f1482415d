internal import CZlib

/// Compresses the lists of a run; the only file that uses zlib.
///
/// A packed value is its length (LEB128) and a zlib stream, whose checksum detects most damage.
enum Deflate {
    /// More than any value needs; a greater length is damage, and refused before memory is allocated.
    static let limit = 1 << 28

    /// The compressed bytes.
    static func packed(_ bytes: [UInt8]) throws -> [UInt8] {
        var result: [UInt8] = []
        Varint.append(UInt64(bytes.count), to: &result)
        let head = result.count
        var length = compressBound(uLong(bytes.count))
        result.append(contentsOf: repeatElement(0, count: Int(length)))
        let code = result.withUnsafeMutableBufferPointer { target in
            compress2(
                target.baseAddress.map { $0 + head }, &length, bytes, uLong(bytes.count), Z_DEFAULT_COMPRESSION)
        }
        guard code == Z_OK else { throw UnreadableContent("zlib cannot compress (\(code))") }
        result.removeLast(result.count - head - Int(length))
        return result
    }

    /// The uncompressed bytes.
    static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
        var rest = bytes[...]
        let count = try Varint.take(from: &rest)
        guard count <= limit else { throw UnreadableContent("a packed value is too long") }
        // One byte more, so that an empty buffer has an address and a longer stream is detected.
        var length = uLong(count) + 1
        var code = Z_OK
        let result = [UInt8](unsafeUninitializedCapacity: Int(count) + 1) { target, written in
            rest.withUnsafeBufferPointer { source in
                code = uncompress(target.baseAddress, &length, source.baseAddress, uLong(source.count))
            }
            written = code == Z_OK ? Int(length) : 0
        }
        guard code == Z_OK, result.count == Int(count) else { throw UnreadableContent("a packed value is damaged") }
        return result
    }
}
