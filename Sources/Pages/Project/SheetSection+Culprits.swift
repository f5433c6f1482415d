import Foundation
public import Gate
import RunModel
import Wording

/// What a search for the commit that broke a test has found, with the run of that commit where one is stored.
public struct FoundCulprit: Sendable {
    /// What was found.
    public let culprit: Culprit
    /// What the test is called for readers; `nil` where only the identity says it.
    public let title: String?
    /// The runs that were judged for its suspects, by their commits.
    public let runs: [String: RunSummary]

    package init(_ culprit: Culprit, title: String? = nil, runs: [String: RunSummary] = [:]) {
        (self.culprit, self.title, self.runs) = (culprit, title, runs)
    }
}

extension SheetSection {
    /// The commit that broke a test, or those of which nobody can say which it was, on the page of the test.
    init(brokenBy found: FoundCulprit, now: Date?, links: Links) {
        let culprit = found.culprit
        let rows = culprit.suspects.map { suspect -> [Cell] in
            [
                .commit(suspect.commit, found.runs[suspect.commit]?.route, links),
                Cell(style: "name", label: "Commit message", text: BreakableText(suspect.subject.cut(to: 200))),
                .words(suspect.author, "Author"), .moment(suspect.committedAt, now: now),
            ]
        }
        let merge = culprit.merge.map { " It came with the merge \($0.prefix(12))." } ?? ""
        let unsure =
            culprit.suspects.count > 1 ? " Only the last of them can be tested, so it is one of these." : ""
        self.init(
            "Broken by",
            note: "With a probability of \(culprit.percentage), by \(Figures.counted(culprit.runs, "run")) of "
                + "\(Figures.counted(culprit.builds, "commit")) in \(Figures.duration(culprit.duration))."
                + merge + unsure,
            CellTable(["Commit", "Commit message", "Author", "#Made"], rows))
    }

    /// The tests that a commit broke, on the page of its run; `nil` where none is known.
    init?(brokenHere found: [FoundCulprit], project: String, links: Links) {
        guard !found.isEmpty else { return nil }
        self.init(
            "Broken by this commit",
            CellTable(
                ["Test", "Probability", "Found with"],
                found.map { found in
                    [
                        .test(found.culprit.test, title: found.title, project, links),
                        .whole(found.culprit.percentage, "Probability"),
                        .words(
                            "\(Figures.counted(found.culprit.runs, "run")) of "
                                + Figures.counted(found.culprit.builds, "commit"), "Found with"),
                    ]
                }))
    }
}
