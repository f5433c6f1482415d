import Access
import Delivery
import Evidence
import Foundation
import Gate
import Repository
import RunModel
import SettingsFile

/// Asks the server of this user whether a tree has a verdict already.
///
/// A server that cannot be reached, is slow or lies, and an answer that does not fit, mean: run the tests.
package struct ServerVerdicts: Sendable {
    let process: ProcessContext
    let home: Home
    let target: DeliveryTarget
    let key: VerifyingKey
    /// How long to wait for the answer.
    let timeout: Duration

    /// Asks the server that runs are delivered to; `nil` where there is none, where its key is not known, or where the user
    /// takes no verdicts.
    package init?(_ delivery: RunDelivery, timeout: Duration) {
        guard case .server(let target) = delivery.place, target.reusesVerdicts, let key = target.key else { return nil }
        process = delivery.process
        home = delivery.home
        self.target = target
        self.key = key
        self.timeout = timeout
    }

    /// The verdict on a tree that is not known here; `nil` when the tests have to be run.
    func answer(to asked: KnownRuns.Question, of revision: Revision) async throws -> ServerVerdict? {
        // Where nothing is asked of the inputs, any full run will do, of any day.
        guard asked.inputs?.isWhole ?? true, asked.inputs == nil || asked.settings.reuse.value != nil else {
            return nil
        }
        let inputs = asked.inputs.flatMap { Digest.sha256(of: $0.elsewhere) }
        guard (inputs == nil) == (asked.inputs == nil) else { return nil }
        let question = VerdictQuestion(
            project: asked.project, tree: asked.tree, folder: asked.finder.subpath.folder, inputs: inputs,
            nonce: process.makeNonce())
        guard question.isWellFormed else { return nil }
        let check = StatementCheck(
            question: question, key: key, now: process.now,
            validity: asked.inputs == nil ? nil : asked.settings.reuse.value)
        do {
            guard let signed = try await ask(question) else { return nil }
            let statement = try check.statement(in: signed)
            try StatementCheck.checkPolicy(asked.settings.policy, of: statement)
            try await checkBase(of: asked, statement)
            guard let verdict = verdict(statement), record(verdict, signed, revision) else { return nil }
            return verdict
        } catch let refusal as StatementCheck.Refusal {
            tell("its answer is not taken: \(refusal.reason)", hint: refusal.hint)
        } catch let error as DeliveryError {
            tell(error.reason, hint: error.kind == .settings ? error.hint : nil)
        }
        return nil
    }

    /// Records the use of a verdict; one whose use cannot be recorded is not used.
    private func record(_ verdict: ServerVerdict, _ signed: SignedStatement, _ revision: Revision) -> Bool {
        do throws(Problem) {
            try ReusedVerdicts(home).add(ReusedVerdict(verdict, signed, of: revision, at: process.now))
            return true
        } catch {
            tell("its use cannot be recorded: \(error.reason)", hint: error.hint)
            return false
        }
    }

    private func tell(_ reason: String, hint: String?) {
        StandardStreams.tell("kanmon: no verdict from \(target.address): \(reason)")
        if let hint { StandardStreams.tell("Try: \(hint)") }
    }

    private func ask(_ question: VerdictQuestion) async throws(DeliveryError) -> SignedStatement? {
        let end = ContinuousClock.now + timeout
        return try await DeliveryClient.with(
            target.address, token: target.token, proxies: ProxySettings(process.environment),
            machine: MachineReport(host: process.hostName, version: Release.version)
        ) { client throws(DeliveryError) in try await client.verdict(on: question, until: end) }
    }

    private func checkBase(of asked: KnownRuns.Question, _ statement: VerdictStatement) async throws {
        let base = try await asked.finder.base(asked.head)
        guard case .found(let commit, let others) = base.search else {
            return try StatementCheck.checkBase(nil, isNone: base.search.isNone, hasRun: false, of: statement)
        }
        // A statement names one base.
        guard others.isEmpty else {
            return try StatementCheck.checkBase(nil, isNone: false, hasRun: false, of: statement)
        }
        let hasRun = try await asked.finder.storedRun(of: commit) != nil
        try StatementCheck.checkBase(commit, isNone: false, hasRun: hasRun, of: statement)
    }

    private func verdict(_ statement: VerdictStatement) -> ServerVerdict? {
        guard let (decision, status) = StatementCheck.decision(of: statement) else { return nil }
        return ServerVerdict(
            statement: statement, server: target.address.description, host: target.address.host,
            page: target.address.page(statement.page), decision: decision, exitStatus: status)
    }
}
