/// Reads a regular expression in Go's notation.
struct ExpressionParser {
    /// How deep groups may be nested.
    private static let deepest = 40
    /// The most repetitions that Go takes.
    private static let mostRepetitions = 1000

    private let scalars: [Unicode.Scalar]
    private var position = 0

    private static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
    private static let blanks: [ClosedRange<UInt32>] = [0x09...0x0A, 0x0C...0x0D, 0x20...0x20]
    private static let wordScalars: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// The whole text.
    mutating func whole() throws(ExpressionFault) -> ExpressionNode {
        let node = try choice(0)
        guard position == scalars.count else { throw ExpressionFault("its pattern closes a group that is not open") }
        return node
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func takeAny() throws(ExpressionFault) -> Unicode.Scalar {
        guard let scalar = next else { throw ExpressionFault("its pattern ends too early") }
        position += 1
        return scalar
    }

    private mutating func choice(_ depth: Int) throws(ExpressionFault) -> ExpressionNode {
        guard depth <= Self.deepest else {
            throw ExpressionFault("its pattern has more than \(Self.deepest) groups in each other")
        }
        var choices = [try sequence(depth)]
        while take("|") { choices.append(try sequence(depth)) }
        return choices.count == 1 ? choices[0] : .choice(choices)
    }

    private mutating func sequence(_ depth: Int) throws(ExpressionFault) -> ExpressionNode {
        var parts: [ExpressionNode] = []
        while let next, next != "|", next != ")" { parts.append(try repeated(depth)) }
        return .sequence(parts)
    }

    private mutating func repeated(_ depth: Int) throws(ExpressionFault) -> ExpressionNode {
        let node = try atom(depth)
        guard let (least, most) = try repetition() else { return node }
        // Which match is preferred is all the same here.
        _ = take("?")
        if try repetition() != nil { throw ExpressionFault("its pattern repeats a repetition") }
        return .repeated(node, least: least, most: most)
    }

    private mutating func repetition() throws(ExpressionFault) -> (least: Int, most: Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        return next == "{" ? try bounds() : nil
    }

    /// `{2}`, `{2,}` or `{2,5}`; anything else stands for itself.
    private mutating func bounds() throws(ExpressionFault) -> (least: Int, most: Int?)? {
        let start = position
        position += 1
        let least = number()
        let isOpen = take(",")
        let most = isOpen ? number() : least
        guard let least, take("}") else {
            position = start
            return nil
        }
        guard max(least, most ?? 0) <= Self.mostRepetitions, least <= most ?? least else {
            throw ExpressionFault("its pattern repeats too much")
        }
        return (least, most)
    }

    private mutating func number() -> Int? {
        var number: Int?
        while let digit = next, (0x30...0x39).contains(digit.value) {
            // What is too large stays so.
            number = min((number ?? 0) * 10 + Int(digit.value - 0x30), 1_000_000)
            position += 1
        }
        return number
    }

    private mutating func atom(_ depth: Int) throws(ExpressionFault) -> ExpressionNode {
        let scalar = try takeAny()
        switch scalar {
        case "(": return try group(depth)
        case "[": return try set()
        case ".": return .anyOfLine
        case "^": return .start
        case "$": return .end
        case "\\": return try escape()
        case "*", "+", "?": throw ExpressionFault("its pattern repeats nothing")
        case "{":
            position -= 1
            if try bounds() != nil { throw ExpressionFault("its pattern repeats nothing") }
            position += 1
            return .scalar(scalar.value)
        default: return .scalar(scalar.value)
        }
    }

    private mutating func group(_ depth: Int) throws(ExpressionFault) -> ExpressionNode {
        if take("?") {
            if take("P") || next == "<" {
                guard take("<") else { throw ExpressionFault("its pattern has an unknown group") }
                try takeName()
            } else if !take(":") {
                throw ExpressionFault("its pattern has flags, or looks around, which is not supported")
            }
        }
        let node = try choice(depth + 1)
        guard take(")") else { throw ExpressionFault("its pattern does not close a group") }
        return node
    }

    /// The rest of `<name>`, which says nothing here.
    private mutating func takeName() throws(ExpressionFault) {
        var length = 0
        while let scalar = next, Self.wordScalars.contains(where: { $0.contains(scalar.value) }) {
            position += 1
            length += 1
        }
        guard take(">"), length > 0 else {
            throw ExpressionFault("its pattern has a name that is none, or looks around, which is not supported")
        }
    }

    private mutating func escape() throws(ExpressionFault) -> ExpressionNode {
        let scalar = try takeAny()
        switch scalar {
        case "d": return .set(Self.digits, isNegated: false)
        case "D": return .set(Self.digits, isNegated: true)
        case "s": return .set(Self.blanks, isNegated: false)
        case "S": return .set(Self.blanks, isNegated: true)
        case "w": return .set(Self.wordScalars, isNegated: false)
        case "W": return .set(Self.wordScalars, isNegated: true)
        case "A": return .start
        case "z": return .end
        default: return .scalar(try Self.escaped(scalar))
        }
    }

    /// What stands behind a backslash for itself, or for a control character.
    private static func escaped(_ scalar: Unicode.Scalar) throws(ExpressionFault) -> UInt32 {
        switch scalar {
        case "a": return 0x07
        case "f": return 0x0C
        case "n": return 0x0A
        case "r": return 0x0D
        case "t": return 0x09
        case "v": return 0x0B
        default:
            let isWord = wordScalars.contains { $0.contains(scalar.value) } && scalar != "_"
            guard scalar.isASCII, !isWord else {
                throw ExpressionFault("its pattern has a '\\\(scalar)', which is not supported")
            }
            return scalar.value
        }
    }

    private mutating func set() throws(ExpressionFault) -> ExpressionNode {
        let isNegated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        var isFirst = true
        while isFirst || next != "]" {
            isFirst = false
            guard let low = try member(&ranges) else { continue }
            var high = low
            if next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" {
                position += 1
                guard let end = try member(&ranges), end >= low else {
                    throw ExpressionFault("its pattern has a range without an end")
                }
                high = end
            }
            ranges.append(low...high)
        }
        position += 1
        return .set(Self.united(ranges), isNegated: isNegated)
    }

    /// A scalar of a set; `nil` for a whole class of them, which is added.
    private mutating func member(_ ranges: inout [ClosedRange<UInt32>]) throws(ExpressionFault) -> UInt32? {
        let scalar = try takeAny()
        if scalar == "[", next == ":" { throw ExpressionFault("its pattern has a '[[:…:]]', which is not supported") }
        guard scalar == "\\" else { return scalar.value }
        let escaped = try takeAny()
        switch escaped {
        case "d": ranges += Self.digits
        case "s": ranges += Self.blanks
        case "w": ranges += Self.wordScalars
        default: return try Self.escaped(escaped)
        }
        return nil
    }

    /// The same ranges in ascending order, those that touch as one.
    private static func united(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var united: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = united.last, range.lowerBound <= last.upperBound {
                united[united.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                united.append(range)
            }
        }
        return united
    }
}
