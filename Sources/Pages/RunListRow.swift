import Foundation
import Gate
import RunModel
import Wording

/// One line of the list of runs.
struct RunListRow: Sendable, TemplateValue {
    let href: String
    /// Whether the run has a page.
    let isLinked: Bool
    let decision: String
    let sign: String
    let verdict: String
    let project: BreakableText?
    let revision: RevisionWords
    /// One for each of the columns that are shown.
    var figures: [RunFigure]
    let moment: Moment
    /// The choice of the run for a comparison; `nil` where runs are not picked.
    let pick: RunPick?

    init(_ entry: RunSummary, showsProject: Bool, now: Date?, links: Links, pick: RunPick? = nil) {
        self.pick = pick
        href = links.href(entry.route)
        isLinked = links.find(entry.route) != nil
        decision = entry.decision.rawValue
        sign = entry.decision.sign
        verdict = entry.verdictWords
        project = showsProject ? BreakableText(entry.project) : nil
        revision = RevisionWords(
            entry.revision, entry.delivery, isOfBranch: entry.isOfBranch, doubt: entry.doubt, package: entry.package,
            project: entry.project, links: links)
        figures = RunColumn.all.map { RunFigure(entry, in: $0) }
        moment = Moment(entry.startedAt, now: now)
    }

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "href": href
        case "isLinked": isLinked
        case "decision": decision
        case "sign": sign
        case "verdict": verdict
        case "project": project
        case "revision": revision
        case "figures": figures
        case "moment": moment
        case "pick": pick
        default: nil
        }
    }
}

/// The two choices of a run for a comparison: as the one before and as the one after.
struct RunPick: Sendable, TemplateValue {
    let run: String
    let short: String
    let isBefore: Bool
    let isAfter: Bool

    /// The first two of a list are picked until the reader picks others: the list has the newest first.
    init(_ entry: RunSummary, place: Int) {
        run = entry.id.description
        short = entry.id.short
        isBefore = place == 1
        isAfter = place == 0
    }

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "run": run
        case "short": short
        case "isBefore": isBefore
        case "isAfter": isAfter
        default: nil
        }
    }
}

/// What was tested, in one line: branch, commit and the commit's subject.
struct RevisionWords: Sendable, TemplateValue {
    let subject: String
    /// The first digits of the commit, as a link to its latest run if there is one.
    let commit: Link?
    let plainCommit: String?
    /// The branch, as a link to its page where there is one.
    let branch: Link?
    let plainBranch: BreakableText?
    /// Who wrote the commit.
    let author: BreakableText?
    /// Why the run does not speak for its branch; `nil` if it does.
    let doubt: String?

    /// - Parameters:
    ///   - isOfBranch: Whether the branch has what was tested; `nil` for a run that is not judged yet.
    ///   - doubt: Why not.
    ///   - project: The project with runs of the commit; `nil` if there may be none yet.
    init(
        _ revision: Revision?, _ delivery: DeliveryRecord? = nil, isOfBranch: Bool? = nil, doubt: String? = nil,
        package: String, project: String?, links: Links
    ) {
        // Of a run that is judged, the caller says more.
        let trust = Trust(revision, delivery, isCurrent: true)
        subject = revision?.subject ?? package
        let short = (revision?.shownCommit).map { String($0.prefix(8)) }
        let href = (revision?.shownCommit).flatMap { Permalink(commit: $0) }
            .flatMap { link in project.flatMap { links.find(.permalink(project: $0, link)) } }
        commit = href.flatMap { href in short.map { Link($0, href) } }
        plainCommit = commit == nil ? short : nil
        self.doubt = doubt ?? trust.doubt
        let page =
            isOfBranch ?? trust.speaksForBranch
            ? (revision?.branch).flatMap { name in project.flatMap { links.find(.branch(name, project: $0)) } } : nil
        branch = page.flatMap { href in (revision?.branch).map { Link($0, href) } }
        plainBranch = branch == nil ? (revision?.branch).map { BreakableText($0) } : nil
        author = (revision?.author).map { BreakableText($0.cut(to: 100)) }
    }

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "subject": subject
        case "commit": commit
        case "plainCommit": plainCommit
        case "branch": branch
        case "plainBranch": plainBranch
        case "author": author
        case "doubt": doubt
        default: nil
        }
    }
}
