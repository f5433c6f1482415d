extension LentBytes {
    /// Calls `body` with one line after the other, and whether a newline ends it, and gives the memory of what was read back.
    ///
    /// A line of more than twice `longest` bytes comes in pieces of `longest`, of which only the last, which has at least as many, may
    /// have a newline.
    package func forEachLine<Failure: Error>(
        longest: Int = 1 << 20, _ body: (LineBytes, _ hasNewline: Bool) throws(Failure) -> Void
    ) throws(Failure) {
        var (start, released) = (0, 0)
        while start < bytes.count {
            let rest = LineBytes(bytes[start...])
            if let length = rest.upTo(2 * longest + 1).find("\n") {
                try body(rest.upTo(length), true)
                start += length + 1
            } else {
                let length = rest.count <= 2 * longest ? rest.count : longest
                try body(rest.upTo(length), false)
                start += length
            }
            guard start - released >= 1 << 20 else { continue }
            released = start
            release(start)
        }
    }
}
