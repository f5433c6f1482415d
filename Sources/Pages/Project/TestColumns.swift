import Gate
import RunModel
import Wording

/// What the cells of a list of tests are made with, besides the test.
struct TestCells: Sendable {
    let list: ProjectListKind
    /// What tests are called for readers, and their tags.
    var names: [TestID: NamedTest] = [:]
    var owners: [TestID: [String]] = [:]
    /// Who answers for which of them, and until when.
    var quarantine: [QuarantineStatus] = []
    let project: String
    /// Whose tests the list is kept to.
    var owner: String?
    /// What the list is kept to.
    var kept: String?
    let order: ListOrder?
    let links: Links
    /// The longest time of all.
    var most = Duration.zero

    /// A test, with its owners and tags.
    func test(_ id: TestID) -> Cell {
        .test(id, names[id], owners[id], in: list, project, owner: owner, kept, order, links)
    }

    /// Who answers for a test, and until when.
    func quarantine(of id: TestID) -> Cell {
        guard let status = quarantine.first(where: { $0.id == id }) else { return .words("–", "Quarantine") }
        return .words(status.entry.owner, "Quarantine", detail: status.term)
    }
}

extension SheetPage {
    typealias FlakyColumn = ListColumn<FlakyTest, TestCells>

    /// The columns of the list of flaky tests.
    static let flakyColumns: [FlakyColumn] = [
        FlakyColumn(.by(.name, "Test"), before: { $0.id < $1.id }) { test, cells in cells.test(test.id) },
        FlakyColumn("State") { test, _ in Cell.kind(of: test) },
        FlakyColumn(.by(.rate, "#Rate"), before: { SheetPage.isLess($0.rate, $1.rate) }) { test, _ in
            Cell.figure(test.rate.share, "Rate", detail: test.rate.executions == 0 ? nil : test.rate.interval)
        },
        FlakyColumn(
            .by(.disagreements, "#Trees with both outcomes"), before: { $0.disagreements < $1.disagreements }
        ) { test, _ in
            Cell.figure(Figures.grouped(test.disagreements), "Trees")
        },
        FlakyColumn(.by(.flips, "#Flips"), before: { $0.flips < $1.flips }) { test, _ in
            Cell.figure(Figures.grouped(test.flips), "Flips")
        },
        FlakyColumn(.by(.failures, "#Failed"), before: { $0.failures < $1.failures }) { test, _ in
            Cell.figure(Figures.grouped(test.failures), "Failed", detail: "of \(Figures.grouped(test.executions))")
        },
        FlakyColumn(.by(.recoveries, "#Passed after a retry"), before: { $0.recoveries < $1.recoveries }) { test, _ in
            Cell.figure(Figures.grouped(test.recoveries), "Passed after a retry")
        },
        FlakyColumn("Last failure") { test, cells in
            Cell(
                style: "words whole", label: "Last failure",
                link: test.lastFailure.map { Link("run \($0.short)", cells.links.href(.run($0))) })
        },
        FlakyColumn("Quarantine") { test, cells in cells.quarantine(of: test.id) },
    ]

    /// Whether one test fails in a lesser share of its runs; one that never ran fails in none.
    private static func isLess(_ rate: FailureRate, _ other: FailureRate) -> Bool {
        rate.failures * max(1, other.executions) < other.failures * max(1, rate.executions)
    }

    typealias SlowColumn = ListColumn<SlowTest, TestCells>

    /// The columns of the list of slow tests.
    static let slowColumns: [SlowColumn] = [
        SlowColumn(.by(.name, "Test"), before: { $0.id < $1.id }) { test, cells in cells.test(test.id) },
        SlowColumn("Share of the slowest") { test, cells in
            let share = cells.most > .zero ? Int(test.latest / cells.most * 1000) : 0
            return Cell(
                style: "bars",
                bar: Bar(label: Figures.duration(test.latest), parts: [("test", share), ("rest", 1000 - share)]))
        },
        SlowColumn(.by(.duration, "#Latest run"), before: { $0.latest < $1.latest }) { test, _ in
            let hasGrown = test.latest > test.median * 2
            return Cell.figure(
                Figures.duration(test.latest), "Latest", detail: hasGrown ? "more than twice the median" : nil,
                isBad: hasGrown)
        },
        SlowColumn(.by(.median, "#Median"), before: { $0.median < $1.median }) { test, _ in
            Cell.figure(Figures.duration(test.median), "Median", detail: "of \(Figures.counted(test.runs, "run"))")
        },
        SlowColumn(.by(.longest, "#Longest"), before: { $0.longest < $1.longest }) { test, _ in
            Cell.figure(Figures.duration(test.longest), "Longest")
        },
    ]

    typealias ExclusionColumn = ListColumn<ExclusionStatus, Void>

    /// The columns of the list of excludes.
    static let exclusionColumns: [ExclusionColumn] = [
        ExclusionColumn(
            .by(.name, "Pattern"), before: { Name($0.exclusion.pattern) < Name($1.exclusion.pattern) }
        ) { status, _ in
            Cell.name(status.exclusion.pattern, nil, detail: status.warning?.words)
        },
        ExclusionColumn("Reason") { status, _ in
            Cell.words(status.exclusion.reason ?? "none is given", "Reason")
        },
        ExclusionColumn(.by(.files, "#Files"), before: { $0.files < $1.files }) { status, _ in
            Cell.figure(Figures.grouped(status.files), "Files")
        },
        ExclusionColumn(.by(.lines, "#Lines"), before: { $0.lines.total < $1.lines.total }) { status, _ in
            Cell.figure(Figures.grouped(status.lines.total), "Lines")
        },
        ExclusionColumn("#Still executed") { status, _ in
            Cell.figure(Figures.grouped(status.lines.covered), "Executed", isBad: status.lines.covered > 0)
        },
    ]
}
