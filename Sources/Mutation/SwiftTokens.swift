/// The words and signs of a part of a Swift source, without comments; a string with everything in it is one.
///
/// It knows as much of Swift as is needed to find literals and commas.
public struct SwiftTokens: Sendable, Hashable {
    /// A word or sign.
    public struct Token: Sendable, Hashable {
        /// What it is.
        public enum Kind: Sendable, Hashable {
            /// A word, such as a name.
            case word
            /// A number.
            case number
            /// A string or a regular expression.
            case text
            /// Any other byte.
            case sign
        }

        /// What it is.
        public internal(set) var kind: Kind
        /// Its place in the source.
        public internal(set) var range: Range<Int>
    }

    /// All of them, in order.
    public private(set) var tokens: [Token] = []
    /// Whether comments lie among them.
    private(set) var hasComments = false

    var bytes: [UInt8] { source }

    private let source: [UInt8]
    private let end: Int
    private var place: Int

    /// Reads a part; `nil` where a string or comment does not end in it.
    public init?(_ source: [UInt8], in range: Range<Int>) {
        self.source = source
        end = range.upperBound
        place = range.lowerBound
        while place < end { guard readToken() else { return nil } }
    }

    /// The text of a token.
    public func text(_ token: Token) -> String { String(decoding: source[token.range], as: UTF8.self) }

    /// Whether a token is a sign.
    public func isSign(_ token: Token, _ sign: Character) -> Bool {
        token.kind == .sign && source[token.range.lowerBound] == sign.asciiValue
    }

    /// The parts between the commas that lie in no brackets, without the space around them.
    var parts: [Range<Int>] {
        var parts: [Range<Int>] = []
        var current: Range<Int>?
        var depth = 0
        for token in tokens {
            if depth == 0, isSign(token, ",") {
                if let part = current { parts.append(part) }
                current = nil
                continue
            }
            depth += Self.depth(of: token, in: source)
            current = (current?.lowerBound ?? token.range.lowerBound)..<token.range.upperBound
        }
        if let part = current { parts.append(part) }
        return parts
    }

    /// 1 for an opening bracket, -1 for a closing one.
    static func depth(of token: Token, in source: [UInt8]) -> Int {
        guard token.kind == .sign else { return 0 }
        switch source[token.range.lowerBound] {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): return 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): return -1
        default: return 0
        }
    }

    private func byte(_ offset: Int = 0) -> UInt8 { place + offset < end ? source[place + offset] : 0 }

    private func starts(_ text: StaticString) -> Bool {
        place + text.utf8CodeUnitCount <= end
            && text.withUTF8Buffer { source[place..<place + text.utf8CodeUnitCount].elementsEqual($0) }
    }

    private mutating func readToken() -> Bool {
        let start = place
        switch byte() {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): place += 1
        case UInt8(ascii: "/") where starts("//"):
            hasComments = true
            while place < end, byte() != UInt8(ascii: "\n") { place += 1 }
        case UInt8(ascii: "/") where starts("/*"):
            hasComments = true
            return skipComment()
        case UInt8(ascii: "/"):
            if !mayBeginRegularExpression || !skipRegularExpression() { place += 1 }
            tokens.append(Token(kind: place == start + 1 ? .sign : .text, range: start..<place))
        case UInt8(ascii: "\""): return readText(start)
        case UInt8(ascii: "#"):
            while byte() == UInt8(ascii: "#") { place += 1 }
            if byte() == UInt8(ascii: "\"") { return readText(start) }
            if byte() == UInt8(ascii: "/") { return readRegularExpression(start) }
            place = start + 1
            tokens.append(Token(kind: .sign, range: start..<place))
        case let first where Self.isDigit(first):
            while Self.isWord(byte()) || byte() == UInt8(ascii: ".") && Self.isDigit(byte(1)) { place += 1 }
            tokens.append(Token(kind: .number, range: start..<place))
        case let first where Self.isWord(first) || first == UInt8(ascii: "`"):
            while Self.isWord(byte()) || byte() == UInt8(ascii: "`") { place += 1 }
            tokens.append(Token(kind: .word, range: start..<place))
        default:
            place += 1
            tokens.append(Token(kind: .sign, range: start..<place))
        }
        return true
    }

    /// Comments lie in one another.
    private mutating func skipComment() -> Bool {
        var depth = 0
        while place < end {
            if starts("/*") {
                depth += 1
                place += 2
            } else if starts("*/") {
                depth -= 1
                place += 2
                if depth == 0 { return true }
            } else {
                place += 1
            }
        }
        return false
    }

    /// Whether a slash begins a regular expression and does not divide: something that does not end a value is before it.
    private var mayBeginRegularExpression: Bool {
        guard place > 0 else { return true }
        return " \t\n\r([{,;".utf8.contains(source[place - 1])
    }

    /// Reads one between hashes from its first slash; it may have several lines.
    private mutating func readRegularExpression(_ start: Int) -> Bool {
        let hashes = place - start
        place += 1
        while place < end {
            if byte() == UInt8(ascii: "/"), hasHashes(hashes, at: place + 1) {
                place += 1 + hashes
                tokens.append(Token(kind: .text, range: start..<place))
                return true
            }
            place += byte() == UInt8(ascii: "\\") ? 2 : 1
        }
        return false
    }

    private mutating func skipRegularExpression() -> Bool {
        guard ![UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n")].contains(byte(1)) else { return false }
        var next = place + 1
        while next < end, source[next] != UInt8(ascii: "\n") {
            if source[next] == UInt8(ascii: "\\") {
                next += 1
            } else if source[next] == UInt8(ascii: "/") {
                place = next + 1
                return true
            }
            next += 1
        }
        return false
    }

    /// Reads a string from its first quote; as many hashes as stand before `place` belong to it.
    private mutating func readText(_ start: Int) -> Bool {
        let hashes = place - start
        let quotes = starts("\"\"\"") ? 3 : 1
        place += quotes
        while place < end {
            if byte() == UInt8(ascii: "\\"), hasHashes(hashes, at: place + 1) {
                place += 1 + hashes
                if byte() == UInt8(ascii: "(") {
                    guard skipInterpolation() else { return false }
                } else {
                    place += 1
                }
            } else if byte() == UInt8(ascii: "\""), quotes == 1 || starts("\"\"\""),
                hasHashes(hashes, at: place + quotes)
            {
                place += quotes + hashes
                guard place <= end else { return false }
                tokens.append(Token(kind: .text, range: start..<place))
                return true
            } else {
                place += 1
            }
        }
        return false
    }

    private func hasHashes(_ count: Int, at offset: Int) -> Bool {
        offset + count <= end && source[offset..<offset + count].allSatisfy { $0 == UInt8(ascii: "#") }
    }

    /// Goes over an expression in a string, which may have strings.
    private mutating func skipInterpolation() -> Bool {
        let known = tokens.count
        // What is in it is a part of the string; a source may have thousands of them.
        defer { tokens.removeSubrange(known...) }
        var depth = 0
        repeat {
            guard place < end else { return false }
            let before = tokens.count
            guard readToken() else { return false }
            if tokens.count > before { depth += Self.depth(of: tokens[before], in: source) }
        } while depth > 0
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "$") || byte >= 0x80
    }
}
