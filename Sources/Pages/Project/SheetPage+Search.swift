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

        package init(project: String, thing: Thing) { (self.project, self.thing) = (project, thing) }
    }

    /// A file and the run whose page of it is shown.
    public struct File: Sendable {
        /// Relative to the package.
        public var path: String
        /// The latest run that has it.
        public var run: RunID

        package init(path: String, run: RunID) { (self.path, self.run) = (path, run) }
    }

    /// A test target and the run whose page of it is shown.
    public struct Target: Sendable {
        /// Its name.
        public var name: String
        /// The latest full run of the project.
        public var run: RunID

        package init(name: String, run: RunID) { (self.name, self.run) = (name, run) }
    }

    /// What a test said when it failed.
    public struct Message: Sendable {
        /// The test.
        public var test: NamedTest
        /// What it said.
        public var text: String
        /// The newest run in which it said so.
        public var run: RunID

        package init(test: NamedTest, text: String, run: RunID) { (self.test, self.text, self.run) = (test, text, run) }
    }

    /// Branches.
    public var branches: [Found<String>] = []
    /// Authors of commits.
    public var authors: [Found<String>] = []
    /// Test targets.
    public var targets: [Found<Target>] = []
    /// Tests.
    public var tests: [Found<NamedTest>] = []
    /// What tests said when they failed.
    public var messages: [Found<Message>] = []
    /// Files.
    public var files: [Found<File>] = []
    /// Runs by their id, or by the hash or subject of their commit.
    public var runs: [RunSummary] = []
    /// Whether there may be more than are listed: more were found, or not all texts were looked at.
    public var isCut = false

    /// Nothing found.
    public init() {}

    /// Adds what was found in a project, unless enough of its kind was found already; whether it was added.
    @discardableResult
    public mutating func add<Thing>(
        _ thing: Thing, of project: String, to list: WritableKeyPath<SearchFindings, [Found<Thing>]>
    ) -> Bool {
        guard self[keyPath: list].count < SheetPage.mostFound else {
            isCut = true
            return false
        }
        self[keyPath: list].append(Found(project: project, thing: thing))
        return true
    }

    /// How much was found.
    fileprivate var count: Int {
        runs.count + branches.count + authors.count + targets.count + tests.count + messages.count + files.count
    }
}

extension SheetPage {
    /// How many of each kind are listed.
    public static let mostFound = 100

    /// What contains a text: runs, branches, authors, test targets, tests, failure messages, files.
    public static func search(
        _ text: String, _ findings: SearchFindings, now: Date?, links: Links = .dashboard
    ) -> SheetPage {
        var sections: [SheetSection] = []
        if !findings.runs.isEmpty {
            sections.append(
                SheetSection(
                    "Runs", runs: findings.runs.map { RunListRow($0, showsProject: true, now: now, links: links) }))
        }
        func list<Thing>(
            _ title: String, _ heads: [Head], _ found: [SearchFindings.Found<Thing>], _ cells: (Thing, String) -> [Cell]
        ) {
            guard !found.isEmpty else { return }
            let rows = found.map { cells($0.thing, $0.project) + [.words($0.project, "Project")] }
            sections.append(SheetSection(title, CellTable(heads + ["Project"], rows)))
        }
        list("Branches", ["Branch"], findings.branches) { branch, project in
            [.name(branch, links.href(.branch(branch, project: project)))]
        }
        list("Authors", ["Author"], findings.authors) { author, project in
            [.name(author, links.href(.runs(project: project, filter: RunFilter(author: author))))]
        }
        list("Test targets", ["Target"], findings.targets) { target, _ in
            [.name(target.name, links.href(.tests(target.run, target: target.name)))]
        }
        list("Tests", ["Test"], findings.tests) { test, project in [.test(test.id, title: test.title, project, links)] }
        list("Failure messages", ["Message", "Test", "Run"], findings.messages) { message, project in
            [
                .words(message.text), .test(message.test.id, title: message.test.title, project, links),
                .name("run \(message.run.short)", links.href(.run(message.run))),
            ]
        }
        list("Files", ["File"], findings.files) { file, _ in
            [.name(file.path, links.href(.source(file.run, path: file.path)))]
        }
        let total = findings.count
        if total == 0 {
            sections.append(
                SheetSection(
                    nil, CellTable([], []),
                    empty: EmptyList(
                        text.isEmpty ? "Enter a search text." : "Nothing found.",
                        "Search for a part of the name of a test, target, file, branch or author, of a commit's subject or a failure message, or for at least four digits of a commit or a run."
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
        _ start: String, _ candidates: [RunSummary], links: Links = .dashboard
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
