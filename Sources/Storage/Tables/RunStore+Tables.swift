import GRDB
import Gate
import RunModel

import struct Foundation.Date

extension RunStore {
    /// Writes the whole history, or that of one project, into a new SQLite file of plain tables (`PlainTables`), while the store
    /// stays in use.
    ///
    /// - Parameters:
    ///   - destination: The file, which must not exist. It is there when it is complete, and never in part.
    ///   - project: The only project to write; all when `nil`.
    ///   - progress: Called after each run with how many are written and how many there are.
    /// - Returns: How many runs were written; 0 for an unknown project.
    public func exportTables(
        to destination: String, project: String? = nil, progress: (_ written: Int, _ all: Int) -> Void = { _, _ in }
    ) throws(StorageError) -> Int {
        try DurableFile.writeNew(destination) { (temporary) throws(StorageError) in
            try read { connection in
                let queue = try Self.opened(temporary)
                defer { try? queue.close() }
                return try queue.write { database in
                    try TableWriter(from: connection, into: Connection(database: database), at: destination)
                        .write(project: project, progress: progress)
                }
            }
        }
    }

    /// A file that is discarded unless it gets complete needs no log, and no syncing before its end.
    private static func opened(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.label = "kanmon.tables"
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = OFF")
            try database.execute(sql: "PRAGMA synchronous = OFF")
        }
        return try DatabaseQueue(path: StoreReader.unambiguous(path), configuration: configuration)
    }
}

/// Copies the content of a store into plain tables, one run after the other.
private struct TableWriter {
    private let source: Connection
    private let target: Connection
    private let destination: String
    private let reading: RunReading
    private let results: ResultReading
    /// The tallies of files that runs share, by their content.
    private let tallies = Tallies()

    init(from source: Connection, into target: Connection, at destination: String) {
        self.source = source
        self.target = target
        self.destination = destination
        reading = RunReading(source)
        results = ResultReading(source)
    }

    func write(project: String?, progress: (Int, Int) -> Void) throws -> Int {
        try inTarget {
            try target.database.execute(sql: PlainTables.tables)
            try target.database.execute(sql: "PRAGMA user_version = \(PlainTables.version)")
        }
        for outcome in Outcome.allCases {
            try insert(
                "INSERT INTO outcome VALUES (?1, ?2, ?3)", outcome.storedCode, outcome.rawValue,
                outcome.isFailure)
        }
        let wanted = project.map { Bytes($0) }
        let projects = try source.statement(
            "SELECT id, name, default_branch FROM project WHERE ?1 IS NULL OR name = ?1"
        ).all(wanted) { (id: $0.integer(0), name: $0.text(1), branch: $0.optionalText(2)) }
        for project in projects {
            try insert("INSERT INTO project VALUES (?1, ?2)", project.name, project.branch)
            try tests(of: project.id, named: project.name)
        }
        let runs = try source.statement(
            """
            SELECT run.id, identity, began_at FROM run JOIN project ON project.id = run.project
            WHERE ?1 IS NULL OR name = ?1 ORDER BY started_at, identity
            """
        ).all(wanted) { (row: $0.integer(0), id: try $0.runID(1), startedAt: $0.integer(2)) }
        for (index, run) in runs.enumerated() {
            try write(run.id, row: run.row, startedAt: run.startedAt)
            progress(index + 1, runs.count)
        }
        try inTarget { try target.database.execute(sql: PlainTables.indexesAndViews) }
        return runs.count
    }

    /// Writes the tests of a project, each as it was described last.
    private func tests(of project: Int64, named name: String) throws {
        let find = try source.statement(.displayNames)
        try source.statement("SELECT id, module, suite, name, discriminator FROM test WHERE project = ?1").forEach(
            project
        ) { row in
            let names = try find.first(row.integer(0), Int.max) {
                ($0.optionalText(0), $0.optionalText(1), $0.optionalText(2))
            }
            try insert(
                "INSERT INTO test VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)", row.integer(0), name, row.text(1),
                row.text(2), row.text(3), row.text(4), names?.0, names?.1, names?.2 ?? "[]")
        }
    }

    private func write(_ id: RunID, row: Int64, startedAt: Int64) throws {
        guard let summary = try source.summary(of: id), let details = try reading.row(of: id) else {
            throw UnreadableContent("run \(id) is missing")
        }
        let (facts, verdict) = (try reading.facts(details), try VerdictStorage(source).verdict(row))
        let (head, revision) = (summary.head, summary.head.revision)
        try insert(
            """
            INSERT INTO run VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
                strftime('%Y-%m-%dT%H:%M:%fZ', ?10 / 1000000000.0, 'unixepoch'), ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
                ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30)
            """,
            row, id.description, head.project, head.package, revision?.branch, revision?.commit, revision?.tree,
            revision?.subject, revision?.author, startedAt, head.duration / .seconds(1),
            verdict.decision.rawValue, Int(verdict.exitStatus.rawValue), summary.trust.rawValue,
            summary.trust.speaksForBranch, summary.isPartial, head.engine.rawValue, facts.toolchain?.swiftVersion,
            facts.origin?.host, facts.origin?.build?.link, summary.delivery?.token, summary.outcomes[.passed],
            summary.outcomes[.failed], summary.outcomes[.crashed], summary.outcomes[.timedOut],
            summary.outcomes[.skipped], summary.outcomes[.knownIssue], summary.outcomes[.notRun],
            summary.lines?.covered, summary.lines?.total)
        try writeResults(row)
        for module in verdict.modules {
            try insert(
                "INSERT INTO module VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", row, module.module,
                module.lines.covered, module.lines.total, module.regions.covered, module.regions.total,
                module.functions.covered, module.functions.total,
                module.floors.line.map { Double($0.thousandths) / 1000 }, module.notMeasurable)
        }
        for violation in verdict.violations {
            try insert(
                "INSERT INTO violation VALUES (?1, ?2, ?3, ?4, ?5, ?6)", row,
                violation.change?.rawValue ?? violation.rule, violation.title, violation.reason, violation.observed,
                violation.required)
        }
        for gap in try reading.gaps(row) { try writeFinding(row, true, gap.code, gap.subject, gap.detail) }
        for note in try reading.notes(row) { try writeFinding(row, false, note.code, note.subject, note.detail) }
        try writeFiles(row, counts: verdict.countedPaths)
    }

    private func writeFinding(
        _ run: Int64, _ isGap: Bool, _ code: ReasonCode, _ subject: String, _ detail: String
    ) throws {
        try insert("INSERT INTO finding VALUES (?1, ?2, ?3, ?4, ?5)", run, isGap, code.rawValue, subject, detail)
    }

    private func writeResults(_ run: Int64) throws {
        let stored = try results.results(run)
        let attempts = Dictionary(
            try source.statement("SELECT test, count(*) FROM attempt WHERE run = ?1 GROUP BY test").all(run) {
                ($0.integer(0), $0.int(1))
            }, uniquingKeysWith: { first, _ in first })
        for index in stored.indices {
            let (test, ending) = (stored.tests[index], try PackedResult(stored.endings[index]))
            let count =
                switch ending.attempts {
                case .none: 0
                case .one: 1
                case .listed: attempts[test] ?? 0
                }
            try insert(
                "INSERT INTO result VALUES (?1, ?2, ?3, ?4, ?5)", run, test, ending.outcome.storedCode,
                stored.durations[index].map { Double($0) / 1e9 }, count)
        }
        let issues = try source.statement(
            """
            SELECT test, attempt, message.body, path.body, line, argument.body, is_known, is_warning,
                is_cancellation
            FROM issue
            JOIN content AS message ON message.id = issue.message
            LEFT JOIN content AS path ON path.id = issue.path
            LEFT JOIN content AS argument ON argument.id = issue.argument
            WHERE run = ?1 ORDER BY test, attempt, position
            """)
        try issues.forEach(run) { row in
            try insert(
                "INSERT INTO issue VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", run, row.integer(0),
                row.int(1) + 1, row.text(2), row.optionalText(3), row.optionalInt(4), row.optionalText(5), row.flag(6),
                row.flag(7), row.flag(8))
        }
        try writeAttachments(run)
    }

    private func writeAttachments(_ run: Int64) throws {
        let attached = try source.statement(
            "SELECT name, path, bytes, test FROM attachment WHERE run = ?1 ORDER BY test, position")
        try attached.forEach(run) { row in
            let file = row.attachment(0)
            try insert(
                "INSERT INTO attachment VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", run, row.integer(3), file.name, file.path,
                file.sha256, file.bytes, file.mediaType)
        }
    }

    private func writeFiles(_ run: Int64, counts: (String) -> Bool) throws {
        guard let list = try source.statement(.coverage).first(run, row: { $0.optionalInteger(0) }) ?? nil else {
            return
        }
        let find = try source.statement(.sourceFile)
        for entry in try reading.coverageList(list) {
            guard let file = try find.first(entry.file, row: { (path: $0.text(0), module: $0.text(1)) }) else {
                throw UnreadableContent("the source file \(entry.file) is missing")
            }
            let tally = try tallies.of(entry.content) { try reading.file(entry.file, content: entry.content) }
            try insert(
                "INSERT INTO file VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", run, file.path, file.module,
                tally.lines.covered, tally.lines.total, tally.regions.covered, tally.regions.total,
                tally.functions.covered, tally.functions.total, !counts(file.path))
        }
    }

    private func insert<each Value: BoundValue>(_ sql: String, _ value: repeat each Value) throws {
        try inTarget { try target.statement(sql).execute(repeat each value) }
    }

    /// Writes; an error is one of the new file, not of the store.
    private func inTarget(_ write: () throws -> Void) throws(StorageError) {
        do { try write() } catch { throw StorageError(error, path: destination) }
    }

    /// The figures of files, so that each content is unpacked once.
    private final class Tallies {
        typealias Tally = (lines: CoverageTally, regions: CoverageTally, functions: CoverageTally)
        private var known: [Int64: Tally] = [:]

        func of(_ content: Int64, read: () throws -> FileCoverage) rethrows -> Tally {
            if let tally = known[content] { return tally }
            let file = try read()
            let tally = (file.lineTally, file.regions, file.functions)
            known[content] = tally
            return tally
        }
    }
}
