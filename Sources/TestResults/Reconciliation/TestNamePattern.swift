import RunModel

/// An expression of `--filter` or `--skip`, as far as it is certain which tests SwiftPM finds with it.
///
/// SwiftPM searches with an engine that goes back, and can take exponential time. What a stranger has written is never given to such an
/// engine: understood are the expressions that mean the same to that one and to `LinearExpression`. Not understood are counts in braces,
/// flags, names of groups, what looks around, and sets of sets.
struct TestNamePattern {
    private let expression: LinearExpression?
    /// Whether a backslash stands before a letter, such as `\w`: which letters those are differs beyond ASCII.
    private let hasClasses: Bool

    /// How much it is to follow.
    var size: Int { expression?.size ?? 1 }

    init(_ text: String) {
        var hasClasses = false
        let isCommon = Self.isCommon(text, &hasClasses)
        expression = isCommon ? (try? LinearExpression(text)) : nil
        self.hasClasses = hasClasses
    }

    /// Whether it is found in a name; `nil` where that is not certain.
    func matches(_ name: String) -> Bool? {
        guard let expression, name.unicodeScalars.allSatisfy({ isPlain($0.value) }) else { return nil }
        return expression.matches(name)
    }

    /// Whether a scalar of a name is the same to both engines: no end of a line, and no letter that only one of them has in `\w`.
    private func isPlain(_ scalar: UInt32) -> Bool {
        if scalar < 0x80 { return scalar >= 0x20 && scalar != 0x7F }
        return !hasClasses && scalar > 0x9F && scalar != 0x2028 && scalar != 0x2029
    }

    /// Whether a text is written only with what means the same to both engines.
    private static func isCommon(_ text: String, _ hasClasses: inout Bool) -> Bool {
        guard !text.isEmpty, !text.replacing("(?:", with: "").contains("(?") else { return false }
        var previous: Unicode.Scalar?
        var isInSet = false
        // Whether a set has no member yet.
        var isFirst = false
        var isEscaped = false
        for scalar in text.unicodeScalars {
            defer { previous = isEscaped ? nil : scalar }
            if isEscaped {
                isEscaped = false
                if scalar.properties.isAlphabetic { hasClasses = true }
                isFirst = false
                continue
            }
            switch scalar {
            case "\\":
                isEscaped = true
                isFirst = false
            case "[":
                guard !isInSet else { return false }
                (isInSet, isFirst) = (true, true)
            case "]" where isInSet:
                guard !isFirst else { return false }
                isInSet = false
            case "^" where isInSet && previous == "[":
                break
            case "&" where isInSet:
                return false
            case "-" where isInSet && previous == "-":
                return false
            case "{" where !isInSet:
                return false
            default:
                isFirst = false
            }
        }
        return true
    }
}
