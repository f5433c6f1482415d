import Access
import Evidence
import Foundation
import Gate
import Pages
import RunModel
import Storage

/// Finds the run that answers for a tree on another machine, and says what it says.
///
/// The newest trusted run of the tree and its inputs speaks, alone: if it is undecided, no other one replaces it. Only
/// where there is none, the newest one counts that the token of the reader itself delivered: nobody else can put words
/// into a server's mouth, and nobody takes back what a trusted run said.
struct VerdictSearch: Sendable {
    let store: RunStore
    let links: Links
    let now: Date
    /// Whether the trust in a token was withdrawn.
    let isDistrusted: @Sendable (_ token: String) throws -> Bool

    /// The answer to a question of the holder of a token; `nil` if there is none, or the project does not exist for the token.
    func statement(on question: VerdictQuestion, for token: AccessToken) throws -> VerdictStatement? {
        guard token.covers(question.project) else { return nil }
        let runs = try store.fullRuns(
            ofTree: question.tree, at: question.folder, project: question.project, deliveredBy: token.name)
        let run = try runs.first { try counts($0.summary, for: token) && isOf(question, $0) }
        guard let run, isSure(run), let verdict = try store.verdict(of: run.summary),
            verdict.decision == run.summary.decision, try holdsElsewhere(verdict, of: run.summary, for: token)
        else { return nil }
        return try statement(on: question, run, verdict)
    }

    /// Whether a run counts for the holder of a token at all. A failed build says nothing of the tree: what it needed from the
    /// network may be there now.
    private func counts(_ run: RunSummary, for token: AccessToken) throws -> Bool {
        if run.exitStatus == .buildFailed { return false }
        if let sender = run.delivery?.token, try isDistrusted(sender) { return false }
        switch run.trust {
        case .ci, .local: return true
        case .laptop: return run.delivery.map { Name($0.token) == Name(token.name) } ?? false
        case .distrusted, .otherVersion, .workingCopy: return false
        }
    }

    /// Whether a run matches the question; without inputs in the question any run of the tree does.
    private func isOf(_ question: VerdictQuestion, _ run: TreeRun) -> Bool {
        // Of which tree the reports of another tool are was only told.
        guard run.summary.revision?.isExact == true, run.summary.engine != .foreign, run.inputs?.isCurrent == true
        else { return false }
        guard let wanted = question.inputs else { return true }
        guard let inputs = run.inputs, inputs.isWhole else { return false }
        return Digest.sha256(of: inputs.elsewhere) == wanted
    }

    /// Whether a run says for sure how its tree fares.
    private func isSure(_ run: TreeRun) -> Bool {
        let summary = run.summary
        return !summary.isPartial && summary.decision != .undecided
            && [.passed, .testsFailed, .gateFailed].contains(summary.exitStatus) && summary.outcomes[.notRun] == 0
            && !run.isIncomplete && !run.isTimedOut && !run.isFlaky && summary.startedAt <= now
    }

    /// Whether a verdict says the same to whoever has the same tree, policy and base: not where it rests on messages of commits,
    /// on a day that is over, on the branch, or on a run of the base that is distrusted.
    private func holdsElsewhere(_ verdict: Verdict, of run: RunSummary, for token: AccessToken) throws -> Bool {
        if !verdict.quarantine.isEmpty, CalendarDay(run.startedAt) != CalendarDay(now) { return false }
        // A failure of the base is let through on some branches, and on the default branch on none.
        if verdict.policy.allowsBrokenBase, run.outcomes.failures > 0 { return false }
        guard let base = verdict.base else { return true }
        guard base.waivers.isEmpty, base.changes.isEmpty, base.faults.isEmpty, base.others == nil else { return false }
        guard let id = base.run else { return true }
        // Of a run that is gone nobody knows who delivered it.
        guard let found = try store.summary(of: id), Name(found.project) == Name(run.project) else { return false }
        // Of others' runs a person's machine learns nothing, not even that there is one of an id.
        guard run.trust != .laptop || found.delivery?.isDelivered(by: token.name) == true else { return false }
        guard let sender = found.delivery else { return true }
        return try sender.distrustedAt == nil && !isDistrusted(sender.token)
    }

    private func statement(
        on question: VerdictQuestion, _ run: TreeRun, _ verdict: Verdict
    ) throws -> VerdictStatement? {
        let summary = run.summary
        // Whoever doubts the answer must be able to look at the evidence.
        guard let directory = summary.runDirectory.map({ RunDirectory(path: $0) }),
            let manifest = try directory.manifestDigest(), let policy = Digest.sha256(of: verdict.policy)
        else { return nil }
        return VerdictStatement(
            answering: question, run: summary.id, manifest: manifest, decision: summary.decision.rawValue,
            exitStatus: summary.exitStatus.rawValue, policy: policy,
            base: verdict.base.map { base in
                VerdictStatement.Base(
                    commit: base.commit.commit, isUnrelated: base.commit.kind == .unrelated, hasRun: base.run != nil)
            },
            trust: summary.trust, token: summary.delivery?.token, host: run.origin?.host,
            build: run.origin?.build?.link, startedAt: summary.startedAt, answeredAt: now,
            passedTests: summary.outcomes[.passed], failedTests: summary.outcomes.failures, lines: summary.lines,
            page: links.href(.run(summary.id)))
    }
}
