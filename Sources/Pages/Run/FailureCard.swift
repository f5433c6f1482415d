import Gate
import RunModel
import Wording

/// A failed test with everything that explains it in place.
struct FailureCard: Sendable {
    /// How many cards are shown on a page; the rest is counted.
    static let most = 100

    let anchor: String
    let sign: String
    let outcome: String
    /// The test, as a link to its history where there is one.
    let link: Link?
    let plainName: BreakableText?
    let origin: BreakableText
    let facts: String?
    /// The test over its runs.
    let history: String?
    let issues: [IssueWords]
    let moreIssues: String?
    let output: OutputWords?
    let attachments: [AttachmentMark]
    /// What runs it again; `nil` for tests of another runner.
    let command: String?

    init(
        _ test: TestResult, _ verdict: Verdict, _ owners: RunOwners, _ explanation: FailureExplanation, number: Int,
        links: RunLinks, sources: SourceTexts
    ) {
        anchor = "failure-\(number)"
        sign = verdict.sign(of: test)
        outcome = verdict.reason(of: test)
        let title = test.named.title
        let name = title ?? test.displayName ?? test.id.name
        history = links.history(test.id)
        link = history.map { Link(name, $0) }
        plainName = link == nil ? BreakableText(name) : nil
        let place = test.id.suite.isEmpty ? test.id.module : "\(test.id.module) · \(test.id.suite)"
        origin = BreakableText(title == nil ? place : test.id.description)
        let facts = [
            test.duration.map { Figures.duration($0) },
            test.attempts.count > 1 ? Figures.counted(test.attempts.count, "attempt") : nil,
            test.arguments.isEmpty ? nil : Figures.counted(test.arguments.count, "argument"),
            explanation.sentence(on: test.id), owners.words(of: test), verdict.relation(of: test),
        ].compactMap { $0 }
        self.facts = facts.isEmpty ? nil : facts.joined(separator: " · ")
        let failing = test.issues.filter(\.isFailure) + test.issues.filter { !$0.isFailure }
        let shown = failing.prefix(IssueWords.most)
        issues =
            shown.isEmpty
            ? [IssueWords(withoutIssue: test, links: links, sources: sources)]
            : shown.map { IssueWords($0, links: links, sources: sources) }
        moreIssues = failing.count > shown.count ? Figures.counted(failing.count - shown.count, "more issue") : nil
        output = test.attempts.last?.output.flatMap { OutputWords($0) }
        attachments = test.attachments.map { AttachmentMark($0, links) }
        command = test.rerunCommand
    }
}

/// The cards of the tests that failed.
struct FailureList: Sendable {
    /// Why they failed, all in all; `nil` where nobody looked.
    let summary: String?
    /// What some of them have in common.
    let reasons: [String]
    let cards: [FailureCard]
    let more: String?

    /// `nil` when nothing failed.
    init?(
        _ anchors: RunAnchors, _ verdict: Verdict, _ owners: RunOwners, _ explanation: FailureExplanation,
        sources: SourceTexts
    ) {
        guard !anchors.failures.isEmpty else { return nil }
        summary = explanation.causes == nil ? nil : explanation.inShort
        reasons = explanation.commonReasons
        cards = anchors.failures.prefix(FailureCard.most).enumerated().map { index, test in
            FailureCard(
                test, verdict, owners, explanation, number: index + 1, links: anchors.links, sources: sources)
        }
        let hidden = anchors.failures.count - cards.count
        more = hidden > 0 ? Figures.moreFailures(hidden) : nil
    }
}

/// One issue of a failed test: what was said, where, and the lines around it.
struct IssueWords: Sendable {
    /// How many issues are shown per test.
    static let most = 20

    /// `known issue`, `warning`, or `nil` for what fails the test.
    let kind: String?
    let message: String
    let argument: String?
    let place: PlaceLink?
    let excerpt: Excerpt?

    init(_ issue: Issue, links: RunLinks, sources: SourceTexts) {
        kind =
            issue.isKnown ? "known issue" : issue.isWarning ? "warning" : issue.isCancellation ? "cancelled" : nil
        message = issue.message.cut(to: 8000)
        argument = issue.argument
        place = PlaceLink(issue.location, links: links)
        excerpt = issue.location.flatMap { Excerpt($0, in: sources[$0.path], links: links) }
    }

    /// For a test that ended without saying why.
    init(withoutIssue test: TestResult, links: RunLinks, sources: SourceTexts) {
        kind = nil
        message = test.silentFailure ?? ""
        argument = nil
        place = PlaceLink(test.location, links: links)
        excerpt = test.location.flatMap { Excerpt($0, in: sources[$0.path], links: links) }
    }
}

/// What a test printed, cut to its end where it is long.
struct OutputWords: Sendable {
    /// How many characters are shown, counted from the end.
    static let longest = 16_000

    let text: String
    let summary: String

    /// `nil` for a test that printed nothing.
    init?(_ output: String) {
        guard output.contains(where: { !$0.isWhitespace }) else { return nil }
        let lines = Figures.counted(output.split(separator: "\n").count, "line")
        guard let start = output.index(output.endIndex, offsetBy: -Self.longest, limitedBy: output.startIndex),
            start > output.startIndex
        else {
            text = output
            summary = "Output, \(lines)"
            return
        }
        text = String(output[start...])
        summary = "Output, \(lines), only its end is shown"
    }
}
