/// The names of functions in an object or a profile: texts, each with its length and that of its packed form, or 0 for one
/// that is not packed. Names are parted by the byte 1, texts by zeros.
///
/// The format is LLVM's `__llvm_prf_names`.
struct PackedNames {
    /// One of the texts.
    struct Piece {
        /// The digest of the text as it lay there.
        let digest: UInt64
        /// Its place among the bytes of all.
        let place: Range<Int>
    }

    /// The bytes of all names; behind each stands one that is not part of it.
    private(set) var text: [UInt8] = []
    /// The texts that were added last.
    private(set) var pieces: [Piece] = []

    init() {}

    /// More than the names of any real program take, those of all its objects together.
    private static let limit = 1 << 28

    /// Unpacks names.
    mutating func add(_ bytes: UnsafeRawBufferPointer, _ inflation: Inflation) throws(MappingFault) {
        pieces.removeAll(keepingCapacity: true)
        var cursor = ByteCursor(bytes)
        while !cursor.isAtEnd {
            let start = cursor.offset
            let count = try cursor.number(upTo: UInt64(Self.limit))
            let packed = try cursor.number(upTo: UInt64(bytes.count))
            let first = text.count
            guard count <= Self.limit - first else { throw .limit }
            if packed == 0 {
                text.append(contentsOf: try cursor.take(count))
            } else {
                try inflation.unpack(try cursor.take(packed), count: count, to: &text)
            }
            let digest = NameDigest.of(UnsafeRawBufferPointer(rebasing: bytes[start..<cursor.offset]))
            pieces.append(Piece(digest: digest, place: first..<text.count))
            text.append(1)
            cursor.skipZeros()
        }
    }

    /// The places of the names in a text.
    func names(in piece: Piece) throws(MappingFault) -> [Range<Int>] {
        var names: [Range<Int>] = []
        var start = piece.place.lowerBound
        for index in start...piece.place.upperBound where index == piece.place.upperBound || text[index] == 1 {
            guard index > start else { throw .names }
            names.append(start..<index)
            start = index + 1
        }
        return names
    }

    func digest(of name: Range<Int>) -> UInt64 {
        text.withUnsafeBytes { NameDigest.of(UnsafeRawBufferPointer(rebasing: $0[name])) }
    }
}
