import Gate
import RunModel

/// Writes and reads verdicts. The policy and the modules differ little between runs, so runs share them.
struct VerdictStorage {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// The subject of a verdict: a commit that a run answers for, and where that commit belongs.
    struct Subject {
        let project: Int64
        let revision: Revision?
        /// Whether the run may speak for a branch at all.
        let speaksForBranch: Bool
        let isPartial: Bool
        let hasCoverage: Bool
        /// In nanoseconds since 1970.
        let judgedAt: Int64
    }

    /// Stores a run's own verdict: that on the commit or files that it tested.
    func store(_ verdict: PackedVerdict, run: Int64, of subject: Subject, _ interning: Interning) throws {
        try insert(verdict, run: run, of: subject, isOwn: true, interning)
    }

    /// Stores the verdict of a run on a commit against the bases in that verdict. Its verdicts on other commits, or against other bases,
    /// stay as they are.
    func add(_ packed: PackedVerdict, run: Int64, of subject: Subject, _ interning: Interning) throws {
        let verdict = packed.verdict
        let branch = subject.revision?.branch.map { Bytes($0) } ?? Bytes([])
        let known = try connection.statement(.verdictKeys)
            .first(
                run, subject.revision?.commit ?? "", verdict.baseKey, branch, subject.revision?.attempt?.rawValue ?? ""
            ) { ($0.integer(0), $0.flag(1)) }
        if let (id, _) = known { try connection.statement("DELETE FROM verdict WHERE id = ?1").execute(id) }
        try insert(packed, run: run, of: subject, isOwn: known?.1 ?? false, interning)
        guard known?.1 == true else { return }
        try connection.statement("UPDATE run SET decision = ?2, exit_status = ?3, is_of_branch = ?4 WHERE id = ?1")
            .execute(
                run, verdict.decision.rawValue, Int(verdict.exitStatus.rawValue),
                subject.speaksForBranch && subject.revision.isOfBranch(verdict.decision))
        let lines = verdict.judgedLines
        try connection.statement(
            "UPDATE run SET lines_covered = ?2, lines_total = ?3 WHERE id = ?1 AND lines_total IS NOT NULL"
        ).execute(run, lines.covered, lines.total)
    }

    private func insert(
        _ packed: PackedVerdict, run: Int64, of subject: Subject, isOwn: Bool, _ interning: Interning
    ) throws {
        let (verdict, revision) = (packed.verdict, subject.revision)
        let isState =
            subject.speaksForBranch && !subject.isPartial && revision.isOfBranch(verdict.decision)
        let place =
            isState
            ? try BranchPlaces(connection, project: subject.project).place(of: revision, at: subject.judgedAt)
            : subject.judgedAt
        let lines = subject.hasCoverage ? verdict.judgedLines : nil
        let allowed: Int? = verdict.allowedFailures.isEmpty ? nil : verdict.allowedFailures.count
        try connection.statement(
            """
            INSERT INTO verdict (
                run, project, is_own, is_state, commit_id, branch, subject, author, base, place, judged_at,
                decision, exit_status, lines_covered, lines_total, body, broken, policy, statuses, tallies,
                attempt, is_exact, owners, quarantine_ends, allowed
            ) VALUES (
                ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
                ?23, ?24, ?25
            )
            """
        ).execute(
            run, subject.project, isOwn, isState, revision?.commit ?? "", revision?.branch.map { Bytes($0) },
            revision?.subject, revision?.author, verdict.baseKey, place, subject.judgedAt, verdict.decision.rawValue,
            Int(verdict.exitStatus.rawValue), lines?.covered, lines?.total,
            Bytes(packed.body), packed.broken, try interning.content(packed.policy),
            try interning.content(packed.statuses), Bytes(packed.tallies), revision?.attempt?.rawValue ?? "",
            subject.speaksForBranch, try packed.owners.map { try interning.content($0) },
            verdict.quarantine.map(\.entry.expires).min()?.description, allowed)
    }

    /// A run's own verdict.
    func verdict(_ run: Int64) throws -> Verdict {
        guard let row = try connection.statement(.verdict).first(run, row: Self.parts) else {
            throw UnreadableContent("a run has no verdict")
        }
        return try verdict(row)
    }

    /// The verdict of a run on a commit against some bases; `nil` if there is none.
    func verdict(_ run: Int64, on commit: String, against base: String) throws -> Verdict? {
        try connection.statement(.verdictOnCommit).first(run, commit, base, row: Self.parts).map { try verdict($0) }
    }

    /// The newest verdict of a run on a commit, and what is known of that commit; `nil` if there is none.
    func verdict(
        _ run: Int64, for commit: String
    ) throws -> (Verdict, branch: String?, subject: String?, author: String?)? {
        let row = try connection.statement(.verdictForCommit).first(run, commit) { row in
            (Self.parts(row), row.optionalText(5), row.optionalText(6), row.optionalText(7))
        }
        return try row.map { (try verdict($0.0), $0.1, $0.2, $0.3) }
    }

    private typealias Parts = (body: [UInt8], policy: Int64, statuses: Int64, tallies: [UInt8], owners: Int64?)

    private static func parts(_ row: StatementRow) -> Parts {
        (
            body: row.bytes(0), policy: row.integer(1), statuses: row.integer(2), tallies: row.bytes(3),
            owners: row.optionalInteger(4)
        )
    }

    private func verdict(_ row: Parts) throws -> Verdict {
        let body = String(decoding: try Deflate.unpacked(row.body), as: UTF8.self)
        return try StoredJSON.decode(StoredVerdict.self, from: body).verdict(
            modules: ModuleTallies.decode(row.tallies, of: statuses(row.statuses)),
            policy: connection.decoded(Policy.self, from: row.policy),
            owners: row.owners.map { try connection.decoded(CodeOwnersFile.self, from: $0) })
    }

    /// The judged modules of a run.
    func modules(_ run: Int64) throws -> [ModuleCoverage] {
        let row = try connection.statement(.verdict).first(run) { ($0.integer(2), $0.bytes(3)) }
        guard let row else { throw UnreadableContent("a run has no verdict") }
        return try ModuleTallies.decode(row.1, of: statuses(row.0))
    }

    /// Modules without their tallies, which runs share.
    func statuses(_ id: Int64) throws -> [ModuleCoverage] {
        try connection.decoded([ModuleCoverage].self, from: id)
    }
}

/// A verdict as it is stored. It is encoded before the transaction begins: for a run with many failures that takes longer than
/// writing all of its rows.
struct PackedVerdict {
    let verdict: Verdict
    /// The part that is not shared with other verdicts: compressed JSON.
    let body: [UInt8]
    /// How many violations of each rule there are, as JSON; `nil` if there is none.
    let broken: String?
    let policy: String
    /// The modules without their tallies.
    let statuses: String
    let tallies: [UInt8]
    /// Who owns which file, which differs little between runs; `nil` where nobody knows.
    let owners: String?

    /// The part that is not shared with other verdicts.
    static func json(of verdict: Verdict) throws -> String { try StoredJSON.encode(StoredVerdict(verdict)) }

    init(_ verdict: Verdict) throws {
        self.verdict = verdict
        body = try Deflate.packed(Array(Self.json(of: verdict).utf8))
        broken = try verdict.violations.isEmpty ? nil : StoredJSON.encode(Rules.counts(verdict.violations))
        policy = try StoredJSON.encode(verdict.policy)
        statuses = try StoredJSON.encode(verdict.modules.map(ModuleTallies.blank))
        tallies = try ModuleTallies.encode(verdict.modules)
        owners = try verdict.owners.map { try StoredJSON.encode($0) }
    }
}

/// A verdict without its shared parts.
private struct StoredVerdict: Codable {
    var decision: Decision
    var violations: [Violation]
    var gaps: [Gap]
    var quarantine: [QuarantineStatus]
    var exclusions: [ExclusionStatus]
    var unstable: [UnstableFile]
    var change: ChangeStatus?
    var estimate: CoverageEstimate?
    var failureOrigins: [FailureOrigin]
    var base: BaseReview?
    var authors: FailureAuthors?
    var probation: Probation?
    var causes: FailureCauses?
    /// `nil` for none.
    var allowedFailures: [AllowedFailure]?

    init(_ verdict: Verdict) {
        decision = verdict.decision
        violations = verdict.violations
        gaps = verdict.gaps
        quarantine = verdict.quarantine
        exclusions = verdict.exclusions
        unstable = verdict.unstable
        change = verdict.change
        estimate = verdict.estimate
        failureOrigins = verdict.failureOrigins
        base = verdict.base
        authors = verdict.authors
        probation = verdict.probation
        causes = verdict.causes
        allowedFailures = verdict.allowedFailures.isEmpty ? nil : verdict.allowedFailures
    }

    func verdict(modules: [ModuleCoverage], policy: Policy, owners: CodeOwnersFile?) -> Verdict {
        Verdict(
            decision: decision, violations: violations, gaps: gaps, modules: modules, quarantine: quarantine,
            exclusions: exclusions, unstable: unstable, change: change,
            failureOrigins: failureOrigins, estimate: estimate, policy: policy, base: base, owners: owners,
            authors: authors, probation: probation, causes: causes, allowedFailures: allowedFailures ?? [])
    }
}

/// The tallies of the modules of a run: for lines, regions and functions, first all totals, then all missed counts.
enum ModuleTallies {
    private static var counts: [WritableKeyPath<ModuleCoverage, CoverageTally>] { [\.lines, \.regions, \.functions] }

    /// A module without its tallies.
    static func blank(_ module: ModuleCoverage) -> ModuleCoverage {
        var module = module
        for count in counts { module[keyPath: count] = CoverageTally() }
        return module
    }

    static func encode(_ modules: [ModuleCoverage]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for count in counts {
            let tallies = modules.map { $0[keyPath: count] }
            for tally in tallies { Varint.append(zigzag: Int64(tally.total), to: &bytes) }
            for tally in tallies { Varint.append(zigzag: Int64(tally.total) &- Int64(tally.covered), to: &bytes) }
        }
        return try Deflate.packed(bytes)
    }

    /// Gives modules the tallies that were encoded for them.
    static func decode(_ packed: [UInt8], of modules: [ModuleCoverage]) throws -> [ModuleCoverage] {
        var modules = modules
        var rest = try Deflate.unpacked(packed)[...]
        for count in counts {
            for index in modules.indices {
                modules[index][keyPath: count].total = Int(try Varint.takeZigzag(from: &rest))
            }
            for index in modules.indices {
                let missed = Int(try Varint.takeZigzag(from: &rest))
                modules[index][keyPath: count].covered = modules[index][keyPath: count].total &- missed
            }
        }
        guard rest.isEmpty else { throw UnreadableContent("a verdict has tallies of more modules than it has") }
        return modules
    }
}
