import Gate
import RunModel

/// Writes and reads verdicts. The policy and the modules differ little between runs, so runs share them.
struct VerdictStorage {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// Stores the verdict of a run.
    func store(_ verdict: Verdict, run: Int64, _ interning: Interning) throws {
        try connection.statement(
            "INSERT INTO verdict (run, body, policy, statuses, tallies) VALUES (?1, ?2, ?3, ?4, ?5)"
        ).execute(
            run, try StoredJSON.encode(StoredVerdict(verdict)),
            try interning.content(StoredJSON.encode(verdict.policy)),
            try interning.content(StoredJSON.encode(verdict.modules.map(ModuleTallies.blank))),
            Bytes(try ModuleTallies.encode(verdict.modules))
        )
    }

    /// Replaces the verdict of a run.
    func replace(_ verdict: Verdict, run: Int64, _ interning: Interning) throws {
        try connection.statement("DELETE FROM verdict WHERE run = ?1").execute(run)
        try store(verdict, run: run, interning)
        try connection.statement("UPDATE run SET decision = ?2, exit_status = ?3 WHERE id = ?1")
            .execute(run, verdict.decision.rawValue, Int(verdict.exitStatus.rawValue))
        let lines = verdict.judgedLines
        try connection.statement(
            "UPDATE run SET lines_covered = ?2, lines_total = ?3 WHERE id = ?1 AND lines_total IS NOT NULL"
        ).execute(run, lines.covered, lines.total)
    }

    /// The verdict of a run.
    func verdict(_ run: Int64) throws -> Verdict {
        let row = try connection.statement(.verdict).first(run) { row in
            (body: row.text(0), policy: row.integer(1), statuses: row.integer(2), tallies: row.bytes(3))
        }
        guard let row else { throw UnreadableContent("a run has no verdict") }
        return try StoredJSON.decode(StoredVerdict.self, from: row.body).verdict(
            modules: ModuleTallies.decode(row.tallies, of: statuses(row.statuses)),
            policy: connection.decoded(Policy.self, from: row.policy))
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
    var base: BaseReview?

    init(_ verdict: Verdict) {
        decision = verdict.decision
        violations = verdict.violations
        gaps = verdict.gaps
        quarantine = verdict.quarantine
        exclusions = verdict.exclusions
        unstable = verdict.unstable
        change = verdict.change
        estimate = verdict.estimate
        base = verdict.base
    }

    func verdict(modules: [ModuleCoverage], policy: Policy) -> Verdict {
        Verdict(
            decision: decision, violations: violations, gaps: gaps, modules: modules, quarantine: quarantine,
            exclusions: exclusions, unstable: unstable, change: change, estimate: estimate, policy: policy, base: base)
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
