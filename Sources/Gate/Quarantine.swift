public import RunModel

/// Why an entry of the quarantine blocks.
public enum QuarantineFault: Sendable, Hashable, Codable {
    /// Its last day is over.
    case expired
    /// There is no such test; the nearest name, where one is near.
    case matchesNothing(nearest: String?)
    /// The test is broken rather than flaky: it failed in each of so many executions, up to this one.
    case alwaysFails(executions: Int)
}

/// How one entry of the quarantine stands in a run.
public struct QuarantineStanding: Sendable, Hashable, Codable {
    /// The contract.
    public var entry: QuarantineEntry
    /// The test; `nil` when the run has none of that name.
    public var id: TestID?
    /// How the test ended.
    public var outcome: Outcome?
    /// Why the entry blocks; `nil` when it holds.
    public var fault: QuarantineFault?

    /// Makes a standing from its parts.
    public init(entry: QuarantineEntry, id: TestID? = nil, outcome: Outcome? = nil, fault: QuarantineFault? = nil) {
        self.entry = entry
        self.id = id
        self.outcome = outcome
        self.fault = fault
    }

    /// Whether it keeps a failure of its test from blocking.
    public var isInForce: Bool { id != nil && fault != .expired }

    /// So many failures in a row, this one included, make a test broken.
    public static let failuresOfBroken = 10
}

extension TestRun {
    /// Every entry of the quarantine with the test it names.
    func quarantine(under policy: Policy, past: PastResults) -> [QuarantineStanding] {
        guard !policy.quarantine.isEmpty else { return [] }
        let (today, tests) = (CalendarDay(startedAt), tests)
        return policy.quarantine.map { entry in
            let test = tests.first { entry.names($0.id) }
            var standing = QuarantineStanding(entry: entry, id: test?.id, outcome: test?.outcome)
            if today > entry.expires {
                standing.fault = .expired
            } else if let test {
                standing.fault = failuresInARow(of: test, past: past).map { .alwaysFails(executions: $0) }
            } else if mustHaveTest(entry) {
                let names = tests.map(\.id.description)
                standing.fault = .matchesNothing(nearest: Spelling.nearest(to: entry.test, among: names))
            }
            return standing
        }
    }

    /// A part of the tests, or tests that were never listed, prove no name wrong.
    private func mustHaveTest(_ entry: QuarantineEntry) -> Bool {
        !buildFailed && !isPartial && !tests.isEmpty && !gaps.contains { $0.code == .listUnavailable }
            && !disabledModules.contains { entry.test.utf8.starts(with: "\($0).".utf8) }
    }

    /// The test targets that are switched off, as the compiler names them.
    var disabledModules: [String] {
        selection.disabledTargets.map { target in
            modules.first { Name($0.name) == Name(target) }?.compilerName ?? target
        }
    }

    /// How many failures there are in a row, where they are enough to call the test broken.
    private func failuresInARow(of test: TestResult, past: PastResults) -> Int? {
        guard test.outcome.isFailure else { return nil }
        let earlier = (past.executions[test.id] ?? []).prefix { $0.outcome.isFailure }.count
        return earlier + 1 >= QuarantineStanding.failuresOfBroken ? earlier + 1 : nil
    }
}
