import Application
import Exports
import Foundation
import Gate
import RunModel
import Wording

/// The verdicts of servers that were used here, as `kanmon history --reused` prints them.
struct ReusedVerdictList {
    let verdicts: [ReusedVerdict]

    /// A header, and one line for each.
    func text(now: Date) -> String {
        guard !verdicts.isEmpty else { return "no verdict was reused from a server" }
        let rows = verdicts.map { verdict in
            [
                Decision(rawValue: verdict.decision)?.sign ?? "?", verdict.run.short,
                RunList.age(now.timeIntervalSince(verdict.reusedAt)), verdict.project,
                String(verdict.commit?.prefix(9) ?? "–") + (verdict.branch.map { " \($0)" } ?? ""),
                verdict.token ?? "the server", verdict.server,
            ]
        }
        return TextTable.render(rows, header: ["", "run", "reused", "project", "commit", "token", "server"])
    }

    /// The same for programs, with what the servers signed.
    func json() throws -> String { try JSONText.render(verdicts) }
}
