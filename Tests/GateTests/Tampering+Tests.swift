import RunModel

@testable import Gate

extension Tampering {
    /// Which tests there are, what they may do, and how long they may take.
    static let ofTests: [Tampering] = [
        Tampering(GateChange(.minimumTestsLowered, subject: "tests.minimum", before: "2", after: "1")) {
            $0.policy.minimumTests = 1
        },
        Tampering(GateChange(.maxSkippedRaised, subject: "tests.max-skipped", before: "2", after: "3")) {
            $0.policy.maxSkipped = 3
        },
        Tampering(GateChange(.maxSkippedRaised, subject: "tests.max-skipped", before: "2", after: "none")) {
            $0.policy.maxSkipped = nil
        },
        Tampering(GateChange(.maxWarningsRaised, subject: "tests.max-warnings", before: "1", after: "2")) {
            $0.policy.maxWarnings = 2
        },
        Tampering(GateChange(.maxWarningsRaised, subject: "tests.max-warnings", before: "1", after: "none")) {
            $0.policy.maxWarnings = nil
        },
        Tampering(GateChange(.testTargetRemoved, subject: "CoreTests", before: "a test target", after: "none")) {
            $0.run.modules.removeAll { $0.name == "CoreTests" }
        },
        Tampering(
            GateChange(.testTargetOff, subject: "CoreTests", before: "not in tests.bundles", after: "in tests.bundles")
        ) { $0.list(.bundles, ["CoreTests"]) },
        Tampering(
            GateChange(
                .argumentsDropped, subject: "CoreTests", before: "2 arguments", after: "1 arguments",
                items: ["\(firstTest): 2 → 1"])
        ) { $0.run.tests[0].arguments.removeLast() },
        Tampering(
            GateChange(.testsDropped, subject: "tests", before: "2 tests", after: "1 tests", items: [firstTest])
        ) { trial in
            trial.run.tests.removeFirst()
            trial.baseline.settings?.policy.minimumTests = 1
            trial.policy.minimumTests = 1
        },
        Tampering(
            GateChange(.testsSkipped, subject: "CoreTests", before: "ran", after: "skipped", items: [firstTest])
        ) { trial in
            trial.run.tests[0].outcome = .skipped
            trial.baseline.settings?.policy.minimumTests = 1
            trial.policy.minimumTests = 1
        },
        Tampering(
            GateChange(
                .knownIssuesAdded, subject: "CoreTests", before: "ran", after: "a known issue", items: [firstTest])
        ) { $0.run.tests[0].outcome = .knownIssue },
        Tampering(
            GateChange(
                .knownIssuesAdded, subject: "CoreTests", before: "ran", after: "a known issue",
                items: ["CoreTests.Renamed/counts()"])
        ) { $0.replaceFirstTest(by: .knownIssue, in: "CoreTests") },
        // As a test that has got an argument and cancels itself.
        Tampering(
            GateChange(
                .testsSkipped, subject: "MoreTests", before: "ran", after: "skipped",
                items: ["MoreTests.Renamed/counts()"])
        ) { trial in
            trial.replaceFirstTest(by: .skipped, in: "MoreTests")
            trial.baseline.settings?.policy.minimumTests = 1
            trial.policy.minimumTests = 1
        },
        Tampering(
            GateChange(
                .runTimeoutRaised, subject: "tests.timeouts.run", before: "30m", after: "31m",
                basePlace: ".kanmon.yml:9:20", place: ".kanmon.yml:9:20")
        ) { $0.limit(.runTimeout, 1860, "31m") },
        Tampering(GateChange(.silenceTimeoutRaised, subject: "tests.timeouts.silence", before: "5m", after: "off")) {
            $0.limit(.silenceTimeout, nil, "off")
        },
        Tampering(GateChange(.testTimeoutRaised, subject: "tests.timeouts.test", before: "2m", after: "1h")) {
            $0.limit(.testTimeout, 3600, "1h")
        },
        Tampering(GateChange(.retriesRaised, subject: "tests.retries", before: "0", after: "3")) {
            $0.limit(.retries, 3, "3")
        },
        Tampering(GateChange(.interopWeakened, subject: "tests.interop", before: "fail", after: "swift-test")) {
            $0.limit(.interop, 1, "swift-test")
        },
        Tampering(GateChange(.undiscoveredIgnored, subject: "tests.undiscovered", before: "gap", after: "note")) {
            $0.limit(.undiscovered, 1, "note")
        },
        Tampering(
            GateChange(.quarantineAdded, subject: firstTest, before: "none", after: "until 2026-02-01")
        ) { trial in
            guard let day = CalendarDay("2026-02-01") else { return }
            trial.policy.quarantine = [
                QuarantineEntry(test: firstTest, owner: "ana", reason: "slow network", expires: day)
            ]
        },
        Tampering(
            GateChange(.budgetRaised, subject: "CoreTests/*", before: "2.0 seconds", after: "3.0 seconds")
        ) { $0.policy.budgets = [BudgetRule(pattern: "CoreTests/*", bound: .seconds(3))] },
        Tampering(GateChange(.budgetRaised, subject: "CoreTests/*", before: "2.0 seconds", after: "none")) {
            $0.policy.budgets = []
        },
        Tampering(
            GateChange(.budgetRaised, subject: "CoreTests/*", before: "2.0 seconds", after: "86400.0 seconds")
        ) { $0.policy.budgets.insert(BudgetRule(pattern: "**", bound: .seconds(86_400)), at: 0) },
        Tampering(
            GateChange(.brokenBaseAllowed, subject: "tests.allow-broken-base", before: "false", after: "true")
        ) { $0.policy.allowsBrokenBase = true },
        Tampering(GateChange(.flakyTolerated, subject: "tests.flaky", before: "fail", after: "warn")) {
            $0.policy.flaky = .warn
        },
        probation(nil, "report"),
        probation(ProbationDemand(runs: 19, budget: .seconds(60)), "block, 19 runs within 1 min 0 s"),
        probation(ProbationDemand(runs: 40, budget: .seconds(29)), "block, 40 runs within 29.0 s"),
    ]

    /// Asks for less than the base, of which the run has as much as the base asks for.
    private static func probation(_ demand: ProbationDemand?, _ after: String) -> Tampering {
        Tampering(
            GateChange(
                .probationWeakened, subject: "tests.probation.on-failure", before: "block, 20 runs within 30.0 s",
                after: after)
        ) { trial in
            trial.baseline.settings?.policy.probation = ProbationDemand(runs: 20, budget: .seconds(30))
            trial.policy.probation = demand
            trial.probation = Probation(
                base: String(repeating: "0a", count: 20), runs: 20, budget: .seconds(30), seed: 1, entries: [])
        }
    }
}

extension Trial {
    /// Puts a test of another identity in the place of the first.
    fileprivate mutating func replaceFirstTest(by outcome: Outcome, in module: String) {
        run.tests[0] = TestResult(
            id: TestID(module: module, suite: "Renamed", name: "counts()"), library: .swiftTesting, outcome: outcome)
    }
}
