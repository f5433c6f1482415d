public import RunModel

/// The contract by which the failures of one test do not block for a time.
public struct QuarantineEntry: Sendable, Hashable, Codable {
    /// The test as every report names it: `CoreTests.URLTests/testHost`.
    public var test: String
    /// Who will repair it.
    public var owner: String
    /// Why it fails, as far as that is known.
    public var reason: String
    /// The last day on which it holds, in UTC.
    public var expires: CalendarDay

    package init(test: String, owner: String, reason: String, expires: CalendarDay) {
        self.test = test
        self.owner = owner
        self.reason = reason
        self.expires = expires
    }

    /// How many days before its last day an entry is shown as ending soon.
    public static let daysAhead = 14

    /// Whether the test it names is in one of these modules, as the compiler names them.
    func isInModule(among modules: Set<Name>) -> Bool {
        guard !modules.isEmpty else { return false }
        // A name of a compiler has no dot, one of a manifest hardly more than these.
        let dots = test.utf8.indices.lazy.filter { test.utf8[$0] == UInt8(ascii: ".") }.prefix(8)
        return dots.contains { modules.contains(Name(test[..<$0])) }
    }

    /// Whether it is about the test of this identity, byte by byte.
    public func names(_ id: TestID) -> Bool { Name(id.description) == Name(test) }
}

/// Why an entry of the quarantine blocks.
public enum QuarantineFault: Sendable, Hashable, Codable {
    /// Its last day is over.
    case expired
    /// There is no such test; the nearest name, where one is near.
    case matchesNothing(nearest: String?)
    /// The test is broken rather than flaky: it failed in each of its last executions, this one included.
    case alwaysFails(executions: Int)
}

/// The status of one entry of the quarantine in a run.
public struct QuarantineStatus: Sendable, Hashable, Codable {
    /// The contract.
    public var entry: QuarantineEntry
    /// The test; `nil` when the run has none of that name.
    public var id: TestID?
    /// How the test ended.
    public var outcome: Outcome?
    /// Why the entry blocks; `nil` when it holds.
    public var fault: QuarantineFault?

    package init(entry: QuarantineEntry, id: TestID? = nil, outcome: Outcome? = nil, fault: QuarantineFault? = nil) {
        self.entry = entry
        self.id = id
        self.outcome = outcome
        self.fault = fault
    }

    /// Whether it keeps a failure of its test from blocking.
    public var isInForce: Bool { id != nil && fault != .expired }

    /// How many failures in a row, this one included, make a test broken.
    public static let failuresOfBroken = FailureStreak.failuresOfBroken
}

extension GateChangeCode {
    static let quarantineAdded = GateChangeCode(
        "quarantine-added", "The failures of a test do not block that did at the base, or for longer.")
}

/// Every entry of the quarantine keeps its contract.
enum Quarantine: Rule {
    static let code = "quarantine"
    static let changes: [GateChangeCode] = [.quarantineAdded]

    static func demands(of policy: Policy) -> [Demand] {
        [
            Demand(
                name: "Quarantine",
                words: policy.quarantine.isEmpty ? nil : Figures.counted(policy.quarantine.count, "test"))
        ]
    }

    static func compare(_ comparison: inout BaseComparison) {
        guard let settings = comparison.settings else { return }
        let before = Dictionary(settings.policy.quarantine.map { (Name($0.test), $0) }) { first, _ in first }
        comparison.rules.quarantine = comparison.policy.quarantine.compactMap { entry in
            let old = before[Name(entry.test)]
            guard entry.expires > old?.expires ?? entry.expires || old == nil else { return entry }
            let isWaived = comparison.note(
                .quarantineAdded, about: entry.test, before: old.map { "until \($0.expires)" } ?? "none",
                after: "until \(entry.expires)", key: "tests.quarantine.\(entry.test)")
            return isWaived ? entry : old
        }
    }

    static func judge(_ input: RuleInput, into findings: inout Findings) {
        findings.violations += input.quarantine.compactMap(\.violation)
    }

    static func summary(_ count: Int) -> String {
        Figures.counted(count, "broken contract") + " of the quarantine"
    }
}

extension QuarantineStatus {
    /// The violation of an entry that does not hold; `nil` for one that holds.
    public var violation: Violation? { fault.map { .quarantineBroken(entry: entry, fault: $0) } }
}

extension QuarantineFault {
    /// The stable code of a fault.
    public var code: String {
        switch self {
        case .expired: "expired"
        case .matchesNothing: "matches-nothing"
        case .alwaysFails: "always-fails"
        }
    }
}

extension Violation {
    /// An entry of the quarantine does not hold.
    public static func quarantineBroken(entry: QuarantineEntry, fault: QuarantineFault) -> Violation {
        let (reason, hint) =
            switch fault {
            case .expired:
                (
                    "ended on \(entry.expires) (\(entry.owner): \(entry.reason)).",
                    "Repair the test, or agree on a new day under tests.quarantine."
                )
            case .matchesNothing(let nearest):
                (
                    "names no test of the package.",
                    nearest.map { "Write '\($0)'." } ?? "Remove it if the test was renamed or removed."
                )
            case .alwaysFails(let executions):
                (
                    "hides a test that always fails: \(Figures.counted(executions, "time")) in a row.",
                    "Repair or remove the test: it is broken, not flaky."
                )
            }
        return Violation(
            rule: Quarantine.code, subject: .quarantine(entry.test), title: "the quarantine of \(entry.test)",
            reason: reason,
            hint: hint, observed: fault.code)
    }
}

extension TestRun {
    /// Every entry of the quarantine with the test it names.
    func quarantine(under policy: Policy, past: PastResults) -> [QuarantineStatus] {
        guard !policy.quarantine.isEmpty else { return [] }
        let (today, tests, off) = (CalendarDay(self.startedAt), tests, Set(disabledModules.map { Name($0) }))
        let byName = Dictionary(tests.map { (Name($0.id.description), $0) }) { first, _ in first }
        let names = tests.map(\.id.description)
        var suggestions = Suggestions(among: names)
        return policy.quarantine.map { entry in
            let test = byName[Name(entry.test)]
            var status = QuarantineStatus(entry: entry, id: test?.id, outcome: test?.outcome)
            if today > entry.expires {
                status.fault = .expired
            } else if let test {
                status.fault = failuresInARow(of: test, past: past).map { .alwaysFails(executions: $0) }
            } else if mustHaveTest, !entry.isInModule(among: off) {
                status.fault = .matchesNothing(nearest: suggestions.next(for: entry.test))
            }
            return status
        }
    }

    /// Whether an entry must name a test of the run: if only a part ran, or the tests were never listed, it may name another one.
    private var mustHaveTest: Bool {
        !buildFailed && !isPartial && !tests.isEmpty && !gaps.contains { $0.code == .listUnavailable }
    }

    /// The test targets that are switched off, as the compiler names them.
    var disabledModules: [String] {
        guard !selection.disabledTargets.isEmpty else { return [] }
        let names = Dictionary(self.modules.map { (Name($0.name), $0.compilerName) }) { first, _ in first }
        return selection.disabledTargets.map { names[Name($0)] ?? $0 }
    }

    /// How many failures there are in a row, where they are enough to call the test broken.
    private func failuresInARow(of test: TestResult, past: PastResults) -> Int? {
        guard test.outcome.isFailure else { return nil }
        let earlier = (past.executions[test.id] ?? []).prefix { $0.outcome.isFailure }.count
        return earlier + 1 >= QuarantineStatus.failuresOfBroken ? earlier + 1 : nil
    }
}
