/// A strict pull reader of JSON (RFC 8259) over borrowed bytes.
///
/// It builds no tree: the caller takes the keys it knows and skips the rest, which is checked anyway. Nesting is
/// limited, a repeated key is refused, and so is everything that Foundation's two readers treat differently.
package struct JSONCursor {
    /// How deep objects and arrays may nest.
    static let depthLimit = 32
    /// How many keys one object may have; keeps the search for repeated keys short.
    static let keyLimit = 256
    /// How many bytes one string may have: 16 MiB.
    static let stringLimit = 16 << 20
    /// How many bytes are read before their memory is given back.
    private static let step = 1 << 20

    let bytes: UnsafeBufferPointer<UInt8>
    package var offset = 0
    private let release: ((Int) -> Void)?
    private var released: Int
    private var depth = 0
    /// The keys of all objects that are open, innermost last.
    private var keys: [Key] = []

    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        release = nil
        released = .max
    }

    /// Gives the memory of what was read back on the way.
    package init(_ document: LentBytes) {
        bytes = document.bytes
        release = document.release
        released = 0
    }

    /// The name of a member, as it is in the text; names with escapes are decoded before they are compared.
    package struct Key {
        let raw: UnsafeBufferPointer<UInt8>
        let decoded: String?

        /// Compares bytes.
        package static func == (key: Key, name: StaticString) -> Bool {
            let other = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            if let decoded = key.decoded { return decoded.utf8.elementsEqual(other) }
            return key.raw.count == other.count && key.raw.elementsEqual(other)
        }

        package static func ~= (name: StaticString, key: Key) -> Bool { key == name }

        fileprivate func equals(_ other: Key) -> Bool {
            switch (decoded, other.decoded) {
            case (nil, nil): raw.count == other.raw.count && raw.elementsEqual(other.raw)
            case (let text?, nil): text.utf8.elementsEqual(other.raw)
            case (nil, let text?): text.utf8.elementsEqual(raw)
            case (let one?, let two?): one.utf8.elementsEqual(two.utf8)
            }
        }
    }

    /// Reads an object; `member` must consume the value of every key it is given.
    package mutating func object(
        _ member: (inout JSONCursor, Key) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        try open(UInt8(ascii: "{"), "an object")
        let base = keys.count
        if try !close(UInt8(ascii: "}")) {
            while true {
                skipSpace()
                let start = offset
                let key = try key()
                guard keys.count - base < Self.keyLimit else {
                    throw fault("an object with more than \(Self.keyLimit) members", at: start)
                }
                // By their places: a slice is retained for every key, which took a twentieth of an export's time.
                for other in base..<keys.count where keys[other].equals(key) {
                    throw fault("a repeated key", at: start)
                }
                keys.append(key)
                skipSpace()
                try expect(UInt8(ascii: ":"), "a colon")
                try member(&self, key)
                if try !comma(orEnd: UInt8(ascii: "}")) { break }
            }
        }
        keys.removeSubrange(base...)
        depth -= 1
    }

    /// Reads an array; `element` must consume one value each time it is called.
    @inline(__always)
    package mutating func array(_ element: (inout JSONCursor) throws(JSONFault) -> Void) throws(JSONFault) {
        try open(UInt8(ascii: "["), "an array")
        if try !close(UInt8(ascii: "]")) {
            repeat { try element(&self) } while try comma(orEnd: UInt8(ascii: "]"))
        }
        depth -= 1
    }

    /// Begins an array of values that the caller takes one by one, with `comma` between them and `closingBracket` behind.
    package mutating func bracket() throws(JSONFault) {
        skipSpace()
        try expect(UInt8(ascii: "["), "an array")
    }

    /// Takes the comma between two values.
    package mutating func comma() throws(JSONFault) {
        skipSpace()
        try expect(UInt8(ascii: ","), "a comma")
    }

    /// Ends an array whose values were taken one by one.
    package mutating func closingBracket() throws(JSONFault) {
        skipSpace()
        try expect(UInt8(ascii: "]"), "the end of an array")
    }

    /// Whether the next value is `null`, which is consumed then.
    package mutating func null() throws(JSONFault) -> Bool {
        skipSpace()
        guard peek == UInt8(ascii: "n") else { return false }
        try literal("null", "'null'")
        return true
    }

    /// Reads `true` or `false`.
    package mutating func boolean() throws(JSONFault) -> Bool {
        skipSpace()
        let isTrue = peek == UInt8(ascii: "t")
        guard isTrue || peek == UInt8(ascii: "f") else { throw unexpected("true or false") }
        try isTrue ? literal("true", "'true'") : literal("false", "'false'")
        return isTrue
    }

    /// Passes over any value, checking it.
    package mutating func skip() throws(JSONFault) {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): try object { cursor, _ throws(JSONFault) in try cursor.skip() }
        case UInt8(ascii: "["):
            try open(UInt8(ascii: "["), "an array")
            if try !close(UInt8(ascii: "]")) {
                repeat { try skip() } while try comma(orEnd: UInt8(ascii: "]"))
            }
            depth -= 1
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"): try literal("true", "'true'")
        case UInt8(ascii: "f"): try literal("false", "'false'")
        case UInt8(ascii: "n"): try literal("null", "'null'")
        default: _ = try number()
        }
    }

    /// Makes sure that nothing but white space is left.
    package mutating func end() throws(JSONFault) {
        skipSpace()
        if offset < bytes.count { throw fault("text after the end of the value") }
    }

    /// The first byte of the next value.
    package mutating func next() -> UInt8? {
        skipSpace()
        return peek
    }

    // MARK: Pieces

    package var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    @inline(__always)
    package mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D:
                offset += 1
                giveBack()
            default: return
            }
        }
    }

    @inline(__always)
    private mutating func giveBack() {
        if offset > released, offset - released >= Self.step { releaseAll() }
    }

    @inline(never)
    private mutating func releaseAll() {
        released = offset
        release?(offset)
    }

    @inline(__always)
    mutating func expect(_ byte: UInt8, _ what: StaticString) throws(JSONFault) {
        guard peek == byte else { throw unexpected(what) }
        offset += 1
    }

    package func fault(_ reason: String, at place: Int? = nil) -> JSONFault {
        JSONFault(offset: place ?? offset, reason: reason)
    }

    /// The fault of more of something than is read.
    package func tooMany(_ what: String, _ limit: Int) -> JSONFault {
        JSONFault(offset: offset, reason: "more than \(limit) \(what)", isLimit: true)
    }

    /// Ends reading where more was counted than is kept.
    package func check(_ budget: EvidenceBudget) throws(JSONFault) {
        if budget.isSpent { throw JSONFault(offset: offset, reason: budget.reason, isLimit: true) }
    }

    @inline(never)
    func unexpected(_ expected: StaticString) -> JSONFault {
        guard let peek else {
            return JSONFault(offset: offset, reason: "the text ends where \(expected) should be", isTruncation: true)
        }
        let shown = (0x21...0x7E).contains(peek) ? "'\(UnicodeScalar(peek))'" : "byte \(peek)"
        return fault("\(shown) where \(expected) should be")
    }

    private mutating func open(_ byte: UInt8, _ what: StaticString) throws(JSONFault) {
        skipSpace()
        try expect(byte, what)
        depth += 1
        if depth > Self.depthLimit { throw fault("nested deeper than \(Self.depthLimit)", at: offset - 1) }
    }

    private mutating func close(_ byte: UInt8) throws(JSONFault) -> Bool {
        skipSpace()
        guard peek == byte else { return false }
        offset += 1
        return true
    }

    private mutating func comma(orEnd end: UInt8) throws(JSONFault) -> Bool {
        skipSpace()
        if peek == end {
            offset += 1
            return false
        }
        try expect(UInt8(ascii: ","), "a comma")
        giveBack()
        return true
    }

    private mutating func key() throws(JSONFault) -> Key {
        let raw = try rawString()
        guard !raw.hasEscapes else { return Key(raw: raw.bytes, decoded: try decode(raw.bytes)) }
        try check(raw)
        return Key(raw: raw.bytes, decoded: nil)
    }

    @inline(__always)
    private mutating func literal(_ word: StaticString, _ shown: StaticString) throws(JSONFault) {
        let wanted = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        var known = 0
        while known < wanted.count, offset + known < bytes.count, bytes[offset + known] == wanted[known] { known += 1 }
        offset += known
        if known < wanted.count { throw unexpected(shown) }
    }
}

extension [UInt8] {
    /// Reads these bytes with a cursor that is valid inside of `body` only.
    func withJSONCursor<Result>(
        _ body: (inout JSONCursor) throws(JSONFault) -> Result
    ) throws(JSONFault) -> Result {
        try withUnsafeBufferPointer { buffer throws(JSONFault) in
            var cursor = JSONCursor(buffer)
            return try body(&cursor)
        }
    }
}
