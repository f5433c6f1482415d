import Gate
import RunModel

import struct Foundation.Date

/// Takes one run into the database, inside of a transaction that is already open.
struct RunIngestion {
    private let connection: Connection
    private let run: TestRun
    private let packed: PackedVerdict
    private let runDirectory: String?
    private let now: Date?
    private var interning: Interning
    private let project: Int64

    private var verdict: Verdict { packed.verdict }

    init(_ connection: Connection, run: TestRun, verdict: PackedVerdict, runDirectory: String?, now: Date?) throws {
        self.now = now
        self.connection = connection
        self.run = run
        packed = verdict
        self.runDirectory = runDirectory
        let name = Bytes(run.project)
        var project = try connection.statement(.projectByName).first(name) { $0.integer(0) }
        if project == nil {
            try connection.statement("INSERT INTO project (name) VALUES (?1)").execute(name)
            project = connection.lastInsertedRow
        }
        self.project = project ?? connection.lastInsertedRow
        interning = try Interning(connection, project: self.project)
        if let token = run.delivery?.token {
            try connection.statement("INSERT OR IGNORE INTO project_sender (token, project) VALUES (?1, ?2)")
                .execute(token, self.project)
        }
    }

    /// Inserts everything.
    mutating func store() throws {
        let order = try order()
        let keepsCounts = try takesLineCounts(order)
        let row = try insertRun(order)
        if run.trust.speaksForBranch, let history = run.revision?.history {
            try BranchPlaces(connection, project: project).note(history)
        }
        let subject = VerdictStorage.Subject(
            project: project, revision: run.revision, speaksForBranch: run.trust.speaksForBranch,
            isPartial: run.isPartial, hasCoverage: run.coverage != nil, judgedAt: order)
        try VerdictStorage(connection).store(packed, run: row, of: subject, interning)
        try StagedRuns(connection, project: project).note(run)
        try insertShards(row)
        try insertSteps(row)
        try insertFindings(row)
        try insertDiagnostics(row)
        try insertResults(row)
        if let trial = run.trial { try insert(trial, row) }
        if let probation = verdict.probation { try insertFailures(of: probation, row) }
        if let coverage = run.coverage, keepsCounts { try insertCounts(of: coverage, row) }
        // Neither a token that may only submit runs nor a working copy sets the branch that all other runs are compared with.
        if let branch = verdict.defaultBranch, run.trust.speaksForBranch {
            try connection.keep(
                defaultBranch: branch, of: project, asOf: (order, run.id.description))
        }
    }

    private func invalid(_ message: String) -> StorageError { .invalidRun(id: run.id, message: message) }

    private func nanoseconds(_ duration: Duration) throws -> Int64 {
        guard let nanoseconds = duration.nanoseconds else { throw invalid("a duration is longer than 292 years") }
        return nanoseconds
    }

    private func startedAt() throws -> Int64 {
        guard let started = run.startedAt.nanosecondsSince1970 else {
            throw invalid("it began outside of 1747 to 2254")
        }
        return started
    }

    /// How far a clock may be off before it counts as wrong: five minutes, in nanoseconds.
    private static let skew: Int64 = 300_000_000_000
    /// How long after its end a run counts as just made: an hour, in nanoseconds.
    private static let justMade: Int64 = 3_600_000_000_000

    /// The place of the run among the others: the time when it began, unless a clock was wrong.
    ///
    /// The time of a run that was stored before it began is worthless, so it comes before all others. A run that has just ended
    /// comes after those that were stored before it, even if these began later by a clock that was ahead then or is behind now:
    /// otherwise they would decide for months what the state of a branch is.
    private func order() throws -> Int64 {
        let start = try startedAt()
        guard let now = now?.nanosecondsSince1970 else { return start }
        if start > now + Self.skew { return 0 }
        guard start + (try nanoseconds(run.duration)) > now - Self.justMade else { return start }
        let latest =
            try connection.statement("SELECT max(started_at) FROM run WHERE project = ?1")
            .first(project) { $0.optionalInteger(0) } ?? nil
        guard let latest, latest > now + Self.skew else { return start }
        return latest + 1
    }

    /// Whether this is the newest full run with coverage: only that one keeps the counts of its lines.
    private func takesLineCounts(_ order: Int64) throws -> Bool {
        // A partial run, or one that is trusted less, must not take the place of a trusted full run.
        guard run.coverage != nil, !run.isPartial, run.isAttested else { return false }
        let newest = try connection.statement(
            """
            SELECT id, started_at, identity FROM line_counts JOIN run ON run.id = line_counts.run
            WHERE project = ?1 AND identity <> ?2
            ORDER BY started_at DESC, identity DESC LIMIT 1
            """
        ).first(project, run.id.description) { (id: $0.integer(0), key: ($0.integer(1), $0.text(2))) }
        guard let newest else { return true }
        guard newest.key < (order, run.id.description) else { return false }
        try connection.statement("DELETE FROM line_counts WHERE run = ?1").execute(newest.id)
        return true
    }

    private func insertRun(_ order: Int64) throws -> Int64 {
        let revision = run.revision
        let lines = run.coverage == nil ? nil : verdict.judgedLines
        let selection: Selection? = run.selection == Selection() ? nil : run.selection
        let isOfBranch = run.trust.speaksForBranch && revision.isOfBranch(verdict.decision)
        let coverage = try run.coverage.map { try interning.content(CoverageList.encode(entries(of: $0))) }
        // A value that is nil is an entry, too, and is stored as NULL.
        var values: [String: any BoundValue] = [
            "identity": run.id.description,
            "tail": String(run.id.short.reversed()),
            "project": project,
            "package": run.package,
            "commit_id": revision?.commit,
            "tree_id": revision?.tree,
            "folder": revision?.folder.map { Bytes($0) },
            "branch": revision?.branch.map { Bytes($0) },
            "subject": revision?.subject,
            "author": revision?.author,
            "attempt": revision?.attempt?.rawValue,
            "is_dirty": revision?.isDirty,
            "is_exact": run.trust.speaksForBranch,
            "is_of_branch": isOfBranch,
            "started_at": order,
            "began_at": try startedAt(),
            "duration": try nanoseconds(run.duration),
            "engine": run.engine.rawValue,
            "toolchain": try content(run.toolchain),
            "selection": try content(selection),
            "is_partial": run.isPartial,
            "machine": try content(run.machine),
            "origin": try content(run.origin),
            "inputs": try content(run.inputs),
            "source_digest": run.sourceDigest,
            "facts": try content(FactsWithoutColumns(run)),
            "unattributed": try content(run.coverage?.unattributed),
            "coverage": coverage,
            "test_map": try run.testMap.map(testMap),
            "run_directory": runDirectory,
            "delivery": try run.delivery.map { try StoredJSON.encode($0) },
            "decision": verdict.decision.rawValue,
            "exit_status": Int(verdict.exitStatus.rawValue),
            "lines_covered": lines?.covered,
            "lines_total": lines?.total,
        ]
        let outcomes = run.outcomes
        for (outcome, column) in SummaryColumn.outcomes { values[column.name] = outcomes[outcome] }
        values["recovered"] = run.tests.count { $0.isFlaky }
        try connection.statement(
            """
            INSERT INTO run (
                identity, tail, project, package, commit_id, tree_id, folder, branch, subject, author, attempt, is_dirty,
                is_exact, is_of_branch, started_at, began_at, duration, engine, toolchain, selection, is_partial,
                machine, origin, inputs, source_digest, facts, unattributed, coverage, test_map, run_directory, delivery,
                decision, exit_status, passed, failed, crashed, timed_out, skipped, known_issue, not_run, recovered,
                lines_covered, lines_total
            ) VALUES (
                :identity, :tail, :project, :package, :commit_id, :tree_id, :folder, :branch, :subject, :author,
                :attempt, :is_dirty, :is_exact, :is_of_branch, :started_at, :began_at, :duration, :engine, :toolchain,
                :selection, :is_partial, :machine, :origin, :inputs, :source_digest, :facts, :unattributed, :coverage,
                :test_map, :run_directory, :delivery, :decision, :exit_status, :passed, :failed, :crashed, :timed_out,
                :skipped, :known_issue, :not_run, :recovered, :lines_covered, :lines_total
            )
            """
        ).execute(named: values)
        return connection.lastInsertedRow
    }

    /// The row of a value that is stored once, as JSON; `nil` for no value.
    private func content(_ value: (some Encodable)?) throws -> Int64? {
        try value.map { try interning.content(StoredJSON.encode($0)) }
    }

    /// The row of per-test coverage.
    private func testMap(_ map: TestMap) throws -> Int64 {
        let rows = try interning.tests(map.tests)
        let entries = try map.files.map { file in
            TestMapList.Entry(
                path: try interning.content(file.path),
                functions: try interning.content(PackedFileMap.encode(file, sets: map.sets, rows: rows)))
        }
        let durations = map.tests.map { test in map.durations[test].map { UInt64(max(0, $0 / TestMapList.step)) } }
        return try interning.content(TestMapList(tests: rows, durations: durations, entries: entries).encoded())
    }

    private func insert(_ trial: SelectionTrial, _ row: Int64) throws {
        try connection.statement(
            """
            INSERT INTO selection_trial (run, base, tests, deselected, time, deselected_time, failures, missed)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """
        ).execute(
            row, trial.base.description, trial.tests, trial.deselected, try nanoseconds(trial.time),
            try nanoseconds(trial.deselectedTime), trial.failures, trial.missed)
    }

    /// The tests that passed in the run and failed when they were repeated: they are flaky; the verdict has the rest.
    private func insertFailures(of probation: Probation, _ row: Int64) throws {
        let failures = Dictionary(probation.failures.map { ($0.test, $0.all) }) { first, _ in first }
        guard !failures.isEmpty else { return }
        let insert = try connection.statement(
            "INSERT INTO probation_failure (run, test, failures, repetitions) VALUES (?1, ?2, ?3, ?4)")
        for result in run.tests where result.outcome.wasExecuted && !result.outcome.isFailure {
            guard let tally = failures[result.id], let test = try interning.tests([result.id]).first else { continue }
            try insert.execute(row, test, tally.failures, tally.executions)
        }
    }

    private func insertShards(_ row: Int64) throws {
        let insert = try connection.statement("INSERT INTO run_shard (run, position, shard) VALUES (?1, ?2, ?3)")
        for (position, shard) in run.shards.enumerated() { try insert.execute(row, position, shard.description) }
    }

    private func insertSteps(_ row: Int64) throws {
        let insert = try connection.statement(
            """
            INSERT INTO step (run, position, kind, arguments, duration, exited, signaled, is_timed_out)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """
        )
        for (position, step) in run.steps.enumerated() {
            // Hundreds of object files are named in every run; each word is stored once.
            var arguments: [UInt8] = []
            for argument in step.arguments { Varint.append(UInt64(try interning.content(argument)), to: &arguments) }
            let (exited, signaled): (Int?, Int?) =
                switch step.termination {
                case .exited(let status): (Int(status), nil)
                case .signaled(let signal): (nil, Int(signal))
                }
            try insert.execute(
                row, position, step.kind.rawValue, Bytes(arguments), try nanoseconds(step.duration), exited, signaled,
                step.wasTimedOut
            )
        }
    }

    private func insertFindings(_ row: Int64) throws {
        let insert = try connection.statement(
            "INSERT INTO finding (run, is_gap, position, code, subject, detail) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        )
        for (position, gap) in run.gaps.enumerated() {
            try insert.execute(row, true, position, gap.code.rawValue, gap.subject, gap.detail)
        }
        for (position, note) in run.notes.enumerated() {
            try insert.execute(row, false, position, note.code.rawValue, note.subject, note.detail)
        }
    }

    private mutating func insertDiagnostics(_ row: Int64) throws {
        let insert = try connection.statement(
            """
            INSERT INTO diagnostic (run, position, severity, message, path, line, utf8_column)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        )
        for (position, diagnostic) in run.diagnostics.enumerated() {
            try insert.execute(
                row, position, diagnostic.severity.rawValue, try interning.content(diagnostic.message),
                try interning.path(diagnostic.location?.path), diagnostic.location?.line, diagnostic.location?.column
            )
        }
    }

    private mutating func insertResults(_ row: Int64) throws {
        let results = run.tests.orderedByIdentity()
        // A result is large, and reading it copies it, so each is read only twice.
        var ids: [TestID] = []
        var endings: [UInt8] = []
        var durations: [Int64?] = []
        for result in results {
            if ids.last == result.id { throw invalid("two results for one test, \(result.id)") }
            ids.append(result.id)
            endings.append(result.ending.byte)
            durations.append(try result.duration.map { try nanoseconds($0) })
        }
        let testList = try TestListStorage(connection, interning, project: project).testList(of: ids)
        let insert = try connection.statement("INSERT INTO notable (run, test, outcome) VALUES (?1, ?2, ?3)")
        var editions: [Int] = []
        for (test, result) in zip(testList.tests, results) {
            editions.append(try interning.edition(of: result, test: test))
            if result.isNotable {
                try insert.execute(row, test, result.outcome.storedCode)
                try insertAttempts(of: result, row, test)
            }
            if !result.attachments.isEmpty { try insertAttachments(of: result, row, test) }
        }
        try connection.statement(
            "INSERT INTO run_results (run, test_list, editions, endings, durations) VALUES (?1, ?2, ?3, ?4, ?5)"
        ).execute(
            row, testList.id, try interning.content(TestList.encode(editions: editions)),
            Bytes(try Deflate.packed(endings)), Bytes(try DurationList.encode(durations)))
    }

    private func insertAttachments(of result: TestResult, _ row: Int64, _ test: Int64) throws {
        let insert = try connection.statement(
            "INSERT INTO attachment (run, test, position, name, path, bytes) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        )
        for (position, attachment) in result.attachments.enumerated() {
            try insert.execute(row, test, position, attachment.name, attachment.path, attachment.bytes)
        }
    }

    private mutating func insertAttempts(of result: TestResult, _ row: Int64, _ test: Int64) throws {
        let insertAttempt = try connection.statement(
            "INSERT INTO attempt (run, test, number, outcome, duration) VALUES (?1, ?2, ?3, ?4, ?5)"
        )
        let insertIssue = try connection.statement(
            """
            INSERT INTO issue
                (run, test, attempt, position, message, path, line, utf8_column, is_known, is_warning, argument,
                is_cancellation)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """
        )
        for (number, attempt) in result.attempts.enumerated() {
            if !result.hasOneAttemptLikeItself {
                try insertAttempt.execute(
                    row, test, number, attempt.outcome.storedCode, try attempt.duration.map(nanoseconds)
                )
            }
            for (position, issue) in attempt.issues.enumerated() {
                try insertIssue.execute(
                    row, test, number, position, try interning.content(issue.message),
                    try interning.path(issue.location?.path), issue.location?.line, issue.location?.column,
                    issue.isKnown, issue.isWarning, try issue.argument.map { try interning.content($0) },
                    issue.isCancellation
                )
            }
        }
    }

    private func entries(of coverage: Coverage) throws -> [CoverageList.Entry] {
        try coverage.files.map { file in
            guard let packed = PackedCoverage.encode(file) else {
                throw invalid("the lines of \(file.path) are not in ascending order")
            }
            return CoverageList.Entry(
                file: try interning.file(path: file.path, module: file.module),
                content: try interning.content(packed))
        }
    }

    private func insertCounts(of coverage: Coverage, _ row: Int64) throws {
        var counts: [UInt8] = []
        for file in coverage.files {
            let encoded = LineCounts.encode(file.lines)
            Varint.append(UInt64(encoded.count), to: &counts)
            counts += encoded
        }
        try connection.statement("INSERT INTO line_counts (run, body) VALUES (?1, ?2)")
            .execute(row, Bytes(try Deflate.packed(counts)))
    }
}

extension Verdict {
    /// Distinct lines of all measured modules, as they were judged.
    var judgedLines: CoverageTally {
        modules.filter { $0.notMeasurable == nil }.reduce(CoverageTally()) { $0 + $1.lines }
    }
}
