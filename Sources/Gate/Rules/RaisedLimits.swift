extension GateChangeCode {
    /// The limit on the time of the whole run is raised.
    public static let runTimeoutRaised = GateChangeCode(
        "run-timeout-raised", "The whole run may take longer than at the base.")
    static let silenceTimeoutRaised = GateChangeCode(
        "silence-timeout-raised", "The tests may stay silent for longer than at the base.")
    static let testTimeoutRaised = GateChangeCode(
        "test-timeout-raised", "One test may take longer than at the base.")
    static let retriesRaised = GateChangeCode(
        "retries-raised", "A test that failed is run again more often than at the base.")
    static let interopWeakened = GateChangeCode(
        "interop-weakened", "Assertions of the other library fail no test any more.")
    static let undiscoveredIgnored = GateChangeCode(
        "undiscovered-tests-ignored", "Tests that are declared and not discovered do not block any more.")
}

/// Tests get no more time and no more retries than at the base. How long they took and how often they were tried is for
/// whoever runs them, so that only the change is a violation.
enum RaisedLimits: Rule {
    static let code = "run-limits"
    static let changes: [GateChangeCode] = [
        .runTimeoutRaised, .silenceTimeoutRaised, .testTimeoutRaised, .retriesRaised, .interopWeakened,
        .undiscoveredIgnored,
    ]

    static func compare(_ comparison: inout BaseComparison) {
        guard let settings = comparison.settings else { return }
        let limits: [(SettingsLimit.Rule, GateChangeCode)] = [
            (.runTimeout, .runTimeoutRaised), (.silenceTimeout, .silenceTimeoutRaised),
            (.testTimeout, .testTimeoutRaised), (.retries, .retriesRaised), (.interop, .interopWeakened),
            (.undiscovered, .undiscoveredIgnored),
        ]
        for (rule, code) in limits {
            let pair = [settings, comparison.baseline.head].compactMap { $0.limits.first { $0.rule == rule } }
            guard pair.count == 2, pair[1].amount ?? .max > pair[0].amount ?? .max else { continue }
            comparison.note(
                code, about: rule.rawValue, before: pair[0].words, after: pair[1].words, key: rule.rawValue)
        }
    }
}

/// How much time or how many retries tests get.
public struct SettingsLimit: Sendable, Hashable, Codable {
    /// Which setting.
    public enum Rule: String, Sendable, Hashable, Codable, CaseIterable {
        case runTimeout = "tests.timeouts.run"
        case silenceTimeout = "tests.timeouts.silence"
        case testTimeout = "tests.timeouts.test"
        case retries = "tests.retries"
        case interop = "tests.interop"
        case undiscovered = "tests.undiscovered"
    }

    /// Which setting.
    public var rule: Rule
    /// The value in seconds or retries, or 1 where assertions are ignored; `nil` is no limit at all.
    public var amount: Int?
    /// The value in the words of the settings file.
    public var words: String

    package init(_ rule: Rule, _ amount: Int?, words: String) {
        (self.rule, self.amount, self.words) = (rule, amount, words)
    }
}
