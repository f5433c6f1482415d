import GRDB
import Gate
import RunModel

/// A problem of the store.
public struct StoreProblem: Sendable, Hashable {
    /// Which check found it.
    public enum Check: String, Sendable, Hashable, CaseIterable {
        /// SQLite's own check of its pages and indexes.
        case integrity
        /// A row that refers to a missing row.
        case reference
        /// A run that cannot be read back.
        case content
        /// A total that differs from the sum of its parts.
        case total
    }

    /// Which check found it.
    public var check: Check
    /// A description.
    public var detail: String
}

extension RunStore {
    /// Looks for damage: first with SQLite's checks, then every run is read and its totals are compared.
    ///
    /// A flipped bit inside of a text is not always found. Rebuild from the run directories, whose files have
    /// checksums, when in doubt.
    ///
    /// - Returns: The problems; empty if there are none.
    public func check() throws(StorageError) -> [StoreProblem] {
        let structural = try problems(.integrity) { connection in
            var found = try connection.statement("PRAGMA integrity_check(100)").all { $0.text(0) }
                .filter { $0 != "ok" }.map { StoreProblem(check: .integrity, detail: $0) }
            try connection.statement("PRAGMA foreign_key_check").forEach { row in
                let detail = "a row of \(row.text(0)) refers to a row of \(row.text(2)) that is not there"
                found.append(StoreProblem(check: .reference, detail: detail))
            }
            return found
        }
        guard structural.isEmpty else { return structural }
        let runs = try read { connection in
            try connection.statement("SELECT identity FROM run ORDER BY identity").all { try $0.runID(0) }
        }
        var found: [StoreProblem] = []
        for id in runs {
            // One read transaction for each run: a long one would block checkpoints.
            found += try problems(.content, prefix: "run \(id): ") { try Self.check(id, $0) }
        }
        return found
    }

    /// The problems that `body` finds, or the error that ended it.
    private func problems(
        _ check: StoreProblem.Check, prefix: String = "", _ body: (Connection) throws -> [StoreProblem]
    ) throws(StorageError) -> [StoreProblem] {
        do {
            return try read(body)
        } catch .corrupted(_, let message) {
            return [StoreProblem(check: check, detail: prefix + message)]
        }
    }

    private static func check(_ id: RunID, _ connection: Connection) throws -> [StoreProblem] {
        // A run that was pruned in the meantime is no problem.
        guard let stored = try RunReading(connection).run(id), let summary = try connection.summary(of: id),
            let key = try connection.statement(.runKey).first(id.description, row: { $0.integer(0) })
        else { return [] }
        let failed = try connection.statement(.failures).all(key) { $0.integer(0) }.count
        let lines = stored.run.coverage == nil ? nil : stored.verdict.judgedLines
        let expected = summary.exitStatus == .gateFailed ? Rules.counts(stored.verdict.violations) : [:]
        let totals: [(String, Bool)] = [
            ("the outcomes do not add up", summary.outcomes == stored.run.outcomes),
            ("the lines do not add up", summary.lines == lines),
            ("the decision differs from the verdict", summary.decision == stored.verdict.decision),
            ("the violations do not add up", summary.broken == expected),
            (
                "the failures that were let through do not add up",
                summary.allowedFailures == stored.verdict.allowedFailures.count
            ),
            ("the failures do not add up", failed == stored.run.outcomes.failures),
        ]
        return totals.filter { !$0.1 }.map { StoreProblem(check: .total, detail: "run \(id): \($0.0)") }
    }
}
