internal import CZlib

/// Compresses what every run brings: the only file that knows zlib.
///
/// A packed value is its length (LEB128) and a zlib stream, whose checksum tells most damage.
enum Deflate {
    /// More than any value takes; a longer one is damage, and refused before memory is spent on it.
    static let limit = 1 << 28

    /// The shortest form of `bytes`.
    ///
    /// - Parameter hardest: Whether to spend several times as long on it, for what is kept in every run.
    static func packed(_ bytes: [UInt8], hardest: Bool = false) throws -> [UInt8] {
        var result: [UInt8] = []
        Varint.append(UInt64(bytes.count), to: &result)
        let head = result.count
        var length = compressBound(uLong(bytes.count))
        result.append(contentsOf: repeatElement(0, count: Int(length)))
        let code = result.withUnsafeMutableBufferPointer { target in
            compress2(
                target.baseAddress.map { $0 + head }, &length, bytes, uLong(bytes.count),
                hardest ? Z_BEST_COMPRESSION : Z_DEFAULT_COMPRESSION)
        }
        guard code == Z_OK else { throw UnreadableContent("zlib cannot compress (\(code))") }
        result.removeLast(result.count - head - Int(length))
        return result
    }

    /// A short form of bytes in which hardly anything comes again, such as by how much durations differ.
    ///
    /// To look for what came before takes most of the time there, and what it finds costs more bits than it spares. So only
    /// the frequent ones get short codes, and runs are told once where that is shorter.
    static func packed(noise bytes: [UInt8]) throws -> [UInt8] {
        let forms = try [Z_HUFFMAN_ONLY, Z_RLE].map { try packed(bytes, strategy: $0) }
        return forms[0].count <= forms[1].count ? forms[0] : forms[1]
    }

    private static func packed(_ bytes: [UInt8], strategy: Int32) throws -> [UInt8] {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        var code = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS, 8, strategy, ZLIB_VERSION, size)
        guard code == Z_OK else { throw UnreadableContent("zlib cannot compress (\(code))") }
        defer { deflateEnd(&stream) }
        var result: [UInt8] = []
        Varint.append(UInt64(bytes.count), to: &result)
        let head = result.count
        result.append(contentsOf: repeatElement(0, count: Int(deflateBound(&stream, uLong(bytes.count)))))
        let length = bytes.withUnsafeBufferPointer { source in
            result.withUnsafeMutableBufferPointer { target -> Int in
                stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress.map { $0 + head }
                stream.avail_out = uInt(target.count - head)
                code = deflate(&stream, Z_FINISH)
                return Int(stream.total_out)
            }
        }
        guard code == Z_STREAM_END else { throw UnreadableContent("zlib cannot compress (\(code))") }
        result.removeLast(result.count - head - length)
        return result
    }

    /// The bytes that were packed.
    static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
        try unpackedPrefix(bytes[...]).bytes
    }

    /// The bytes that were packed, and what lies behind them.
    static func unpackedPrefix(_ bytes: ArraySlice<UInt8>) throws -> (bytes: [UInt8], rest: ArraySlice<UInt8>) {
        var rest = bytes
        let count = try count(&rest)
        let (result, isWhole) = try inflated(&rest, atMost: count)
        guard isWhole, result.count == count else { throw damage }
        return (result, rest)
    }

    /// The first bytes of those that were packed, which takes only as long as they are many.
    ///
    /// Damage behind them is not seen, and most of that in them only where it leaves no sense: the checksum is that of all.
    static func unpacked(_ bytes: [UInt8], first wanted: Int) throws -> [UInt8] {
        var rest = bytes[...]
        let count = try count(&rest)
        guard wanted <= count else { throw damage }
        let result = try inflated(&rest, atMost: wanted).bytes
        guard result.count == wanted else { throw damage }
        return result
    }

    private static func count(_ rest: inout ArraySlice<UInt8>) throws -> Int {
        let count = try Varint.take(from: &rest)
        guard count <= limit else { throw UnreadableContent("a packed value is too long") }
        return Int(count)
    }

    /// What a stream begins with, and whether that is all of it; takes the stream from the front, as far as it was read.
    private static func inflated(
        _ rest: inout ArraySlice<UInt8>, atMost count: Int
    ) throws -> (bytes: [UInt8], isWhole: Bool) {
        var stream = z_stream()
        guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { throw damage }
        defer { inflateEnd(&stream) }
        var code = Z_OK
        let result = [UInt8](unsafeUninitializedCapacity: count) { target, written in
            // Even for nothing there has to be an address.
            var none: UInt8 = 0
            rest.withUnsafeBufferPointer { source in
                withUnsafeMutablePointer(to: &none) { none in
                    stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                    stream.avail_in = uInt(source.count)
                    stream.next_out = target.baseAddress ?? none
                    stream.avail_out = uInt(count)
                    // All at once, so that nothing is kept for later.
                    code = inflate(&stream, Z_FINISH)
                }
            }
            written = Int(stream.total_out)
        }
        guard code == Z_STREAM_END || code == Z_BUF_ERROR else { throw damage }
        rest = rest.dropFirst(Int(stream.total_in))
        return (result, code == Z_STREAM_END)
    }

    private static var damage: UnreadableContent { UnreadableContent("a packed value is damaged") }

    /// Tells damage of what is not packed (Adler-32, as zlib's own).
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: adler32(1, bytes, uInt(bytes.count)))
    }
}
