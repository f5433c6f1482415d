/// Writes the lists of a run's results.
struct ResultStorage {
    private let connection: Connection
    private let interning: Interning
    private let project: Int64

    init(_ connection: Connection, _ interning: Interning, project: Int64) {
        self.connection = connection
        self.interning = interning
        self.project = project
    }

    /// One run, whose row is there already.
    struct Run {
        let row: Int64
        let startedAt: Int64
        let identity: String
    }

    /// Stores how the tests of a run ended; all lists are in the order of the identities of the tests.
    ///
    /// A test mostly takes as long as before, so a duration is told by what it differs from a list that runs share: the
    /// durations of the run that had too few tests in common with the list before it.
    ///
    /// - Parameter roster: The content that lists the tests, where it is known.
    func store(_ run: Run, _ results: StoredResults, roster: Int64? = nil) throws {
        let roster = try roster ?? interning.content(Roster.encode(tests: results.tests))
        let steps = results.durations.map { $0.map(RoundedDurations.step) }
        var shared: (roster: Int64, list: Int64)?
        var durations: [UInt8] = []
        let known = try connection.statement(.baselineBefore).first(project, run.startedAt, run.identity) {
            (roster: $0.integer(0), list: $0.integer(1))
        }
        if let known {
            let base = try ResultReading(connection).baseline(known.list, of: known.roster, for: roster)
            let (packed, exceptions) = try DurationList.encode(steps, from: base)
            if exceptions <= steps.count / 8 { (shared, durations) = (known, packed) }
        }
        if shared == nil {
            shared = (roster, try interning.content(DurationList.encode(steps)))
            durations = try DurationList.encode(steps, from: steps).packed
        }
        try connection.statement(
            """
            INSERT INTO run_results (run, roster, editions, endings, baseline_roster, baseline, durations)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        ).execute(
            run.row, roster, try interning.content(Roster.encode(editions: results.editions)),
            try Deflate.packed(results.endings), shared?.roster, shared?.list, durations)
    }
}
