/// The lines of a text, one after the other: a list of them takes many times the memory of a text whose lines are empty.
///
/// What follows the last newline is a line too, also where nothing follows.
struct ByteLines<Bytes: RandomAccessCollection<UInt8>>: Sequence, IteratorProtocol where Bytes.Index == Int {
    private let bytes: Bytes
    /// Where the next line begins; `nil` after the last.
    private var start: Int?

    init(_ bytes: Bytes) {
        self.bytes = bytes
        start = bytes.startIndex
    }

    /// The next line without its newline.
    mutating func next() -> Bytes.SubSequence? {
        guard let start else { return nil }
        guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else {
            self.start = nil
            return bytes[start...]
        }
        self.start = end + 1
        return bytes[start..<end]
    }
}
