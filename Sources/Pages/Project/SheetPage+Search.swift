public import Foundation
public import Gate
public import RunModel
import Wording

/// What contains a text.
public struct SearchFindings: Sendable {
    /// Something found in one project.
    public struct Found<Thing: Sendable>: Sendable {
        /// The project.
        public var project: String
        /// What was found there.
        public var thing: Thing

        /// Makes an entry from its parts.
        public init(project: String, thing: Thing) {
            self.project = project
            self.thing = thing
        }
    }

    /// A file and the run whose page of it is shown.
    public struct File: Sendable {
        /// Relative to the package.
        public var path: String
        /// The latest run that has it.
        public var run: RunID

        /// Makes an entry from its parts.
        public init(path: String, run: RunID) {
            self.path = path
            self.run = run
        }
    }

    /// Tests.
    public var tests: [Found<NamedTest>] = []
    /// Files.
    public var files: [Found<File>] = []
    /// Runs of commits, or runs by their id.
    public var runs: [RunSummary] = []
    /// Whether there are more than are listed.
    public var isCut = false

    /// Nothing found.
    public init() {}
}

extension SheetPage {
    /// So many of each kind are listed.
    public static let mostFound = 100

    /// What contains a text: tests and files by a part of their name, runs by the beginning of a commit or an id.
    public static func search(
        _ text: String, _ findings: SearchFindings, now: Date?, links: Links = .dashboard
    ) -> SheetPage {
        let total = findings.tests.count + findings.files.count + findings.runs.count
        var sections: [SheetSection] = []
        if !findings.runs.isEmpty {
            sections.append(
                SheetSection(
                    "Runs", runs: findings.runs.map { RunListRow($0, showsProject: true, now: now, links: links) }))
        }
        if !findings.tests.isEmpty {
            sections.append(
                SheetSection(
                    "Tests",
                    CellTable(
                        ["Test", "Project"],
                        findings.tests.map { found in
                            [
                                .test(found.thing.id, title: found.thing.title, found.project, links),
                                .words(found.project),
                            ]
                        })))
        }
        if !findings.files.isEmpty {
            let rows: [[Cell]] = findings.files.map { found in
                [
                    .name(found.thing.path, links.href(.source(found.thing.run, path: found.thing.path))),
                    .words(found.project),
                ]
            }
            sections.append(SheetSection("Files", CellTable(["File", "Project"], rows)))
        }
        if total == 0 {
            sections.append(
                SheetSection(
                    nil, CellTable([], []),
                    empty: EmptyList(
                        text.isEmpty ? "Enter a search text." : "Nothing found.",
                        "Search for a part of a test's or a file's name, or for at least four digits of a commit or a run."
                    )))
        }
        let more = findings.isCut ? ", more than are listed" : ""
        return SheetPage(
            frame: PageFrame(title: "Search", here: "search", links: links, searched: text),
            heading: text.isEmpty ? "Search" : text, summary: "\(Figures.counted(total, "match", "matches"))\(more).",
            sections: sections)
    }
}

extension SheetPage {
    /// The commits that the beginning of a hash may mean, by the latest run of each.
    public static func choices(
        _ start: String, _ candidates: [RunSummary], now: Date?, links: Links = .dashboard
    ) -> SheetPage {
        SheetPage(
            frame: PageFrame(title: "Which one?", here: "choices", links: links, searched: start),
            heading: "Which one?",
            summary:
                "\(Figures.counted(candidates.count, "commit")) begin with \(start). Write a longer part of the hash.",
            sections: [
                SheetSection(
                    "Commits",
                    CellTable(
                        ["Commit", "Project", "Run"],
                        candidates.prefix(mostFound).map { run in
                            [
                                .words(run.revision?.shownCommit ?? ""), .words(run.project),
                                .name("run \(run.id.short)", links.href(run.route)),
                            ]
                        }))
            ])
    }
}
