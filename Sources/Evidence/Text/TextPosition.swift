/// A place in a text file, for a message.
struct TextPosition: Equatable {
    /// Counted from 1.
    let line: Int
    /// Counted from 1, in bytes.
    let column: Int

    /// The place of the byte at `offset`; behind the end means the end.
    init(of offset: Int, in bytes: some Collection<UInt8>) {
        var line = 1
        var column = 1
        for byte in bytes.prefix(max(0, offset)) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        self.line = line
        self.column = column
    }
}
