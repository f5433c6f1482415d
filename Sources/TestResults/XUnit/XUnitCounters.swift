import Evidence

/// What the attributes of a suite count, whatever the case of their names and the blanks around a number.
struct XUnitCounters {
    /// How many tests they speak of; `nil` where they say nothing, as an empty one does.
    private(set) var tests: Int?
    /// How many failures and errors together.
    var problems: Int? { Self.sum(failures, errors) }
    /// How many skips.
    var skips: Int? { Self.sum(leftOut, disabled) }
    /// The highest of the counters that are not known and whose names say that tests failed, if it is more than 0.
    private(set) var otherProblems: (name: String, count: Int)?

    private var failures: Int?
    private var errors: Int?
    private var leftOut: Int?
    private var disabled: Int?
    /// Those that are no number: nobody knows what they count.
    private var words: [Word] = []

    private struct Word {
        let kind: Kind
        /// Such as `failures="?"`.
        let text: String
        /// Whether it says that there is at least one.
        let isYes: Bool
    }

    /// What is counted.
    private enum Kind {
        case tests, failures, errors, leftOut, disabled, otherProblems

        init?(_ name: XMLBytes) {
            if let known = Self.names.first(where: { name.equals(ignoringCase: $0.name) }) {
                self = known.kind
            } else if Self.isOfProblems(name) {
                self = .otherProblems
            } else {
                return nil
            }
        }

        private static let names: [(name: StaticString, kind: Kind)] = [
            ("tests", .tests), ("total", .tests), ("failures", .failures), ("failed", .failures),
            ("failure", .failures), ("errors", .errors), ("error", .errors), ("skipped", .leftOut), ("skips", .leftOut),
            ("skip", .leftOut),
            ("ignored", .leftOut), ("notrun", .leftOut), ("not-run", .leftOut), ("pending", .leftOut),
            ("disabled", .disabled),
        ]
        /// How long tests may take, and whether they go on after a failure.
        private static let limits = ["timeout", "failfast", "fail-fast"] as [StaticString]
        private static let wordsOfProblems =
            ["fail", "error", "timeout", "timedout", "timed-out", "timed_out", "crash"] as [StaticString]

        /// Whether a name begins as that of a counter of failed tests does, such as `timeouts` and `crashed`.
        private static func isOfProblems(_ name: XMLBytes) -> Bool {
            !limits.contains { name.equals(ignoringCase: $0) }
                && wordsOfProblems.contains { word in
                    XMLBytes(rebasing: name.prefix(word.utf8CodeUnitCount)).equals(ignoringCase: word)
                }
        }
    }

    init(_ attributes: XMLAttributes) {
        attributes.forEach { name, value in
            guard let kind = Kind(name) else { return }
            if let count = StrictNumber.total(value) {
                take(count, kind, name)
            } else {
                take(value, kind, name)
            }
        }
    }

    /// Of counters of one meaning the highest counts.
    private mutating func take(_ count: Int, _ kind: Kind, _ name: XMLBytes) {
        switch kind {
        case .tests: tests = max(tests ?? 0, count)
        case .failures: failures = max(failures ?? 0, count)
        case .errors: errors = max(errors ?? 0, count)
        case .leftOut: leftOut = max(leftOut ?? 0, count)
        case .disabled: disabled = max(disabled ?? 0, count)
        case .otherProblems:
            if count > otherProblems?.count ?? 0 { otherProblems = (String(decoding: name, as: UTF8.self), count) }
        }
    }

    private mutating func take(_ value: XMLBytes, _ kind: Kind, _ name: XMLBytes) {
        let word = String(decoding: StrictNumber.trimmed(value).prefix(64), as: UTF8.self)
        let isYes = ["true", "yes", "y"].contains(word.lowercased())
        let isNo = ["", "false", "no", "none", "n"].contains(word.lowercased())
        // A name that is not known may be that of a message; of a known one nothing but a word for none is believed.
        guard kind == .otherProblems ? isYes : !isNo else { return }
        let text = "\(String(decoding: name.prefix(64), as: UTF8.self))=\"\(word)\""
        words.append(Word(kind: kind, text: text, isYes: isYes))
    }

    /// What is said without a number, where the cases do not show the same.
    ///
    /// - Parameters:
    ///   - problems: How many failures and errors its cases show.
    ///   - skips: How many skips.
    func doubts(problems: Int, skips: Int) -> [String] {
        words.compactMap { word in
            switch (word.isYes, word.kind) {
            case (true, .failures), (true, .errors), (true, .otherProblems):
                problems > 0 ? nil : "says \(word.text), its cases show none that failed"
            case (true, .leftOut), (true, .disabled):
                skips > 0 ? nil : "says \(word.text), its cases show none that was skipped"
            default: "says \(word.text), which is no count"
            }
        }
    }

    private static func sum(_ one: Int?, _ other: Int?) -> Int? {
        one == nil && other == nil ? nil : (one ?? 0) + (other ?? 0)
    }
}
