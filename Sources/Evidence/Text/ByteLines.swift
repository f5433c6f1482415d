/// The lines of a text, one after the other: a list of them takes many times the memory of a text whose lines are empty.
///
/// What follows the last newline is a line too, also where nothing follows.
struct ByteLines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    /// Where the next line begins; `nil` after the last.
    private var start: Int? = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next line without its newline.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let start else { return nil }
        guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else {
            self.start = nil
            return bytes[start...]
        }
        self.start = end + 1
        return bytes[start..<end]
    }
}
