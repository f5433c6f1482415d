/// Text that may be long: its beginning and its end are kept, and how much is missing in between.
package struct HeadAndTail {
    /// How many bytes are kept at either end.
    static let limit = 64 << 10

    /// How many bytes of this one are.
    private let most: Int
    private var head: [UInt8] = []
    private var tail: [UInt8] = []
    private var dropped = 0

    /// Nothing yet.
    ///
    /// - Parameter most: How many bytes are kept at either end.
    package init(most: Int = Self.limit) { self.most = most }

    /// A text that is there already: its beginning and its end, where it is long. What was cut once stays as it is.
    static func cut(_ text: String, most: Int = Self.limit) -> String {
        guard text.utf8.count > 2 * most + 64 else { return text }
        var kept = HeadAndTail(most: most)
        kept.append(text.utf8)
        return kept.text()
    }

    /// Whether nothing was added.
    package var isEmpty: Bool { head.isEmpty }

    /// Whether some of it is missing.
    var isCut: Bool { dropped > 0 || tail.count > most }

    /// Adds bytes behind those that are there.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        let room = most - head.count
        if room > 0 { head.append(contentsOf: bytes.prefix(room)) }
        guard bytes.count > room else { return }
        tail.append(contentsOf: bytes.dropFirst(max(0, room)))
        // Only now and then, so that many small pieces stay cheap.
        if tail.count > 4 * most { cut() }
    }

    private mutating func cut() {
        let excess = tail.count - most
        guard excess > 0 else { return }
        tail.removeFirst(excess)
        dropped += excess
    }

    /// The text; what is not UTF-8 becomes U+FFFD.
    func text() -> String {
        var copy = self
        copy.cut()
        guard copy.dropped > 0 else { return String(decoding: copy.head + copy.tail, as: UTF8.self) }
        // Neither cut may fall into a character.
        let head = copy.head.dropLast(copy.head.reversed().prefix(3).firstIndexOfLead)
        let tail = copy.tail.drop { $0 & 0xC0 == 0x80 }
        let missing = copy.dropped + (copy.head.count - head.count) + (copy.tail.count - tail.count)
        return String(decoding: head, as: UTF8.self) + "\n[… \(missing) bytes left out …]\n"
            + String(decoding: tail, as: UTF8.self)
    }
}

extension Collection<UInt8> {
    /// Of the last bytes of a text in reverse: how many belong to a character whose end is missing.
    fileprivate var firstIndexOfLead: Int {
        for (offset, byte) in enumerated() {
            if byte < 0x80 { return 0 }
            if byte >= 0xC0 {
                let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
                return offset + 1 < length ? offset + 1 : 0
            }
        }
        return 0
    }
}
