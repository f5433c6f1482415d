/// Takes numbers and pieces from bytes, never from beyond them.
struct ByteCursor {
    /// What is taken from.
    let bytes: UnsafeRawBufferPointer
    /// How much is taken.
    private(set) var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Whether everything is taken.
    var isAtEnd: Bool { offset >= bytes.count }
    /// What is not taken yet.
    var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[offset...]) }

    /// Takes a number of fixed width, lowest byte first.
    @inline(__always)
    mutating func word<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type
    ) throws(MappingFault) -> Value {
        guard bytes.count &- offset >= MemoryLayout<Value>.size else { throw .truncated }
        defer { offset &+= MemoryLayout<Value>.size }
        return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// Takes a number in LEB128 that has at most 63 bits.
    @inline(__always)
    mutating func number() throws(MappingFault) -> UInt64 {
        guard offset < bytes.count else { throw .truncated }
        let first = bytes[offset]
        guard first >= 0x80 else {
            offset &+= 1
            return UInt64(first)
        }
        return try longNumber()
    }

    @inline(never)
    private mutating func longNumber() throws(MappingFault) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            guard offset < bytes.count else { throw .truncated }
            let byte = bytes[offset]
            offset &+= 1
            value |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 { return value }
        }
        throw .format
    }

    /// Takes a number in LEB128 that is no larger than a limit.
    @inline(__always)
    mutating func number(upTo limit: UInt64) throws(MappingFault) -> Int {
        let value = try number()
        guard value <= limit else { throw .limit }
        return Int(truncatingIfNeeded: value)
    }

    /// Takes the next `count` bytes.
    mutating func take(_ count: Int) throws(MappingFault) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= bytes.count &- offset else { throw .truncated }
        defer { offset &+= count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset &+ count])
    }

    /// Takes a text: its length in LEB128, and as many bytes.
    mutating func text() throws(MappingFault) -> UnsafeRawBufferPointer {
        try take(try number(upTo: UInt64(bytes.count)))
    }

    /// Passes over what is left to the next multiple of eight, which may be beyond the end.
    mutating func align() { offset = min((offset &+ 7) & ~7, bytes.count) }

    /// Passes over zeros.
    mutating func skipZeros() {
        while offset < bytes.count, bytes[offset] == 0 { offset &+= 1 }
    }
}
