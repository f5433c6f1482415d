import Foundation
public import Gate
public import RunModel
import Wording

extension SheetPage {
    /// How many days back flaky tests are looked for.
    public static let flakyDays = 30
    /// How many runs a page of their list has, and how many tests those of flaky and of slow ones.
    public static let listLength = 50

    /// The flaky tests, the worst first; those that are broken by now come last.
    ///
    /// - Parameters:
    ///   - window: The runs in which they were looked for.
    ///   - names: The titles of tests, and their tags.
    ///   - owners: Who owns them, if known.
    ///   - quarantine: Which of them are in quarantine, for whom and until when, in the latest full run.
    ///   - tag: The tag whose tests alone are listed, if any.
    ///   - owner: The owner whose tests alone are listed, if any.
    public static func flaky(
        _ tests: [FlakyTest], names: [TestID: NamedTest] = [:], owners: [TestID: [String]] = [:],
        quarantine: [QuarantineStatus] = [], project: String, days: Int, window: FlakyWindow, tag: String? = nil,
        owner: String? = nil, kept: String? = nil, order: ListOrder? = nil, links: Links = .dashboard
    ) -> SheetPage {
        let cells = TestCells(
            list: .flaky, names: names, owners: owners, quarantine: quarantine, project: project, owner: owner,
            kept: kept, order: order, links: links)
        let table = CellTable(
            flakyColumns, tests, cells,
            sorting: sorting(.flaky, project, tag: tag, owner: owner, kept: kept, order, links))
        let hidden = window.hiddenWords.map { " \($0)" } ?? ""
        return list(
            .flaky, project: project, tag: tag, owner: owner, kept: kept, order: order, hasTags: names.hasTags,
            hasOwners: !owners.isEmpty, count: tests.count,
            summary: "Failed and passed on the same tree, or changed the outcome more than twice on a branch, in the "
                + "last \(Figures.counted(days, "day")): \(window.words).\(hidden)",
            table, links,
            empty: EmptyList(
                "No test is flaky according to the runs.",
                "A test is listed when it failed and passed on the same tree."))
    }

    /// The slowest tests of the latest full run, with their earlier durations.
    ///
    /// - Parameters:
    ///   - names: The titles of tests, and their tags.
    ///   - owners: Who owns them, if known.
    ///   - tag: The tag whose tests alone are listed, if any.
    ///   - owner: The owner whose tests alone are listed, if any.
    public static func slow(
        _ tests: [SlowTest], names: [TestID: NamedTest] = [:], owners: [TestID: [String]] = [:], project: String,
        tag: String? = nil, owner: String? = nil, order: ListOrder? = nil, links: Links = .dashboard
    ) -> SheetPage {
        let cells = TestCells(
            list: .slow, names: names, owners: owners, project: project, owner: owner, order: order, links: links,
            most: tests.map(\.latest).max() ?? .zero)
        let table = CellTable(
            slowColumns, tests, cells,
            sorting: sorting(.slow, project, tag: tag, owner: owner, order, standard: ListOrder(.duration), links))
        return list(
            .slow, project: project, tag: tag, owner: owner, order: order, hasTags: names.hasTags,
            hasOwners: !owners.isEmpty, count: tests.count,
            summary: "From the latest full run"
                + (tests.map(\.runs).max().map { "; the median is of the last \(Figures.counted($0, "such run"))" }
                    ?? "")
                + ".",
            table, links,
            empty: EmptyList(
                "No full run that counts for a branch has recorded a duration.",
                "Run the gate on a commit of the project:", command: "kanmon run --commit HEAD"))
    }

    /// The tests with a known issue in a run.
    public static func known(
        _ tests: [TestResult], project: String, run: RunSummary?, tag: String? = nil, order: ListOrder? = nil,
        links: Links = .dashboard
    ) -> SheetPage {
        let table = CellTable(
            ListColumns.known,
            tests.map { test in
                let issue = test.issues.first(where: \.isKnown)
                return [
                    .test(test.id, test.named, nil, in: .known, project, nil, order, links),
                    .words(issue?.message ?? "–", detail: issue?.location?.description),
                ]
            }, sorting: sorting(.known, project, tag: tag, order, standard: ListOrder(.name), links))
        return list(
            .known, project: project, tag: tag, order: order, hasTags: tests.contains { !$0.tags.isEmpty },
            count: tests.count, summary: origin(run), subject: subject(run, links), table,
            links,
            empty: EmptyList(
                "No test has a known issue.", "withKnownIssue and XCTExpectFailure announce a failure."))
    }

    /// What is excluded from the coverage, and why.
    public static func exclusions(
        _ statuses: [ExclusionStatus], project: String, run: RunSummary?, kept: String? = nil,
        order: ListOrder? = nil, links: Links = .dashboard
    ) -> SheetPage {
        let table = CellTable(
            exclusionColumns, statuses, (), sorting: sorting(.exclusions, project, kept: kept, order, links))
        return list(
            .exclusions, project: project, kept: kept, order: order, count: statuses.count, summary: origin(run),
            subject: subject(run, links), table, links,
            empty: EmptyList("Nothing is excluded.", "Every executable line of the package's own targets counts."))
    }

    /// - Parameter standard: The default order of the list, if it is that of a column.
    static func sorting(
        _ list: ProjectListKind, _ project: String, tag: String? = nil, owner: String? = nil, kept: String? = nil,
        _ order: ListOrder?, standard: ListOrder? = nil, _ links: Links
    ) -> Sorting {
        Sorting(order, standard: standard) {
            links.find(.list(list, project: project, tag: tag, owner: owner, kept: kept, order: $0))
        }
    }

    static func origin(_ run: RunSummary?) -> String {
        run == nil ? noWholeRun : "As it stood in"
    }

    static func subject(_ run: RunSummary?, _ links: Links) -> Link? {
        run.map { Link($0.runWords, links.href($0.route)) }
    }

    /// The form that filters a list.
    ///
    /// - Parameter canBeKept: Whether there is anything to filter.
    static func form(
        _ list: ProjectListKind, _ project: String, tag: String? = nil, hasTags: Bool = false, owner: String? = nil,
        hasOwners: Bool = false, kept: String? = nil, canBeKept: Bool, _ order: ListOrder?, _ links: Links
    ) -> ListForm? {
        ListForm(
            tag: tag, hasTags: hasTags, owner: owner, hasOwners: hasOwners, kept: kept,
            by: canBeKept || kept != nil ? list.filter : nil,
            of: (name: "project", value: project), order, links: links
        ) { tag, kept in
            .list(list, project: project, tag: tag, kept: kept, order: order)
        }
    }

    static func list(
        _ list: ProjectListKind, project: String, tag: String? = nil, owner: String? = nil, kept: String? = nil,
        order: ListOrder? = nil, hasTags: Bool = false, hasOwners: Bool = false, count: Int, summary: String,
        subject: Link? = nil, _ table: CellTable, _ links: Links, empty: EmptyList
    ) -> SheetPage {
        let missing =
            kept == nil && owner == nil
            ? EmptyList("No test of this list has the tag.", "Without the tag, the list may have tests.")
            : .nothingMatches
        return SheetPage(
            frame: PageFrame(
                title: "\(list.title) of \(project)", crumbs: [Link(project, links.project(project))],
                here: list.title.lowercased(), links: links),
            heading: list.title, summary: (count > 0 ? "\(Figures.grouped(count)). " : "") + summary,
            subject: subject,
            tabs: Tabs(of: project, selected: .list(list, project: project), links: links),
            filter: form(
                list, project, tag: tag, hasTags: hasTags, owner: owner, hasOwners: hasOwners, kept: kept,
                canBeKept: !table.rows.isEmpty, order, links),
            sections: [
                SheetSection(nil, table, empty: tag == nil && owner == nil && kept == nil ? empty : missing)
            ])
    }
}

extension [ExclusionStatus] {
    /// The entries with the given warning, or all, in the given order.
    public func listed(_ warning: String?, by order: ListOrder?) -> [ExclusionStatus] {
        filter { status in warning.map { Name($0) == Name(status.warning?.rawValue ?? "") } ?? true }.sorted(by: order)
    }
}

extension [TestID: NamedTest] {
    /// Whether any of the tests has a tag.
    fileprivate var hasTags: Bool { values.contains { !$0.tags.isEmpty } }
}

extension Cell {
    /// Whether a test is flaky or broken.
    static func kind(of test: FlakyTest) -> Cell {
        guard let breakage = test.breakage else {
            return Cell(style: "state quiet", label: "State", sign: "~", text: BreakableText(test.kind.rawValue))
        }
        return Cell(
            style: "state failed", label: "State", sign: "✕", text: BreakableText(test.kind.rawValue),
            detail: "\(Figures.counted(breakage.failures, "failure")) in a row")
    }

    /// A test of a list, with its owners, and its tags as links to the tests that have the same tag.
    static func test(
        _ test: TestID, _ named: NamedTest?, _ owners: [String]?, in list: ProjectListKind, _ project: String,
        owner: String? = nil, _ kept: String?, _ order: ListOrder?, _ links: Links
    ) -> Cell {
        var cell = Cell.test(
            test, title: named?.title, project, links, detail: owners.flatMap { OwnerWords.clause($0) })
        cell.tags = (named?.tags ?? []).map { tag in
            TagMark(tag, links.find(.list(list, project: project, tag: tag, owner: owner, kept: kept, order: order)))
        }
        return cell
    }

    /// A test, as a link to its history: its title with its identity below, or its identity alone.
    static func test(
        _ test: TestID, title: String?, _ project: String, _ links: Links, detail: String? = nil
    ) -> Cell {
        let details = [title == nil ? nil : test.description, detail].compactMap { $0 }
        return .name(
            title ?? test.description, links.find(.test(test, project: project)),
            detail: details.isEmpty ? nil : details.joined(separator: " · "))
    }
}
