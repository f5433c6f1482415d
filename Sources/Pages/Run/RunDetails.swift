import Foundation
import Gate
import RunModel
import Wording

/// How a run came to be: revision, toolchain, policy, steps.
struct RunDetails: Sendable {
    let facts: [Fact]
    let steps: StepTable?
    let notes: NoteList?
    let unattributed: PathList?
    let exclusions: ExclusionTable?

    init(_ run: TestRun, _ verdict: Verdict, _ owners: RunOwners, now: Date?, links: Links) {
        let revision = run.revision
        let commit = (revision?.shownCommit).flatMap { Permalink(commit: $0) }
            .flatMap { links.find(.permalink(project: run.project, $0)) }
        let branch =
            run.trust.speaksForBranch
            ? (revision?.branch).flatMap { links.find(.branch($0, project: run.project)) } : nil
        facts = [
            Fact("Run", run.id.description),
            Fact("Project", run.project, links.find(.project(run.project))),
            Fact("Package", run.package),
            revision.map {
                Fact($0.attempt == .staged ? "Staged for commit" : "Commit", $0.shownCommit ?? "none yet", commit)
            },
            revision.map { Fact("Tree", $0.tree ?? "not recorded") },
            revision.map { Fact("Branch", $0.branch ?? "none, the head is detached", branch) },
            Fact("Files tested", Self.files(revision)),
            run.delivery.map { Fact("Delivered", Self.words($0)) },
            Fact("Began", Moment(run.startedAt, now: now).exact),
            run.trust == .otherVersion
                ? Fact("Evidence", "of another version of Kanmon, so it does not count for its branch") : nil,
            Fact("Engine", run.engine.rawValue),
            run.interop.map { Fact("Assertions of the other library", $0.words) },
            run.jobs.map { Fact("Test processes at a time", Figures.grouped($0)) },
            run.origin?.host.map { Fact("Host", $0) },
            run.origin?.build.map { Fact("Build", $0.name, $0.link) },
            run.origin?.change.map { Fact("Change request", $0.description, $0.link) },
            run.machine.map { Fact("Machine", $0.description) },
            run.toolchain.map { Fact("Compiler", $0.swiftVersion) },
            run.toolchain.map { Fact("Coverage by", $0.llvmVersion) },
            run.toolchain.map { Fact("Target", $0.target) },
            run.toolchain?.buildSystem.map { Fact("Build system", $0.rawValue) },
            run.toolchain?.build.map {
                Fact("Built with", Redaction.clean(words: $0.arguments).joined(separator: " "))
            },
            verdict.unstable.words.map { Fact("Unstable lines", $0) },
            owners.source.map { Fact("Owners", $0) },
            Fact("Policy", PolicyWords(verdict.policy).words),
        ].compactMap { $0 }
        steps = run.steps.isEmpty ? nil : StepTable(rows: run.steps.map { StepRow($0) })
        let notes = run.notes + (verdict.change?.notes ?? [])
        self.notes = NoteList(notes)
        unattributed = PathList(run.coverage?.unattributed ?? [])
        exclusions = ExclusionTable(verdict.exclusions)
    }

    private static func words(_ delivery: DeliveryRecord) -> String {
        let trust =
            delivery.distrustedAt.map { "which is distrusted since \(Moment($0, now: nil).exact)" }
            ?? (delivery.isAttested
                ? "a trusted token" : "the token of a person's machine, so it does not count for its branch")
        let place = delivery.address.map { " from \($0)" } ?? ""
        return "with '\(delivery.token)', \(trust)\(place), \(Moment(delivery.receivedAt, now: nil).exact)"
    }

    private static func files(_ revision: Revision?) -> String {
        guard let revision else { return "as they were in the folder, outside of git" }
        if revision.isExact { return "exactly those of the commit" }
        return revision.isDirty ? "differ from the commit" : "those of a working copy, not exactly those of the commit"
    }
}

/// Files of the coverage report that belong to no target of the package.
struct PathList: Sendable {
    let summary: String
    let paths: [BreakableText]

    init?(_ unattributed: [UnattributedFile]) {
        guard !unattributed.isEmpty else { return nil }
        let isOne = unattributed.count == 1
        summary =
            "\(Figures.counted(unattributed.count, "file")) of the coverage report \(isOne ? "belongs" : "belong") "
            + "to no target of the package, and \(isOne ? "is" : "are") not counted"
        paths = unattributed.prefix(200).map {
            BreakableText("\($0.path): \($0.kind.words), \(Figures.counted($0.lines.total, "executable line"))")
        }
    }
}

/// The ledger of what does not count.
struct ExclusionTable: Sendable {
    /// How many excludes are listed; the rest is counted.
    static let most = 200

    let rows: [ExclusionEntry]
    let more: String?

    /// In their order; of very many those that are odd come first, so that no number of others hides them. `nil` for none.
    init?(_ statuses: [ExclusionStatus]) {
        guard !statuses.isEmpty else { return nil }
        let rest = statuses.count - Self.most
        let shown = rest > 0 ? statuses.filter { $0.warning != nil } + statuses.filter { $0.warning == nil } : statuses
        rows = shown.prefix(Self.most).map { ExclusionEntry($0) }
        more = rest > 0 ? "and \(Figures.grouped(rest)) more" : nil
    }
}

/// One exclude.
struct ExclusionEntry: Sendable {
    let pattern: BreakableText
    let size: String
    let reason: BreakableText
    let warning: String?

    init(_ status: ExclusionStatus) {
        pattern = BreakableText(status.exclusion.pattern)
        size = status.size
        reason = BreakableText(status.statedReason)
        warning = status.warningText
    }
}

/// One named fact.
struct Fact: Sendable {
    let name: String
    let link: Link?
    let plainValue: BreakableText?

    /// A fact, as a link where there is a page of it.
    init(_ name: String, _ value: String, _ href: String? = nil) {
        self.name = name
        link = href.map { Link(value, $0) }
        plainValue = href == nil ? BreakableText(value) : nil
    }
}

/// The steps in order.
struct StepTable: Sendable {
    let rows: [StepRow]
}

/// One step with its time and its end.
struct StepRow: Sendable {
    let kind: String
    let command: String
    let time: String
    let end: String
    let isFailure: Bool

    init(_ step: RunStep) {
        kind = step.kind.rawValue
        command = step.arguments.joined(separator: " ").cut(to: 2000)
        time = Figures.duration(step.duration)
        isFailure = !step.termination.isSuccess
        let end =
            switch step.termination {
            case .exited(let status): "exit \(status)"
            case .signaled(let signal): "signal \(signal)"
            }
        self.end = step.wasTimedOut ? "\(end), time limit" : end
    }
}

/// The notes in order.
struct NoteList: Sendable {
    /// How many are listed; the rest is counted.
    static let most = 200

    let items: [NoteWords]
    let more: String?

    /// `nil` for none.
    init?(_ notes: [Note]) {
        guard !notes.isEmpty else { return nil }
        items = notes.prefix(Self.most).map { NoteWords($0) }
        more = notes.count > Self.most ? "and \(Figures.grouped(notes.count - Self.most)) more" : nil
    }
}

/// A note on the evidence.
struct NoteWords: Sendable {
    let code: String
    /// What follows the code.
    let words: String
    let meaning: String
    let remedy: String

    init(_ note: Note) {
        let remark = note.words
        code = remark.code
        words = remark.rest.cut(to: Reason.longest)
        meaning = remark.meaning
        remedy = remark.remedy
    }
}

/// A policy in one sentence.
struct PolicyWords: Sendable {
    /// How many modules, and how many other demands, are listed; the rest is counted.
    static let most = 100
    /// How many characters of one are shown.
    private static let longest = 300

    let words: String

    init(_ policy: Policy) {
        let modules = policy.modules.prefix(Self.most).map { "\($0.pattern) \(Self.floors($0.floors))" }
        let others = (modules.isEmpty ? "each module " : "every other module ") + Self.floors(policy.defaultFloors)
        let demands = policy.demands.compactMap { demand in demand.words.map { "\(demand.name): \($0)" } }
        let rest = policy.modules.count - modules.count + max(0, demands.count - Self.most)
        let listed = (modules + [others] + demands.prefix(Self.most)).map { $0.cut(to: Self.longest) }
        words = (listed + (rest > 0 ? ["and \(Figures.grouped(rest)) more"] : [])).joined(separator: "; ")
    }

    private static func floors(_ floors: Floors) -> String {
        let parts = CoverageMetric.allCases.compactMap { metric in
            floors[metric].map { "\(metric.plural) ≥ \(Figures.percent($0))" }
        }
        return parts.isEmpty ? "without a floor" : parts.joined(separator: ", ")
    }
}
