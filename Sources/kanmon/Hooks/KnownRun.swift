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
struct KnownRun: Sendable {
    /// The run as a list shows it.
    let summary: RunSummary
    /// What the gate says of it, compared with the base of today.
    let verdict: Verdict
    /// The test targets that its settings switch off.
    let switchedOff: [String]

    /// Whether the evidence of the run is still there.
    var hasDirectory: Bool { summary.runDirectory.map { RunDirectory(path: $0).isThere } ?? false }

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
        let waivers = verdict.base?.waiversInForce.map { [$0] } ?? []
        let reservations = (waivers + Headline.reservations(switchedOff: switchedOff, verdict)).map { ", \($0)" }
            .joined()
        return "\(verdict.decision.sign) \(verdict.decision.word): "
            + "\(Figures.counted(summary.outcomes[.passed], "test"))\(lines)\(reservations)"
    }
}

/// Looks for a stored run of exactly what is to be judged.
struct KnownRuns: Sendable {
    let surroundings: Surroundings
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
        let known = try store.reusableRun(
            ofTree: question.tree, project: question.project, inputs: inputs,
            since: surroundings.now.addingTimeInterval(-Double(validity.components.seconds)), until: surroundings.now)
        guard let known else { return nil }
        return try await judgeAgain(known, for: question, in: store)
    }

    /// What the gate says today of a run that answers for the tree; `nil` when it cannot say anything for sure.
    ///
    /// What it says is stored where it said something else before, so that a report and a page tell what is told here.
    func judgeAgain(_ known: RunSummary, for question: Question, in store: RunStore) async throws -> KnownRun? {
        guard let earlier = try store.verdict(of: known.id), !isOutOfDate(earlier, of: known) else { return nil }
        let base = try await question.finder.base(question.head)
        if try await stands(earlier, question, base) {
            return KnownRun(summary: known, verdict: earlier, switchedOff: question.settings.disabledTargets)
        }
        guard let stored = try store.run(known.id) else { return nil }
        var verdict = try await judge(stored, question, base, store)
        // It may rest on a waiver that the verdict before did not have.
        guard verdict.decision != .undecided, !isOutOfDate(verdict, of: known) else { return nil }
        verdict.base?.judgedAgainAt = stored.verdict.base?.judgedAgainAt
        if verdict != stored.verdict {
            verdict.base?.judgedAgainAt = surroundings.now
            keep(verdict, of: stored.run.id)
        }
        return KnownRun(summary: known, verdict: verdict, switchedOff: question.settings.disabledTargets)
    }

    /// Stores what the gate says now. Where verdicts are only looked up, such as in a backup, nothing is written.
    private func keep(_ verdict: Verdict, of run: RunID) {
        guard home.otherDatabase == nil else { return }
        do {
            try RunStore(path: home.database).replaceVerdict(of: run, by: verdict)
        } catch {
            StandardStreams.tell(
                "kanmon: warning: run \(run.short) was judged again, but the new verdict could not be stored: "
                    + "\(Problem(explaining: error)?.reason ?? "\(error)")")
        }
    }

    /// A quarantine or a waiver holds for days: what rests on one is judged by the day of the run, which must be today.
    private func isOutOfDate(_ verdict: Verdict, of known: RunSummary) -> Bool {
        let dependsOnDay = !verdict.quarantine.isEmpty || !(verdict.base?.waivers ?? []).isEmpty
        return dependsOnDay && CalendarDay(known.startedAt) != CalendarDay(surroundings.now)
    }

    /// Whether the verdict of its day is that of today.
    private func stands(_ verdict: Verdict, _ question: Question, _ base: BaselineFinder.Base) async throws -> Bool {
        guard verdict.decision != .undecided, verdict.policy == question.settings.policy,
            // What such rules compare with is more than a commit. Without them the change decides nothing.
            !verdict.policy.asksForComparison, verdict.base?.waivers ?? [] == [], verdict.base?.changes ?? [] == [],
            verdict.base?.faults ?? [] == []
        else { return false }
        guard case .found(let commit) = base.search else { return base.search.isNone && verdict.base == nil }
        guard let judged = verdict.base, judged.commit.commit == commit.commit,
            (judged.commit.kind == .unrelated) == (commit.kind == .unrelated)
        else { return false }
        return try await question.finder.storedRun(of: commit)?.id == judged.run
    }

    private func judge(
        _ stored: JudgedRun, _ question: Question, _ base: BaselineFinder.Base, _ store: RunStore
    ) async throws -> Verdict {
        let run = stored.run
        let finding = try await question.finder.find(question.head, base: base)
        let (comparison, _) = try await question.finder.comparison(
            of: run.revision, with: finding.baseline, by: question.settings.policy)
        let past = try question.settings.policy.past(of: run) { store }
        return try Verdict(
            judging: run, by: question.settings.policy, past: past, history: stored.verdict.lineHistory,
            against: finding.baseline, changed: comparison)
    }
}
