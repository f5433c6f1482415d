import Gate
import RunModel

/// Reads what is stored of runs: all of it, or one kind of it.
struct RunReading {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// The row of a run, and what it refers to.
    struct Row {
        let id: Int64
        let sourceDigest: String?
        /// Whether lines have their execution counts.
        let hasCounts: Bool
        fileprivate let facts: Int64
        fileprivate let toolchain: Int64?
        fileprivate let selection: Int64?
        fileprivate let machine: Int64?
        fileprivate let inputs: Int64?
        fileprivate let origin: Int64?
        /// `nil` for a run without coverage.
        fileprivate let unattributed: Int64?

        fileprivate init(_ row: StatementRow) {
            id = row.integer(0)
            toolchain = row.optionalInteger(1)
            facts = row.integer(2)
            unattributed = row.optionalInteger(3)
            hasCounts = row.flag(4)
            selection = row.optionalInteger(5)
            machine = row.optionalInteger(6)
            inputs = row.optionalInteger(7)
            sourceDigest = row.optionalText(8)
            origin = row.optionalInteger(9)
        }
    }

    /// The row of a run; `nil` if there is none with this id.
    func row(of id: RunID) throws -> Row? {
        try connection.statement(.runDetails).first(id.description) { Row($0) }
    }

    /// A run with its verdict; `nil` if there is none with this id.
    func run(_ id: RunID) throws -> JudgedRun? {
        guard let summary = try connection.summary(of: id) else { return nil }
        guard let row = try row(of: id) else { throw UnreadableContent("run \(id) is missing") }
        let stored = try connection.decoded(FactsWithoutColumns.self, from: row.facts)
        let run = TestRun(
            summary.head, try facts(row, stored), sourceDigest: row.sourceDigest, notMeasurable: stored.reasons,
            diagnostics: try diagnostics(row.id), tests: try results(row.id), coverage: try coverage(row),
            gaps: try gaps(row.id), notes: try notes(row.id),
            shards: try connection.statement(.shards).all(row.id) { try $0.runID(0) }, delivery: summary.delivery
        )
        return JudgedRun(
            run: run, verdict: try VerdictStorage(connection).verdict(row.id), runDirectory: summary.runDirectory)
    }

    /// How a run was made.
    func facts(_ row: Row) throws -> RunFacts {
        try facts(row, connection.decoded(FactsWithoutColumns.self, from: row.facts))
    }

    private func facts(_ row: Row, _ stored: FactsWithoutColumns) throws -> RunFacts {
        stored.completed(
            toolchain: try row.toolchain.map { try connection.decoded(Toolchain.self, from: $0) },
            selection: try row.selection.map { try connection.decoded(Selection.self, from: $0) },
            machine: try row.machine.map { try connection.decoded(MachineClass.self, from: $0) },
            origin: try row.origin.map { try connection.decoded(RunHost.self, from: $0) },
            inputs: try row.inputs.map { try connection.decoded(RunInputs.self, from: $0) },
            steps: try steps(row.id))
    }

    /// What a run covered; `nil` when none could be recorded.
    func coverage(_ row: Row) throws -> Coverage? {
        try row.unattributed.map { unattributed in
            Coverage(
                files: try files(row.id),
                unattributed: try connection.decoded([UnattributedFile].self, from: unattributed),
                hasExecutionCounts: row.hasCounts
            )
        }
    }

    /// What the evidence of a run does not establish.
    func gaps(_ run: Int64) throws -> [Gap] {
        try findings(run, areGaps: true) { Gap($0, subject: $1, detail: $2) }
    }

    /// Remarks on a run that do not block.
    func notes(_ run: Int64) throws -> [Note] {
        try findings(run, areGaps: false) { Note($0, subject: $1, detail: $2) }
    }

    /// The results with more than an outcome and a duration: failures, several attempts, issues.
    func notableResults(_ run: Int64) throws -> [TestResult] {
        try results(run, only: Set(connection.statement(.notable).all(run) { $0.integer(0) }))
    }

    /// The results of a run, or only those of some of its tests, with their attempts.
    ///
    /// - Parameter most: How many at most, the first by identity; all when `nil`.
    func results(
        _ run: Int64, only wanted: Set<Int64>? = nil, ended: Outcome? = nil, most: Int? = nil
    ) throws -> [TestResult] {
        if let wanted, wanted.isEmpty { return [] }
        let code = ended.map { UInt8($0.storedCode) }
        let stored = try ResultReading(connection).results(run)
        let attempted = Set(try connection.statement(.testsWithAttempts).all(run) { $0.integer(0) })
        let troubled = Set(try connection.statement(.testsWithIssues).all(run) { $0.integer(0) })
        let attached = Set(try connection.statement(.testsWithAttachments).all(run) { $0.integer(0) })
        let find = try connection.statement(.test)
        var results: [TestResult] = []
        // A list that grows takes up to three times its memory for a moment.
        if wanted == nil, code == nil { results.reserveCapacity(min(stored.tests.count, most ?? .max)) }
        for index in stored.indices
        where wanted?.contains(stored.tests[index]) ?? code.map({ stored.endings[index] & 7 == $0 }) ?? true {
            if let most, results.count >= most { break }
            let (test, edition) = (stored.tests[index], stored.editions[index])
            let ending = try PackedResult(stored.endings[index])
            let duration = stored.durations[index].map { Duration.nanoseconds($0) }
            var attempts = try attempts(of: test, in: run, ending, duration: duration)
            guard attempted.contains(test) == (ending.attempts == .listed) else {
                throw ResultReading.missingAttempt
            }
            if troubled.contains(test) { try addIssues(to: &attempts, run: run, test: test) }
            let attachments = try attached.contains(test) ? attachments(of: test, in: run) : []
            let result = try find.first(test, edition) { row in
                guard row.isNull(10) == (edition == 0) else { throw UnreadableContent("a description is missing") }
                return TestResult(
                    id: row.testID(0), library: ending.library, outcome: ending.outcome,
                    displayName: row.optionalText(4), suiteDisplayName: row.optionalText(11),
                    tags: try row.texts(12),
                    location: row.location(5),
                    arguments: try row.texts(8),
                    attempts: attempts, skipReason: row.optionalText(9), attachments: attachments
                )
            }
            guard let result else { throw UnreadableContent("the test \(test) is missing") }
            results.append(result)
        }
        return results
    }

    /// The attempts of a test without their issues; none if they should be listed and are not.
    func attempts(
        of test: Int64, in run: Int64, _ ending: PackedResult, duration: Duration?
    ) throws -> [TestAttempt] {
        switch ending.attempts {
        case .none: []
        case .one: [TestAttempt(outcome: ending.outcome, duration: duration)]
        case .listed:
            try connection.statement(.attempts).all(run, test) { row in
                TestAttempt(outcome: try Outcome(storedCode: row.integer(0)), duration: row.optionalDuration(1))
            }
        }
    }

    /// Whether a test that passed in a run failed when it was repeated there: then it is as flaky as one that passed after an attempt that
    /// failed.
    func failedWhenRepeated(_ test: Int64, in run: Int64) throws -> Bool {
        try connection.statement(.probationFailureOfTest).first(run, test) { _ in true } ?? false
    }

    /// The files that a test attached in a run.
    func attachments(of test: Int64, in run: Int64) throws -> [TestAttachment] {
        try connection.statement(.attachments).all(run, test) { $0.attachment(0) }
    }

    /// Adds the issues that the attempts of a test recorded.
    func addIssues(to attempts: inout [TestAttempt], run: Int64, test: Int64) throws {
        let issues = try connection.statement(.issues).all(run, test) { row in
            let issue = Issue(
                message: row.text(1), location: row.location(2), isKnown: row.flag(5), isWarning: row.flag(6),
                isCancellation: row.flag(8), argument: row.optionalText(7)
            )
            return (attempt: row.int(0), issue: issue)
        }
        for entry in issues {
            guard attempts.indices.contains(entry.attempt) else { throw UnreadableContent("an issue has no attempt") }
            attempts[entry.attempt].issues.append(entry.issue)
        }
    }

    /// The coverage of the files of a run, or only of some, with counts where they are kept.
    func files(_ run: Int64, only wanted: Set<Int64>? = nil) throws -> [FileCoverage] {
        let packed = try connection.statement(.lineCounts).first(run) { $0.bytes(0) }
        var counts = try packed.map { try Deflate.unpacked($0) }?[...]
        var files: [FileCoverage] = []
        for entry in try coverage(run) {
            let encoded = try counts.map { _ in try Self.takeCounts(from: &counts) }
            guard wanted?.contains(entry.file) ?? true else { continue }
            var file = try file(entry.file, content: entry.content)
            if let encoded { file.lines = try LineCounts.apply(encoded, to: file.lines) }
            files.append(file)
        }
        guard counts?.isEmpty ?? true else { throw UnreadableContent("a run has counts of more files than it has") }
        return files
    }

    /// The paths of the files that a run has coverage of, in their order, as many as are wanted.
    func paths(_ run: Int64, most: Int) throws -> [String] {
        let find = try connection.statement(.sourceFile)
        return try coverage(run).prefix(most).map { entry in
            guard let path = try find.first(entry.file, row: { $0.text(0) }) else {
                throw UnreadableContent("the source file \(entry.file) is missing")
            }
            return path
        }
    }

    private func coverage(_ run: Int64) throws -> [CoverageList.Entry] {
        guard let id = try connection.statement(.coverage).first(run, row: { $0.optionalInteger(0) }) ?? nil else {
            throw UnreadableContent("the coverage of a run is missing")
        }
        return try coverageList(id)
    }

    /// The files of a list that runs share.
    func coverageList(_ id: Int64) throws -> [CoverageList.Entry] { try CoverageList.decode(connection.bytes(id)) }

    /// The coverage of one file without counts.
    func file(_ id: Int64, content: Int64) throws -> FileCoverage {
        let packed = try connection.bytes(content)
        let file = try connection.statement(.sourceFile).first(id) {
            try PackedCoverage.decode(packed, path: $0.text(0), module: $0.text(1))
        }
        guard let file else { throw UnreadableContent("the source file \(id) is missing") }
        return file
    }

    private static func takeCounts(from counts: inout ArraySlice<UInt8>?) throws -> [UInt8] {
        guard var rest = counts else { return [] }
        defer { counts = rest }
        return Array(try Varint.takeList(from: &rest))
    }

    private func steps(_ run: Int64) throws -> [RunStep] {
        try connection.statement(.steps).all(run) { row in
            let number = Int32(truncatingIfNeeded: row.integer(row.isNull(3) ? 4 : 3))
            return RunStep(
                kind: try row.value(0, as: RunStep.Kind.self),
                arguments: try Varint.list(row.bytes(1)).map { try connection.text(Int64(bitPattern: $0)) },
                duration: .nanoseconds(row.integer(2)),
                termination: row.isNull(3) ? .signaled(number) : .exited(number),
                wasTimedOut: row.flag(5)
            )
        }
    }

    /// Messages of the compiler.
    func diagnostics(_ run: Int64) throws -> [BuildDiagnostic] {
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

extension Connection {
    /// The bytes that are stored once under this number.
    func bytes(_ content: Int64) throws -> [UInt8] {
        guard let body = try statement(.content).first(content, row: { $0.bytes(0) }) else {
            throw UnreadableContent("text \(content) is missing")
        }
        return body
    }

    /// The text that is stored once under this number.
    func text(_ content: Int64) throws -> String { String(decoding: try bytes(content), as: UTF8.self) }

    /// The value that is stored once, as JSON, under this number.
    func decoded<Value: Decodable>(_ type: Value.Type, from content: Int64) throws -> Value {
        try StoredJSON.decode(type, from: text(content))
    }
}
