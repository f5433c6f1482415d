import Gate
import RunModel

/// Rebuilds runs from their rows.
struct RunReading {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// A whole run.
    func run(_ id: RunID) throws -> StoredRun? {
        guard let summary = try connection.statement(.summary).first(id.description, row: RunSummary.init) else {
            return nil
        }
        let details = try connection.statement(.runDetails).first(id.description) { row in
            (
                row: row.integer(0), toolchain: row.optionalInteger(1), modules: row.integer(2),
                unattributed: row.optionalInteger(3), verdict: row.text(4), hasCounts: row.flag(5),
                selection: row.optionalInteger(6), machine: row.optionalInteger(7), inputs: row.optionalInteger(8)
            )
        }
        guard let details else { throw UnreadableContent("run \(id) has no verdict") }
        let modules = try StoredJSON.decode(StoredModules.self, from: content(details.modules))
        let run = TestRun(
            id: id, project: summary.project, package: summary.package, revision: summary.revision,
            startedAt: summary.startedAt, duration: summary.duration, engine: summary.engine,
            toolchain: try details.toolchain.map { try StoredJSON.decode(Toolchain.self, from: content($0)) },
            selection: try details.selection.map { try StoredJSON.decode(Selection.self, from: content($0)) }
                ?? Selection(),
            machine: try details.machine.map { try StoredJSON.decode(MachineClass.self, from: content($0)) },
            inputs: try details.inputs.map { try StoredJSON.decode(RunInputs.self, from: content($0)) },
            steps: try steps(details.row), modules: modules.modules, notMeasurable: modules.reasons,
            diagnostics: try diagnostics(details.row), tests: try results(.results, run: details.row),
            coverage: try details.unattributed.map { unattributed in
                Coverage(
                    files: try connection.statement(.files).all(details.row, row: file),
                    unattributed: try StoredJSON.decode([String].self, from: content(unattributed))
                )
            },
            gaps: try findings(details.row, areGaps: true) { Gap($0, subject: $1, detail: $2) },
            notes: try findings(details.row, areGaps: false) { Note($0, subject: $1, detail: $2) },
            shards: try connection.statement(.shards).all(details.row) { try $0.runID(0) }
        )
        return StoredRun(
            run: run, verdict: try StoredJSON.decode(Verdict.self, from: details.verdict),
            runDirectory: summary.runDirectory, hasExecutionCounts: details.hasCounts
        )
    }

    /// A text that is stored once.
    func content(_ id: Int64) throws -> String {
        guard let text = try connection.statement(.content).first(id, row: { $0.text(0) }) else {
            throw UnreadableContent("text \(id) is missing")
        }
        return text
    }

    /// The results that `query` selects, with their attempts.
    func results(_ query: PageQuery, run: Int64) throws -> [TestResult] {
        let attempted = Set(try connection.statement(.testsWithAttempts).all(run) { $0.integer(0) })
        let troubled = Set(try connection.statement(.testsWithIssues).all(run) { $0.integer(0) })
        return try connection.statement(query).all(run) { row in
            let test = row.integer(0)
            let outcome = try Outcome(storedCode: row.integer(12))
            var attempts: [TestAttempt] = []
            if attempted.contains(test) {
                attempts = try connection.statement(.attempts).all(run, test) { row in
                    TestAttempt(outcome: try Outcome(storedCode: row.integer(0)), duration: row.optionalDuration(1))
                }
            } else if row.int(13) == 1 {
                attempts = [TestAttempt(outcome: outcome, duration: row.optionalDuration(14))]
            }
            guard attempts.count == row.int(13) else { throw UnreadableContent("an attempt of a test is missing") }
            if troubled.contains(test) { try addIssues(to: &attempts, run: run, test: test) }
            return TestResult(
                id: row.testID(1), library: try TestingLibrary(storedCode: row.integer(5)), outcome: outcome,
                displayName: row.optionalText(6), location: row.location(7),
                arguments: try row.optionalText(10).map { try StoredJSON.decode([String].self, from: $0) } ?? [],
                attempts: attempts, skipReason: row.optionalText(11)
            )
        }
    }

    private func addIssues(to attempts: inout [TestAttempt], run: Int64, test: Int64) throws {
        let issues = try connection.statement(.issues).all(run, test) { row in
            let issue = Issue(
                message: row.text(1), location: row.location(2), isKnown: row.flag(5), isWarning: row.flag(6),
                argument: row.optionalText(7)
            )
            return (attempt: row.int(0), issue: issue)
        }
        for entry in issues {
            guard attempts.indices.contains(entry.attempt) else { throw UnreadableContent("an issue has no attempt") }
            attempts[entry.attempt].issues.append(entry.issue)
        }
    }

    /// The coverage of a file from a row of `files`.
    func file(_ row: StatementRow) throws -> FileCoverage {
        var lines = try LineStates.decode(row.bytes(3))
        if !row.isNull(10) { lines = try LineCounts.apply(row.bytes(10), to: lines) }
        let file = FileCoverage(
            path: row.text(0), module: row.text(1), sourceHash: row.optionalText(2), lines: lines,
            regions: CoverageTally(covered: row.int(6), total: row.int(7)),
            functions: CoverageTally(covered: row.int(8), total: row.int(9))
        )
        guard file.lineTally == CoverageTally(covered: row.int(4), total: row.int(5)) else {
            throw UnreadableContent("the lines of \(file.path) do not add up")
        }
        return file
    }

    private func steps(_ run: Int64) throws -> [RunStep] {
        try connection.statement(.steps).all(run) { row in
            let number = Int32(truncatingIfNeeded: row.integer(row.isNull(3) ? 4 : 3))
            return RunStep(
                kind: try row.value(0, as: RunStep.Kind.self),
                arguments: try Varint.list(row.bytes(1)).map { try content(Int64(bitPattern: $0)) },
                duration: .nanoseconds(row.integer(2)),
                termination: row.isNull(3) ? .signaled(number) : .exited(number),
                wasTimedOut: row.flag(5)
            )
        }
    }

    private func diagnostics(_ run: Int64) throws -> [BuildDiagnostic] {
        try connection.statement(.diagnostics).all(run) { row in
            BuildDiagnostic(
                severity: try row.value(0, as: BuildDiagnostic.Severity.self), message: row.text(1),
                location: row.location(2)
            )
        }
    }

    private func findings<Finding>(
        _ run: Int64, areGaps: Bool, make: (ReasonCode, String, String) -> Finding
    ) throws -> [Finding] {
        try connection.statement(.findings).all(run, areGaps) { row in
            make(try row.value(0, as: ReasonCode.self), row.text(1), row.text(2))
        }
    }
}
