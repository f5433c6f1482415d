import Evidence
import Foundation
import Gate
import Repository
import RunModel
import SettingsFile
import Storage
import TestRunning
import Wording

/// A stored run that answers for a tree, and what the gate says of it today.
package struct KnownRun: Sendable {
    /// The run as a list shows it.
    let summary: RunSummary
    /// What the gate says of it, compared with the base of today.
    let verdict: Verdict
    /// The test targets that its settings switch off.
    let switchedOff: [String]

    /// Whether the evidence of the run is still there.
    package var hasDirectory: Bool { summary.runDirectory.map { RunDirectory(path: $0).isThere } ?? false }

    /// Where the answer comes from, in words; may hold untrusted text.
    func provenance(now: Date) -> String {
        let age = max(.zero, Duration.seconds(Int(now.timeIntervalSince(summary.startedAt))))
        let place = summary.revision?.branch.map { " on \($0)" } ?? ""
        let tree = summary.revision?.tree.map { "tree \($0.prefix(12))" } ?? "the tree"
        return
            "\(tree) is known from run \(summary.id.short) of \(Figures.duration(age)) ago\(place); no test was run again"
    }

    /// The verdict in one line, without reading the tests of the run.
    var headline: String {
        let lines = summary.lines.map { ", \(Figures.tally($0)) lines" } ?? ""
        let told = [verdict.allowanceWords, verdict.base?.waiversInForce].compactMap { $0 }
        let reservations = (told + Headline.reservations(switchedOff: switchedOff, verdict)).map { ", \($0)" }
            .joined()
        // What did not run, or failed as announced, passed nothing.
        let others = ([.knownIssue, .skipped] as [Outcome]).filter { summary.outcomes[$0] > 0 }
            .map { ", \(Figures.counted(summary.outcomes, $0))" }.joined()
        return "\(verdict.decision.sign) \(verdict.decision.word): "
            + "\(Figures.counted(summary.outcomes[.passed], "test"))\(others)\(lines)\(reservations)"
    }
}

/// Looks for a stored run of exactly what is to be judged.
struct KnownRuns: Sendable {
    let process: ProcessContext
    let home: Home

    /// What is to be judged.
    struct Question: Sendable {
        let tree: String
        let project: String
        /// What a run that began now would depend on; `nil` where any complete run will do.
        let inputs: RunInputs?
        let settings: Settings
        let finder: BaselineFinder
        let head: BaselineFinder.Head
        /// What is judged, as it is to be noted down; `nil` to note down nothing.
        var revision: Revision?
    }

    /// The answer; `nil` when the tests have to be run.
    ///
    /// Evidence is taken from the store, judgement is not: the base may have moved since, or its run been stored. Where
    /// nothing that the verdict depends on differs it stands, else the gate is asked again.
    func answer(to question: Question) async throws -> KnownRun? {
        guard let inputs = question.inputs, let validity = question.settings.reuse.value,
            home.hasStore
        else { return nil }
        let store = try RunStore.reading(home.database)
        for name in ProjectName.names(of: question.project, for: question.head.commit) {
            let known = try store.reusableRun(
                ofTree: question.tree, project: name, inputs: inputs,
                since: process.now.addingTimeInterval(-Double(validity.components.seconds)),
                until: process.now)
            if let known { return try await judgeAgain(known, for: question, in: store) }
        }
        return nil
    }

    /// What the gate says today of a run that answers for the tree; `nil` when it cannot say anything for sure.
    ///
    /// It is stored as the verdict on what is judged now. What the run says of other commits, or against other bases, stands.
    func judgeAgain(_ known: RunSummary, for question: Question, in store: RunStore) async throws -> KnownRun? {
        let base = try await question.finder.base(question.head)
        let key = base.search.key
        let own = try store.ownVerdict(of: known.id)
        let earlier = try store.verdict(of: known.id, on: question.revision?.commit, against: key) ?? own
        guard let own, let earlier, !isOutOfDate(earlier, of: known) else { return nil }
        // Which failures of the base are let through depends on the branch, too, and on what is stored of the base now.
        let isOpen = question.settings.policy.allowsBrokenBase && known.outcomes.failures > 0
        if !isOpen, try await stands(earlier, question, base) {
            try keep(earlier, of: known.id, for: question, in: store)
            return KnownRun(summary: known, verdict: earlier, switchedOff: question.settings.disabledTargets)
        }
        guard let stored = try store.run(known.id) else { return nil }
        var verdict = try await judge(stored, question, base, store)
        // It may rest on a waiver that the verdict before did not have.
        guard verdict.decision != .undecided, !isOutOfDate(verdict, of: known) else { return nil }
        if verdict != own { verdict.base?.judgedAgainAt = process.now }
        try keep(verdict, of: known.id, for: question, in: store)
        return KnownRun(summary: known, verdict: verdict, switchedOff: question.settings.disabledTargets)
    }

    /// Stores what the gate says now of a commit. Where verdicts are only looked up, such as in a backup, nothing is written.
    private func keep(_ verdict: Verdict, of run: RunID, for question: Question, in store: RunStore) throws {
        guard home.otherDatabase == nil, let revision = question.revision, revision.commit != nil,
            try !store.has(verdict, of: run, on: revision)
        else { return }
        do {
            try RunStore(path: home.database).add(verdict, of: run, on: revision, at: process.now)
        } catch {
            StandardStreams.tell(
                "kanmon: warning: run \(run.short) was judged again, but the new verdict could not be stored: "
                    + "\(Problem(explaining: error)?.reason ?? "\(error)")")
        }
    }

    /// A quarantine or a waiver holds for days: what rests on one is judged by the day of the run, which must be today.
    private func isOutOfDate(_ verdict: Verdict, of known: RunSummary) -> Bool {
        let dependsOnDay = !verdict.quarantine.isEmpty || !(verdict.base?.waivers ?? []).isEmpty
        return dependsOnDay && CalendarDay(known.startedAt) != CalendarDay(process.now)
    }

    /// Whether the verdict of its day is that of today.
    private func stands(_ verdict: Verdict, _ question: Question, _ base: BaselineFinder.Base) async throws -> Bool {
        guard verdict.decision != .undecided, verdict.policy == question.settings.policy,
            // What such rules compare with is more than a commit. Without them the change decides nothing.
            !verdict.policy.asksForComparison, verdict.base?.waivers ?? [] == [], verdict.base?.changes ?? [] == [],
            verdict.base?.faults ?? [] == []
        else { return false }
        guard case .found(let commit, let others) = base.search else {
            return base.search.isNone && verdict.base == nil
        }
        guard others.isEmpty, let judged = verdict.base, verdict.baseKey == base.search.key else { return false }
        return try await question.finder.storedRun(of: commit)?.id == judged.run
    }

    /// What a run says of a commit as it is compared with its base, by the settings of today. Nothing is stored.
    func judge(
        _ stored: JudgedRun, _ question: Question, _ base: BaselineFinder.Base, _ store: RunStore
    ) async throws -> Verdict {
        let run = stored.run
        var baseline: Baseline? = try await question.finder.find(question.head, base: base).baseline
        let (comparison, _) = try await question.finder.comparison(
            of: run.revision, completing: &baseline, by: question.settings.policy)
        let past = try question.settings.policy.past(of: run) { store }
        // Of the branch that is asked about, which need not be that of the run.
        var judged = run
        judged.revision?.branch = question.revision?.branch
        return try Verdict(
            judging: judged, by: question.settings.policy, past: past, history: stored.verdict.lineHistory,
            against: baseline, changed: comparison, authors: stored.verdict.authors,
            probation: stored.verdict.probation, causes: stored.verdict.causes)
    }
}
