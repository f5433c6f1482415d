extension Duration {
    /// The longest time limit that can be set: a week.
    static let longestTimeLimit = Duration.seconds(7 * 24 * 3600)

    /// Reads a time limit such as `90s`, `2m` or `1h30m`: whole hours, minutes and seconds in this order.
    ///
    /// It must be more than zero and at most a week; anything else is `nil`.
    public init?(timeLimit text: String) {
        var seconds = 0
        var digits = ""
        var units: [(letter: Character, seconds: Int)] = [("h", 3600), ("m", 60), ("s", 1)]
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
            } else {
                guard let unit = units.firstIndex(where: { $0.letter == character }), digits.utf8.count <= 6,
                    let count = Int(digits)
                else { return nil }
                seconds += count * units[unit].seconds
                units.removeSubrange(...unit)
                digits = ""
            }
        }
        let limit = Duration.seconds(seconds)
        guard digits.isEmpty, limit > .zero, limit <= Self.longestTimeLimit else { return nil }
        self = limit
    }

    /// The time limit as it is written in the settings: `1h30m`, `5m`, `90s` as `1m30s`.
    public var timeLimitDescription: String {
        let seconds = components.seconds
        let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")]
        let text = parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
        return text.isEmpty ? "0s" : text
    }

    /// Reads a bound on a test: a time limit, or whole milliseconds such as `250ms`.
    public init?(budget text: String) {
        guard text.hasSuffix("ms") else {
            self.init(timeLimit: text)
            return
        }
        let digits = text.dropLast(2)
        guard (1...7).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let milliseconds = Int(digits), milliseconds > 0
        else { return nil }
        self = .milliseconds(milliseconds)
    }

    /// The bound as it is written in the settings: `2s`, `250ms`.
    public var budgetDescription: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        return milliseconds % 1000 == 0 ? timeLimitDescription : "\(milliseconds)ms"
    }
}
