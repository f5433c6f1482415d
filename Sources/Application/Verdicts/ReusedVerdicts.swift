import Evidence
package import Foundation
import Gate
package import RunModel

/// One use of a server's verdict instead of a run of the tests.
package struct ReusedVerdict: Sendable, Codable {
    /// When it was used.
    package let reusedAt: Date
    /// The address of the server.
    package let server: String
    package let project: String
    let tree: String
    package let commit: String?
    package let branch: String?
    /// The run that answered.
    package let run: RunID
    package let decision: String
    /// The name of the token that the run was delivered with; `nil` for a run made on the server itself.
    package let token: String?
    /// What the server signed, so that anybody can check it later.
    let signed: SignedStatement

    init(_ verdict: ServerVerdict, _ signed: SignedStatement, of revision: Revision, at moment: Date) {
        reusedAt = Date(timeIntervalSince1970: moment.timeIntervalSince1970.rounded(.down))
        server = verdict.server
        project = verdict.statement.project
        tree = verdict.statement.tree
        commit = revision.commit
        branch = revision.branch
        run = verdict.statement.run
        decision = verdict.statement.decision
        token = verdict.statement.token
        self.signed = signed
    }
}

/// The verdicts of servers that were used here, in a file of the home with a line for each. They are no runs, so that nothing
/// is counted twice, and no use answers for another.
package struct ReusedVerdicts: Sendable {
    /// How many are kept; beyond that the oldest are forgotten.
    static let most = 1000

    private let home: Home
    private var file: LineFile<ReusedVerdict> { LineFile(path: home.reusedVerdicts, most: Self.most) }

    package init(_ home: Home) { self.home = home }

    /// Records a use; on disk when it returns.
    ///
    /// - Throws: `Problem` if it cannot be recorded.
    func add(_ verdict: ReusedVerdict) throws(Problem) {
        home.prepare()
        try file.add(verdict)
    }

    /// All uses, the newest first; lines that cannot be read are left out.
    ///
    /// - Throws: `Problem` if the file cannot be read.
    package func all() throws(Problem) -> [ReusedVerdict] { try file.all() }
}
