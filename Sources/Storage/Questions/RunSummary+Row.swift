import Gate
import RunModel

import struct Foundation.Date

extension RunSummary {
    /// Reads a row of the view `run_summary`.
    init(_ row: StatementRow) throws {
        var revision =
            row.isNull(8)
            ? nil
            : Revision(
                commit: row.optionalText(4), tree: row.optionalText(5), folder: row.optionalText(34),
                branch: row.optionalText(6), subject: row.optionalText(7), author: row.optionalText(29),
                isDirty: row.flag(8), attempt: row.isNull(31) ? nil : try row.value(31, as: Attempt.self)
            )
        revision?.madeCommit = row.optionalText(36)
        guard let status = Int32(exactly: row.integer(13)).flatMap(ExitStatus.init(rawValue:)) else {
            throw UnreadableContent("unknown exit status \(row.integer(13))")
        }
        var outcomes = OutcomeTally()
        let columns: [(Outcome, Int32)] = [
            (.passed, 14), (.failed, 15), (.crashed, 16), (.timedOut, 17), (.skipped, 18), (.knownIssue, 19),
            (.notRun, 20),
        ]
        for (outcome, column) in columns { outcomes[outcome] = row.int(column) }
        let broken = try row.optionalText(25).map { try StoredJSON.decode([String: Int].self, from: $0) }
        self.init(
            id: try row.runID(1), project: row.text(2), package: row.text(3), revision: revision,
            startedAt: Date(nanosecondsSince1970: row.integer(35)), duration: .nanoseconds(row.integer(10)),
            engine: try row.value(11, as: Engine.self), decision: try row.value(12, as: Decision.self),
            exitStatus: status, outcomes: outcomes,
            lines: row.isNull(22) ? nil : CoverageTally(covered: row.int(21), total: row.int(22)),
            runDirectory: row.optionalText(23), isPartial: row.flag(24),
            broken: broken ?? [:],
            delivery: try row.optionalText(30).map { try StoredJSON.decode(DeliveryRecord.self, from: $0) })
        isOfKnownTree = !row.flag(32)
    }
}

extension Connection {
    /// A run as a list shows it; `nil` when there is none of this id.
    func summary(of id: RunID) throws -> RunSummary? {
        try statement(.summary).first(id.description, row: RunSummary.init)
    }
}
