import RunModel

extension FlakyTest {
    /// The order of lists: more disagreements first, then more flips, then more failures.
    func precedes(_ other: FlakyTest) -> Bool {
        let (mine, theirs) = (
            (disagreements, flips, failures + recoveries),
            (other.disagreements, other.flips, other.failures + other.recoveries)
        )
        return mine == theirs ? id < other.id : mine > theirs
    }
}

/// Counts the signs of flakiness in the executions of a project's tests, run by run. What it keeps of a test depends on how many trees it
/// failed on and on how many branches there are, not on how often it was executed.
struct FlakyCount {
    /// How many of the runs that answer for no tree count, the newest first, and how many failed attempts in them.
    private static let (mostOtherRuns, mostOtherAttempts) = (200, 10_000)
    /// How many lists of tests are remembered.
    private static let mostLists = 64

    /// What is known of one test.
    private struct Signs {
        var test = FlakyTest(id: TestID(module: "", suite: "", name: ""))
        /// The place of the last run in which an attempt failed.
        var lastOrder: Int64?
        /// The trees on which it failed, and whether it also passed on them.
        var passedOn: [String: Bool] = [:]
        var branches: [Name?: (isFailure: Bool, flips: Int)] = [:]
        /// How its runs on the default branch end.
        var streak = FailureStreak()

        var counted: FlakyTest {
            var test = test
            test.breakage = streak.breakage
            test.disagreements += passedOn.values.count { $0 }
            test.flips = branches.values.map(\.flips).max() ?? 0
            return test
        }
    }

    /// A run whose executions are counted.
    private struct Row {
        let id: RunID
        let order: Int64
        let branch: Name?
        let tree: String?
        /// The tests of which an attempt failed.
        let retried: Set<Int64>
    }

    private let connection: Connection
    private let project: Int64
    private let branch: Name?
    private let since: Int64
    private var signs: [Int64: Signs] = [:]
    /// The tests of each run of which an attempt failed, or that failed when they were repeated.
    private var retried: [Int64: Set<Int64>] = [:]

    /// Finds the tests of which an attempt failed, or that failed when they were repeated; none of their executions is counted yet.
    ///
    /// - Parameter branch: The default branch, which says what is broken; without one every run does.
    init(_ connection: Connection, project: Int64, branch: String?, since: Int64) throws {
        self.connection = connection
        self.project = project
        self.branch = branch.map { Name($0) }
        self.since = since
        try connection.statement(.failuresOnTrees).forEach(project, since) { row in
            signs[row.integer(0), default: Signs()].passedOn[row.text(1)] = false
        }
        try noteFailedAttempts(ofExactRuns: true, runs: -1, most: -1)
        try noteFailedAttempts(ofExactRuns: false, runs: Self.mostOtherRuns, most: Self.mostOtherAttempts)
    }

    private mutating func noteFailedAttempts(ofExactRuns areExact: Bool, runs: Int, most: Int) throws {
        for query in [FlakyQuery.failedAttempts, .probationFailures] {
            try connection.statement(query).forEach(project, since, areExact, runs, most) { row in
                let (run, test) = (row.integer(0), row.integer(1))
                retried[run, default: []].insert(test)
                let known = signs[test] ?? Signs()
                signs[test] = known
                if let tree = row.optionalText(2), known.passedOn[tree] == nil { signs[test]?.passedOn[tree] = false }
            }
        }
    }

    /// The tests that are flaky so far, by their rows, without their identities.
    var suspects: [(id: Int64, test: FlakyTest)] {
        signs.lazy.map { ($0.key, $0.value.counted) }.filter(\.1.isSuspect).map { (id: $0.0, test: $0.1) }
    }

    /// Counts all runs that answer for their tree.
    mutating func addExactRuns() throws { try addRuns(areExact: true, most: -1) }

    /// Counts the newest other runs, such as those of working copies.
    mutating func addOtherRuns() throws { try addRuns(areExact: false, most: Self.mostOtherRuns) }

    private mutating func addRuns(areExact: Bool, most: Int) throws {
        guard !signs.isEmpty else { return }
        let tests = Array(signs.keys)
        let reading = ResultReading(connection)
        var places: [Int64: [Int?]] = [:]
        // Of the runs that answer for their tree all count, whose number only time limits.
        var budget = areExact ? ResultBudget.unlimited : .others
        try connection.statement(.endingsSince).step(project, since, areExact, most) { row in
            guard budget.take(row.int(7)) else { return false }
            let (run, list) = (row.integer(0), row.integer(4))
            if places.count == Self.mostLists, places[list] == nil { places = [:] }
            let known = try places[list] ?? reading.places(of: tests, inTestList: list)
            places[list] = known
            let endings = try Deflate.unpacked(row.bytes(5))
            let counted = Row(
                id: try row.runID(1), order: row.integer(6), branch: row.optionalText(2).map { Name($0) },
                tree: row.optionalText(3),
                retried: retried[run] ?? [])
            for (test, place) in zip(tests, known) {
                guard let place else { continue }
                guard place < endings.count else {
                    throw UnreadableContent("the results of a run do not fit its tests")
                }
                let outcome = try PackedResult(endings[place]).outcome
                if outcome.wasExecuted { count(test, isFailure: outcome.isFailure, in: counted) }
            }
            return true
        }
    }

    /// Counts an execution; the runs of a kind come the newest first.
    private mutating func count(_ test: Int64, isFailure: Bool, in run: Row) {
        let isRecovered = !isFailure && run.retried.contains(test)
        var known = signs[test] ?? Signs()
        signs[test] = nil
        defer { signs[test] = known }
        known.test.executions += 1
        known.test.failures += isFailure ? 1 : 0
        known.test.recoveries += isRecovered ? 1 : 0
        if isFailure || isRecovered, known.lastOrder.map({ $0 < run.order }) ?? true {
            (known.test.lastFailure, known.lastOrder) = (run.id, run.order)
        }
        guard let tree = run.tree else {
            // The tree is unknown, but both attempts ran on it.
            known.test.disagreements += isRecovered ? 1 : 0
            return
        }
        if branch == nil || branch == run.branch {
            known.streak.add(isFailure: isFailure, isRecovered: isRecovered, in: run.id)
        }
        if !isFailure, known.passedOn[tree] != nil { known.passedOn[tree] = true }
        let after = known.branches[run.branch] ?? (isFailure, 0)
        known.branches[run.branch] = (isFailure, after.flips + (after.isFailure == isFailure ? 0 : 1))
    }
}
