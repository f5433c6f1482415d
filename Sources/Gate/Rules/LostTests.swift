import RunModel

extension GateChangeCode {
    static let testsDropped = GateChangeCode(
        "tests-dropped", "There are fewer tests than in the base's stored run, by more than one in a hundred.",
        needsStoredRun: true)
    static let testsSkipped = GateChangeCode(
        "tests-skipped", "Tests are skipped or disabled that ran in the base's stored run.", isWaivedBySubject: true,
        needsStoredRun: true)
    static let knownIssuesAdded = GateChangeCode(
        "known-issues-added", "Tests fail in a way they announce that passed in the base's stored run.",
        isWaivedBySubject: true, needsStoredRun: true)
    static let argumentsDropped = GateChangeCode(
        "arguments-dropped", "A test runs with fewer arguments than in the base's stored run.", isWaivedBySubject: true,
        needsStoredRun: true)
}

/// What ran in the base's stored run still runs.
enum LostTests: Rule {
    static let code = "lost-tests"
    static let changes: [GateChangeCode] = [.testsDropped, .testsSkipped, .knownIssuesAdded, .argumentsDropped]

    static func compare(_ comparison: inout BaseComparison) { comparison.compareTests() }
}

extension BaseComparison {
    /// Tests that are gone, skipped or excused, against the base's stored run.
    fileprivate mutating func compareTests() {
        guard let base = baseline.run, !run.isPartial, !run.buildFailed else { return }
        let names = TargetNames(base.targets + run.modules)
        let removed = changes.filter { $0.code == .testTargetRemoved }.map(\.subject)
        let off = Set((removed + run.selection.disabledTargets).map { Name($0) })
        let before = base.outcomes.filter { entry in
            entry.outcome != .skipped && !off.contains(Name(names.manifestName(entry.id.module)))
        }
        let now = Dictionary(run.tests.map { ($0.id, $0.outcome) }, uniquingKeysWith: { first, _ in first })

        let count = run.tests.count { $0.outcome != .skipped }
        // Those that are skipped now are a change of their own.
        let skipped = before.filter { now[$0.id] == .skipped }
        let disguised = disguisedTests(before.filter { now[$0.id] == nil }.count, base)
        let expected = before.count - skipped.count - disguised.count { now[$0] == .skipped }
        if count * 100 < expected * 99 {
            note(
                GateChange(
                    .testsDropped, subject: "tests", before: "\(expected) tests", after: "\(count) tests",
                    items: before.filter { now[$0.id] == nil }.map(\.id.description)))
        }
        note(.testsSkipped, skipped.map(\.id) + disguised.filter { now[$0] == .skipped }, names)
        note(
            .knownIssuesAdded,
            before.filter { $0.outcome == .passed && now[$0.id] == .knownIssue }.map(\.id)
                + disguised.filter { now[$0] == .knownIssue }, names)
        compareArguments(base, names)
    }

    /// New tests that are skipped or fail in a way they announce, as many as tests of the base are gone: under another name, in
    /// another target or with an argument they may be what the others were.
    ///
    /// - Parameter gone: How many tests of the base are gone.
    private func disguisedTests(_ gone: Int, _ base: BaseRun) -> [TestID] {
        let known = Set(base.outcomes.map(\.id))
        let new = run.tests.filter { [.skipped, .knownIssue].contains($0.outcome) && !known.contains($0.id) }
        return new.prefix(gone).map(\.id)
    }

    /// Tests that run with fewer arguments. One that failed may not have come to all of them.
    private mutating func compareArguments(_ base: BaseRun, _ names: TargetNames) {
        let counts = Dictionary(base.arguments.map { ($0.test, $0.count) }, uniquingKeysWith: { first, _ in first })
        let fewer = run.tests.compactMap { test -> (id: TestID, before: Int, after: Int)? in
            guard let before = counts[test.id], test.outcome.wasExecuted, !test.outcome.isFailure,
                test.arguments.count < before
            else { return nil }
            return (test.id, before, test.arguments.count)
        }
        var rest = fewer[...]
        while let first = rest.first {
            let own = rest.prefix { Name($0.id.module) == Name(first.id.module) }
            rest = rest.dropFirst(own.count)
            note(
                GateChange(
                    .argumentsDropped, subject: names.manifestName(first.id.module),
                    before: "\(own.reduce(0) { $0 + $1.before }) arguments",
                    after: "\(own.reduce(0) { $0 + $1.after }) arguments",
                    items: own.map { "\($0.id): \($0.before) → \($0.after)" }))
        }
    }

    /// Notes tests under the test target they belong to.
    private mutating func note(_ code: GateChangeCode, _ tests: [TestID], _ names: TargetNames) {
        var rest = tests[...]
        while let first = rest.first {
            let own = rest.prefix { Name($0.module) == Name(first.module) }
            rest = rest.dropFirst(own.count)
            note(
                GateChange(
                    code, subject: names.manifestName(first.module), before: "ran",
                    after: code == .testsSkipped ? "skipped" : "a known issue", items: own.map(\.description)))
        }
    }
}

/// The names in the manifest of targets that the compiler knows under others.
private struct TargetNames {
    private let names: [Name: String]

    init(_ targets: [Module]) {
        names = Dictionary(targets.map { (Name($0.compilerName), $0.name) }) { first, _ in first }
    }

    func manifestName(_ compilerName: String) -> String { names[Name(compilerName)] ?? compilerName }
}
