public import Foundation
public import RunModel

extension RunStore {
    /// How many of the runs that answer for no tree count, as in the search for flaky tests.
    private static let mostOtherRuns = 200
    /// Of how many failures the messages are read.
    private static let mostMessages = 200

    /// How a test of a project fared; `nil` if there is no such test.
    ///
    /// - Parameters:
    ///   - since: Only runs that began then or later.
    ///   - runs: How many runs that answer for their tree are looked at, the newest; of others the newest 200 are. Fewer are where
    ///     these have very many tests, more than 20,000 each of the former, or a million of the others. Where there are more, the history
    ///     begins with the oldest of them.
    public func flakeHistory(
        of test: TestID, project name: String, since: Date, runs: Int
    ) throws(StorageError) -> FlakeHistory? {
        try flakeHistory(
            of: test, project: name, since: since, runs: runs, exact: .exact(runs: runs), others: .others)
    }

    /// The same with other budgets for the results of runs.
    func flakeHistory(
        of test: TestID, project name: String, since: Date, runs: Int, exact budget: ResultBudget, others: ResultBudget
    ) throws(StorageError) -> FlakeHistory? {
        try read { connection in
            guard let project = try connection.project(name), let row = try connection.row(of: test, in: project)
            else { return nil }
            var reading = ExecutionReading(connection, test: row)
            let exact = try reading.add(
                runsOf: project, areExact: true, since: since.nanosecondsSince1970 ?? .min, most: runs, budget)
            let since = exact.areAll ? since : Date(nanosecondsSince1970: exact.oldest)
            _ = try reading.add(
                runsOf: project, areExact: false, since: since.nanosecondsSince1970 ?? .min, most: Self.mostOtherRuns,
                others)
            var executions = reading.newestFirst()
            for index in executions.indices.filter({ executions[$0].isTroubled }).prefix(Self.mostMessages) {
                try reading.readMessage(of: index, &executions[index])
            }
            var history = FlakeHistory(
                of: test, executions, on: try connection.testedBranch(of: name), since: since, runs: exact.count)
            history.isOrderDependent = try connection.isOrderDependent(test, in: project)
            return history
        }
    }
}

extension Connection {
    /// Whether the latest full run of a project says so of a test.
    fileprivate func isOrderDependent(_ test: TestID, in project: Int64) throws -> Bool {
        guard let run = try statement(.latestFullRun).first(project, row: { $0.integer(0) }) else { return false }
        let (code, subject) = (Name(ReasonCode.orderDependent.rawValue), Name(test.description))
        return try statement(.findings).all(run, false) { Name($0.text(0)) == code && Name($0.text(1)) == subject }
            .contains(true)
    }
}

/// Reads the executions of one test, run by run.
private struct ExecutionReading {
    /// One of them, and its place in the store.
    private struct Entry {
        let row: Int64
        let order: Int64
        let ending: PackedResult
        let execution: FlakeHistory.Execution
    }

    /// How many runs are read at once, so that no query takes long.
    private static let atOnce = 250

    private let connection: Connection
    private let test: Int64
    private let reading: RunReading
    private var places: [Int64: Int?] = [:]
    private var machines: [Int64: String] = [:]
    private var hosts: [Int64: String?] = [:]
    private var toolchains: [Int64: String] = [:]
    private var entries: [Entry] = []

    init(_ connection: Connection, test: Int64) {
        self.connection = connection
        self.test = test
        reading = RunReading(connection)
    }

    /// Looks at the newest runs of a project: at those that answer for their tree, or at all others.
    ///
    /// - Returns: How many were looked at, when the oldest of them began, and whether there are no more.
    mutating func add(
        runsOf project: Int64, areExact: Bool, since: Int64, most: Int, _ budget: ResultBudget
    ) throws -> (count: Int, oldest: Int64, areAll: Bool) {
        var (count, startedAt, identity) = (0, Int64.max, "")
        var budget = budget
        while count < most {
            let wanted = min(most - count, Self.atOnce)
            var (found, isSpent) = (0, false)
            try connection.statement(.executionsSince).step(
                project, since, areExact, wanted, startedAt, identity
            ) { row in
                guard budget.take(row.int(13)) else {
                    isSpent = true
                    return false
                }
                found += 1
                (startedAt, identity) = (row.integer(6), row.text(1))
                try add(row)
                return true
            }
            count += found
            if isSpent { return (count, startedAt, false) }
            if found < wanted { return (count, startedAt, true) }
        }
        return (count, startedAt, false)
    }

    /// Looks at a run, and keeps what the test did there if it was executed.
    private mutating func add(_ row: StatementRow) throws {
        let (run, list) = (row.integer(0), row.integer(4))
        // Only where the test stands is kept of a list: many runs may have one of their own.
        let place = try places[list] ?? ResultReading(connection).places(of: [test], inTestList: list)[0]
        places[list] = place
        guard let place else { return }
        let endings = try Deflate.unpacked(row.bytes(5))
        guard place < endings.count else { throw ResultReading.mismatch }
        let ending = try PackedResult(endings[place])
        guard ending.outcome.wasExecuted else { return }
        let isFailure = ending.outcome.isFailure
        var isRecovered = false
        if !isFailure {
            let attempts = try reading.attempts(of: test, in: run, ending, duration: nil)
            isRecovered =
                try attempts.contains(where: \.outcome.isFailure) || reading.failedWhenRepeated(test, in: run)
        }
        entries.append(
            Entry(
                row: run, order: row.integer(6), ending: ending,
                execution: FlakeHistory.Execution(
                    run: try row.runID(1), startedAt: Date(nanosecondsSince1970: row.integer(7)),
                    commit: row.optionalText(8), branch: row.optionalText(2), tree: row.optionalText(3),
                    isFailure: isFailure, isRecovered: isRecovered,
                    machine: try machine(row.optionalInteger(9), origin: row.optionalInteger(11)),
                    toolchain: try row.optionalInteger(10).map { try toolchain($0) },
                    isAlone: row.int(12) == 1)))
    }

    /// The host, or else the class of the machine.
    private mutating func machine(_ machine: Int64?, origin: Int64?) throws -> String? {
        if let origin {
            let host = try hosts[origin] ?? connection.decoded(RunHost.self, from: origin).host
            hosts[origin] = host
            if let host { return host }
        }
        guard let machine else { return nil }
        let name = try machines[machine] ?? connection.decoded(MachineClass.self, from: machine).description
        machines[machine] = name
        return name
    }

    private mutating func toolchain(_ content: Int64) throws -> String {
        let name = try toolchains[content] ?? connection.decoded(Toolchain.self, from: content).swiftVersion
        toolchains[content] = name
        return name
    }

    /// The executions, the newest first.
    mutating func newestFirst() -> [FlakeHistory.Execution] {
        entries.sort { ($1.order, $1.execution.run.description) < ($0.order, $0.execution.run.description) }
        return entries.map(\.execution)
    }

    /// Reads what the first attempt that failed said.
    ///
    /// - Parameter index: The place of the execution among those that are the newest first.
    func readMessage(of index: Int, _ execution: inout FlakeHistory.Execution) throws {
        let entry = entries[index]
        var attempts = try reading.attempts(of: test, in: entry.row, entry.ending, duration: nil)
        try reading.addIssues(to: &attempts, run: entry.row, test: test)
        let failed = attempts.first(where: \.outcome.isFailure)
        execution.message = failed?.issues.first(where: \.isFailure)?.message
        execution.isRead = true
    }
}
