/// A place in a text file, for a message.
package struct TextPosition: Equatable {
    /// Counted from 1.
    package let line: Int
    /// Counted from 1, in bytes.
    package let column: Int

    /// The place of the byte at `offset`; behind the end means the end.
    package init(of offset: Int, in text: LentBytes) {
        let end = min(max(0, offset), text.bytes.count)
        var (line, lineStart, place) = (1, 0, 0)
        while place < end {
            let count = min(end - place, 1 << 20)
            for index in place..<place + count where text.bytes[index] == UInt8(ascii: "\n") {
                line += 1
                lineStart = index + 1
            }
            place += count
            text.release(place)
        }
        self.line = line
        column = end - lineStart + 1
    }

    /// The place of the byte at `offset`; behind the end means the end.
    init(of offset: Int, in bytes: [UInt8]) { self = bytes.lent { TextPosition(of: offset, in: $0) } }
}
