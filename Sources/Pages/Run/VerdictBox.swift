import Gate
import RunModel
import Wording

/// The verdict as the head of a run's page: one sentence, then every reason with its place and its fix.
struct VerdictBox: Sendable {
    let style: String
    let sign: String
    let headline: String
    let status: String
    let list: ReasonList?

    /// How many failed tests are listed here; the rest is counted.
    static let most = 10
    /// How many reasons of each other rule are listed, and how many gaps; the rest is counted.
    static let mostOfRule = 50

    init(_ verdict: Verdict, of run: TestRun, anchors: RunAnchors) {
        style = verdict.decision.rawValue
        sign = verdict.decision.sign
        headline = Headline(run, verdict).sentence
        status = "Exit status \(verdict.exitStatus.rawValue): \(verdict.exitStatus.meaning)."
        var reasons: [Reason] = []
        var failures = 0
        var ofRule: [String: Int] = [:]
        for violation in verdict.violations {
            if violation.isTestFailure {
                failures += 1
                guard failures <= Self.most else { continue }
            } else {
                ofRule[violation.rule, default: 0] += 1
                guard ofRule[violation.rule, default: 0] <= Self.mostOfRule else { continue }
            }
            reasons.append(Reason(violation, anchors: anchors))
        }
        reasons += verdict.gaps.prefix(Self.mostOfRule).map { Reason($0) }
        let rest = (ofRule.values + [verdict.gaps.count]).reduce(0) { $0 + max(0, $1 - Self.mostOfRule) }
        let more =
            failures > Self.most ? Link(Figures.counted(failures - Self.most, "more failure"), "#failures") : nil
        list =
            reasons.isEmpty
            ? nil
            : ReasonList(
                reasons: reasons, more: more, rest: rest > 0 ? "and \(Figures.counted(rest, "more reason"))" : nil)
    }
}

/// The reasons of a verdict, as far as they are listed.
struct ReasonList: Sendable {
    let reasons: [Reason]
    /// The failed tests that are not among them.
    let more: Link?
    /// How many others are not.
    let rest: String?
}

/// One reason of a verdict.
struct Reason: Sendable {
    /// What it is about; a link to where the page shows it in full.
    let subject: Link?
    /// The stable code of a gap.
    let code: String?
    let words: String
    let place: PlaceLink?
    /// What was said or seen.
    let detail: String?
    let fix: Fix?

    /// How many characters of a message are shown.
    static let longest = 4000

    init(_ violation: Violation, anchors: RunAnchors) {
        code = nil
        words = violation.reason.cut(to: Self.longest)
        subject = Link(anchors.title(of: violation), anchors.place(of: violation))
        place = PlaceLink(violation.message?.location, links: anchors.links)
        detail = violation.message?.text.cut(to: 300)
        fix = violation.hint.map { hint in
            guard let missed = violation.coverage?.files else { return Fix(hint) }
            return Fix(hint, missed, all: anchors.all(of: violation), anchors: anchors)
        }
    }

    init(_ gap: Gap) {
        let remark = gap.words
        subject = nil
        code = remark.code
        words = remark.rest.cut(to: Self.longest)
        place = nil
        detail = remark.meaning
        fix = Fix(remark.remedy)
    }
}

/// The smallest thing that cures a reason.
struct Fix: Sendable {
    let words: String
    let choices: [Link]

    init(_ words: String) {
        self.words = words
        choices = []
    }

    /// The words, and the lines to choose from: the worst files first.
    init(_ words: String, _ missed: [MissedFile], all: Link, anchors: RunAnchors) {
        self.words = words
        var links: [Link] = []
        let files = missed.prefix(3)
        for file in files {
            for range in file.ranges.prefix(3) {
                links.append(
                    Link(
                        "\(file.path.lastPathComponent):\(Figures.lines(range))",
                        anchors.links.line(range.lowerBound, of: file.path), hint: file.path
                    )
                )
            }
        }
        let isCut = missed.count > files.count || files.contains { $0.ranges.count > 3 }
        if isCut || links.isEmpty { links.append(all) }
        choices = links
    }
}

extension String {
    /// The first lines of a long text, cut between graphemes and marked.
    func cut(to length: Int) -> String {
        guard let end = index(startIndex, offsetBy: length, limitedBy: endIndex), end < endIndex else { return self }
        return self[..<end] + " …"
    }
}
