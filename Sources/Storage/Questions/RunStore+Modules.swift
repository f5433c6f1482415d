import GRDB
public import RunModel

extension RunStore {
    /// How the tests of a module ended in a run, as far as a list of them shows it.
    ///
    /// What pages of tests show, at a fraction of what a part of a run costs: mostly one statement, and lists that runs share.
    /// Of the durations only those that stand before its last test are unpacked, so that their checksum is not looked at.
    ///
    /// - Parameter module: The test target, byte for byte.
    /// - Returns: `nil` where the run has no test of it, and where there is no such run.
    public func results(ofModule module: String, in run: RunID) throws(StorageError) -> ModuleResults? {
        let module = Array(module.utf8)
        return try withOpening { queue, opening in
            // A single statement sees a single state of the store without a transaction.
            let (first, version) = try queue.unsafeRead { database in
                let connection = Connection(database: database, trace: trace, memory: memory)
                return (try connection.moduleRow(run), connection.version(opening))
            }
            guard let first else { return nil }
            if let lists = modules.lists(first.key(module), in: version) {
                let endings = try first.endings(lists)
                if endings.areShared { return try first.results(run, lists, endings) }
            }
            return try queue.read { database in
                let connection = Connection(database: database, trace: trace, memory: memory)
                // The store may have changed since.
                guard let row = try connection.moduleRow(run) else { return nil }
                let (key, version) = (row.key(module), connection.version(opening))
                let known = modules.lists(key, in: version)
                guard let found = try known ?? connection.lists(of: module, row) else { return nil }
                let lists = known ?? modules.keep(found, key, in: version)
                let endings = try row.endings(lists)
                var results = try row.results(run, lists, endings)
                results.details = try connection.details(row, lists, endings, durations: results.durations)
                // Those of attempts that are listed are not rounded.
                for (place, told) in results.details { results.durations[place] = told.attempts.last?.duration }
                return results
            }
        }
    }
}

/// What a single row tells of a run and its results.
private struct ModuleRow {
    let row, projectRow: Int64
    let package, project: String
    let roster, editions, baselineRoster, baseline: Int64
    let endings, durations: [UInt8]
    let exact: [UInt8]?

    init(_ row: StatementRow) throws {
        guard !row.isNull(4) else { throw ResultReading.missing }
        (self.row, projectRow) = (row.integer(0), row.integer(1))
        (package, project) = (row.text(2), row.text(3))
        (roster, editions, baselineRoster, baseline) = (row.integer(4), row.integer(5), row.integer(6), row.integer(7))
        (endings, durations) = (row.bytes(8), row.bytes(9))
        exact = row.isNull(10) ? nil : row.bytes(10)
    }

    func key(_ module: [UInt8]) -> ModuleCache.Key {
        ModuleCache.Key(
            tests: .init(project: projectRow, roster: roster, editions: editions, module: module),
            baselineRoster: baselineRoster, baseline: baseline)
    }

    func endings(_ lists: ModuleCache.Lists) throws -> ModuleEndings {
        let bytes = try Deflate.unpacked(endings)
        guard bytes.count == lists.count else { throw ResultReading.mismatch }
        return try ModuleEndings(bytes, lists.range)
    }

    /// The results of the module without details of its tests.
    func results(_ run: RunID, _ lists: ModuleCache.Lists, _ endings: ModuleEndings) throws -> ModuleResults {
        let durations = try DurationList.decode(
            durations, at: lists.range, of: lists.count, from: lists.baseline, exact: exact)
        return ModuleResults(
            run: run, package: package, catalog: lists.catalog, outcomes: endings.ofModule.map(\.outcome),
            durations: zip(endings.ofModule, durations).map { ending, duration in
                ending.attempts == .none ? nil : duration.map { .nanoseconds($0) }
            })
    }
}

/// How the tests of a module ended, among those of its run.
private struct ModuleEndings {
    let ofModule: [TestEnding]
    private let before: ArraySlice<UInt8>

    init(_ bytes: [UInt8], _ range: Range<Int>) throws {
        ofModule = try bytes[range].map { try TestEnding($0) }
        before = bytes[..<range.lowerBound]
    }

    /// Whether a list has no more to say of any test.
    var areShared: Bool { ofModule.allSatisfy(\.saysAll) }

    /// How many tests of the run failed before those of the module.
    var failuresBefore: Int { before.count { TestEnding.isFailure($0) } }
}

extension TestEnding {
    /// Whether a list has no more to say of a test that ended so than its outcome and its duration.
    fileprivate var saysAll: Bool {
        switch outcome {
        case .passed, .skipped: attempts != .listed
        // One that began was running when the run was ended, and says so.
        case .notRun: attempts == .none
        case .failed, .crashed, .timedOut, .knownIssue: false
        }
    }
}

extension Connection {
    fileprivate func moduleRow(_ run: RunID) throws -> ModuleRow? {
        try statement(.resultsOfRun).first(run.description, row: ModuleRow.init)
    }

    /// What a list says of tests beside how they ended and how long they took. Attempts that no ending promises are not looked for.
    fileprivate func details(
        _ row: ModuleRow, _ lists: ModuleCache.Lists, _ endings: ModuleEndings, durations: [Duration?]
    ) throws -> [Int: TestDetails] {
        let reading = RunReading(self)
        var details: [Int: TestDetails] = [:]
        var failures = endings.failuresBefore
        for (place, ending) in endings.ofModule.enumerated() where !ending.saysAll {
            let test = lists.tests[place]
            var attempts = try reading.attempts(of: test, in: row.row, ending, duration: durations[place])
            guard ending.attempts != .listed || !attempts.isEmpty else { throw ResultReading.missingAttempt }
            try reading.addIssues(to: &attempts, run: row.row, test: test)
            if ending.outcome.isFailure { failures += 1 }
            details[place] = TestDetails(attempts: attempts, failureNumber: ending.outcome.isFailure ? failures : nil)
        }
        return details
    }

    /// What runs share of the results of a module; `nil` where there is no test of it.
    fileprivate func lists(of module: [UInt8], _ row: ModuleRow) throws -> ModuleCache.Lists? {
        let reading = ResultReading(self)
        let tests = try reading.roster(row.roster)
        let editions = try list(row.editions, Roster.decode(editions:))
        guard editions.count == tests.count else { throw ResultReading.mismatch }
        let ofModule = Set(try statement(.testsOfModule).all(row.row, module) { $0.integer(0) })
        guard let start = tests.firstIndex(where: { ofModule.contains($0) }) else { return nil }
        let range = start..<(tests[start...].firstIndex { !ofModule.contains($0) } ?? tests.endIndex)
        guard !tests[range.upperBound...].contains(where: { ofModule.contains($0) }) else {
            throw ResultReading.mismatch
        }
        let described = try range.map { try description(of: tests[$0], edition: editions[$0]) }
        guard zip(described, described.dropFirst()).allSatisfy({ $0.id < $1.id }) else { throw ResultReading.mismatch }
        let baseline = try reading.baseline(row.baseline, of: row.baselineRoster, for: row.roster)
        return ModuleCache.Lists(
            range: range, count: tests.count, tests: Array(tests[range]),
            catalog: TestCatalog(project: row.project, tests: described),
            baseline: Array(baseline[range]))
    }

    private func description(of test: Int64, edition: Int) throws -> TestDescription {
        let description = try statement(.testDescription).first(test, edition) { row in
            guard row.isNull(6) == (edition == 0) else { throw UnreadableContent("a description is missing") }
            return TestDescription(
                id: row.testID(0), displayName: row.optionalText(4), skipReason: row.optionalText(5))
        }
        guard let description else { throw UnreadableContent("the test \(test) is missing") }
        return description
    }
}
