import Access
import Evidence
import Foundation
import Gate
import RunModel

/// What a machine demands of the answer of a server before it takes it for a verdict. What does not meet it means: run the
/// tests.
struct StatementCheck {
    let question: VerdictQuestion
    let key: VerifyingKey
    let now: Date
    /// For how long a run answers; `nil` for ever.
    let validity: Duration?

    /// Why an answer is not taken.
    struct Refusal: Error, Equatable {
        /// A fragment that fits "its answer is not taken: …".
        let reason: String
        var hint: String?
    }

    /// How far the server's clock may be ahead, in seconds.
    private static let skew = 300.0

    /// The statement, if it was signed by the server and answers the question.
    func statement(in signed: SignedStatement) throws(Refusal) -> VerdictStatement {
        guard key.verifies(signed) else {
            throw Refusal(
                reason: "it is not signed with the server's key \(key.id)",
                hint: "kanmon login again, if the server has got another key")
        }
        guard let statement = try? JSONDecoder.steady.decode(VerdictStatement.self, from: Data(signed.statement.utf8)),
            statement.schemaVersion == 1
        else { throw Refusal(reason: "it cannot be understood") }
        guard statement.answers(question) else { throw Refusal(reason: "it answers another question") }
        guard Self.decision(of: statement) != nil, Digest.isWellFormed(statement.manifest),
            statement.passedTests >= 0, statement.failedTests >= 0,
            [.laptop, .ci, .local].contains(statement.trust)
        else { throw Refusal(reason: "no verdict can be so") }
        let age = now.timeIntervalSince(statement.startedAt)
        guard age >= -Self.skew else { throw Refusal(reason: "the run began in the future") }
        if let validity, age > Double(validity.components.seconds) {
            throw Refusal(reason: "run \(statement.run.short) is too old")
        }
        return statement
    }

    /// The verdict of a statement; `nil` if what it says contradicts itself, or is none of those that travel.
    static func decision(of statement: VerdictStatement) -> (Decision, ExitStatus)? {
        guard let decision = Decision(rawValue: statement.decision),
            let status = ExitStatus(rawValue: statement.exitStatus)
        else { return nil }
        switch (decision, status) {
        case (.passed, .passed), (.failed, .testsFailed), (.failed, .gateFailed): return (decision, status)
        default: return nil
        }
    }

    /// Whether a statement was judged by this policy.
    static func checkPolicy(_ policy: Policy, of statement: VerdictStatement) throws(Refusal) {
        guard Digest.sha256(of: policy) == statement.policy else {
            throw Refusal(reason: "run \(statement.run.short) was judged by another policy")
        }
    }

    /// Whether a statement was compared with the base that the tree has here.
    ///
    /// - Parameter hasRun: Whether there is a stored run of the base here.
    static func checkBase(
        _ search: BaseCommit?, isNone: Bool, hasRun: Bool, of statement: VerdictStatement
    ) throws(Refusal) {
        let other = Refusal(reason: "run \(statement.run.short) was compared with another base")
        guard let search else {
            guard isNone, statement.base == nil else { throw other }
            return
        }
        guard let base = statement.base, base.commit == search.commit,
            base.isUnrelated == (search.kind == .unrelated)
        else { throw other }
        // What is compared with the base's run could be judged here, and was not there.
        guard base.hasRun || !hasRun else { throw other }
    }
}
