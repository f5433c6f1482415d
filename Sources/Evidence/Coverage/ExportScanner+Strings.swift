extension ExportScanner {
    /// The inside of a string, between its quotes.
    struct Text {
        let start: Int
        let count: Int
        let hasEscapes: Bool
    }

    /// Takes a string and checks it, without decoding it.
    mutating func string(_ expected: StaticString = "a string") throws(Fault) -> Text {
        try take(.quote, expected)
        let start = offset
        var hasEscapes = false
        while true {
            try skipPlainText()
            switch bytes[offset] {
            case .quote:
                defer { offset += 1 }
                return Text(start: start, count: offset - start, hasEscapes: hasEscapes)
            case .backslash:
                hasEscapes = true
                try skipEscape()
            case 0x80...: try skipMultiByteScalar()
            default: throw fault(.invalidText)
            }
        }
    }

    /// Stops at a quote, a backslash, a control character or a byte outside of ASCII.
    @inline(__always)
    private mutating func skipPlainText() throws(Fault) {
        offset = behindPlainText(offset)
        if offset == end { throw fault(.truncated) }
    }

    /// The first byte from `start` on that is a quote, a backslash, a control character or outside of ASCII, or the end;
    /// 32 bytes at a time, then eight.
    ///
    /// Words and not `SIMD16`: its operations are not specialized here and take ten times as long. A loop of 32 rounds
    /// without a branch is what the compiler makes vectors of.
    @inline(__always)
    func behindPlainText(_ start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        var at = start
        while end &- at >= 32, isPlainText(at) { at &+= 32 }
        while end &- at >= 8 {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            let quotes = word ^ (ones &* UInt64(UInt8.quote))
            let backslashes = word ^ (ones &* UInt64(UInt8.backslash))
            // Each difference sets the high bit of a byte that has to stop the walk. A borrow can set one too much, but
            // only above a byte that stops it anyway, and the lowest is what counts.
            let stops = ((quotes &- ones) | (backslashes &- ones) | (word &- ones &* 0x20) | word) & highs
            if stops != 0 { return at &+ stops.trailingZeroBitCount / 8 }
            at &+= 8
        }
        while at < end {
            let byte = bytes[at]
            if byte == .quote || byte == .backslash || byte < 0x20 || byte >= 0x80 { break }
            at &+= 1
        }
        return at
    }

    /// Whether nothing in the 32 bytes from `start` on ends plain text.
    @inline(__always)
    private func isPlainText(_ start: Int) -> Bool {
        var stops: UInt8 = 0
        for index in 0..<32 {
            let byte = bytes[start &+ index]
            stops |= (byte == .quote ? 0x80 : 0) | (byte == .backslash ? 0x80 : 0) | (byte < 0x20 ? 0x80 : 0) | byte
        }
        return stops & 0x80 == 0
    }

    /// Takes an escape; a high surrogate has to be followed by its low one.
    private mutating func skipEscape() throws(Fault) {
        guard end - offset >= 2 else { throw truncatedText() }
        switch bytes[offset + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 2
        case UInt8(ascii: "u"):
            switch try codeUnit(at: offset) {
            case 0xD800..<0xDC00:
                guard end - offset > 6 else { throw truncatedText() }
                guard bytes[offset + 6] == .backslash, case 0xDC00..<0xE000 = try codeUnit(at: offset + 6) else {
                    throw fault(.invalidText)
                }
                offset += 12
            case 0xDC00..<0xE000: throw fault(.invalidText)
            default: offset += 6
            }
        default: throw fault(.invalidText)
        }
    }

    /// Reads the code unit of the `\uXXXX` at `start`.
    private func codeUnit(at start: Int) throws(Fault) -> UInt16 {
        var unit: UInt16 = 0
        for place in start + 2..<start + 6 {
            guard place < end else { throw truncatedText() }
            guard let digit = hexadecimalValue(of: bytes[place]) else { throw fault(.invalidText) }
            unit = unit << 4 | UInt16(digit)
        }
        guard bytes[start + 1] == UInt8(ascii: "u") else { throw fault(.invalidText) }
        return unit
    }

    private func truncatedText() -> Fault { Fault(reason: .truncated, offset: end) }

    /// Takes one scalar outside of ASCII by the table of well-formed byte sequences (Unicode, table 3-7).
    private mutating func skipMultiByteScalar() throws(Fault) {
        let first = bytes[offset]
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch first {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: (0, 0...0)
            }
        guard length > 0 else { throw fault(.invalidText) }
        for index in 1..<length {
            guard offset + index < end else { throw truncatedText() }
            let byte = bytes[offset + index]
            guard index == 1 ? second.contains(byte) : byte & 0xC0 == 0x80 else { throw fault(.invalidText) }
        }
        offset += length
    }

    private func hexadecimalValue(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension ExportScanner {
    /// Whether the text is `name`; an escaped spelling counts as well.
    func matches(_ text: Text, _ name: StaticString) -> Bool {
        if text.hasEscapes { return decoded(text).utf8.elementsEqual("\(name)".utf8) }
        guard text.count == name.utf8CodeUnitCount else { return false }
        for index in 0..<text.count where bytes[text.start + index] != name.utf8Start[index] { return false }
        return true
    }

    /// The text as a string. It has been checked before, so that nothing is repaired here.
    func decoded(_ text: Text) -> String {
        let raw = UnsafeRawBufferPointer(rebasing: bytes[text.start..<text.start + text.count])
        guard text.hasEscapes else { return String(decoding: raw, as: UTF8.self) }
        var units: [UInt16] = []
        var plain = 0
        var index = 0
        func flush() { units.append(contentsOf: String(decoding: raw[plain..<index], as: UTF8.self).utf16) }
        while index < raw.count {
            guard raw[index] == .backslash, index + 1 < raw.count else {
                index += 1
                continue
            }
            flush()
            let (unit, length) = unescaped(raw[(index + 1)...])
            units.append(unit)
            index += length
            plain = index
        }
        flush()
        return String(decoding: units, as: UTF16.self)
    }

    /// The code unit that an escape stands for, and how many bytes it takes with its backslash.
    private func unescaped(_ escape: Slice<UnsafeRawBufferPointer>) -> (unit: UInt16, length: Int) {
        switch escape.first {
        case UInt8(ascii: "b"): (0x08, 2)
        case UInt8(ascii: "f"): (0x0C, 2)
        case UInt8(ascii: "n"): (0x0A, 2)
        case UInt8(ascii: "r"): (0x0D, 2)
        case UInt8(ascii: "t"): (0x09, 2)
        case UInt8(ascii: "u"):
            (escape.dropFirst().prefix(4).reduce(0) { $0 << 4 | UInt16(hexadecimalValue(of: $1) ?? 0) }, 6)
        case .some(let byte): (UInt16(byte), 2)
        case .none: (0xFFFD, 2)
        }
    }
}
