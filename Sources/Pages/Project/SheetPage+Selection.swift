public import Gate
public import RunModel
import Wording

extension SheetPage {
    /// How many runs the ledger looks back.
    public static let triedRuns = 200

    /// What running only the tests of changed functions would have saved and missed, run by run; the words are about all runs.
    public static func selection(
        _ ledger: SelectionLedger, project: String, kept: String? = nil, order: ListOrder? = nil,
        links: Links = .dashboard
    ) -> SheetPage {
        list(
            .selection, project: project, kept: kept, order: order, count: 0, summary: ledger.words,
            CellTable(
                selectionColumns, ledger.listed(kept, by: order), links,
                sorting: sorting(.selection, project, kept: kept, order, standard: .newestFirst, links)), links,
            empty: EmptyList(
                "No run has been compared with a selection yet.",
                "A run of an exact tree is, once an earlier one has per-test coverage:",
                command: "kanmon run --commit HEAD"))
    }

    typealias SelectionColumn = ListColumn<SelectionLedger.Entry, Links>

    /// The columns of the ledger, which stands newest first by itself.
    static let selectionColumns: [SelectionColumn] = [
        SelectionColumn(.by(.time, "Run")) { entry, links in
            Cell.name(
                "run \(entry.run.short)", links.href(.run(entry.run)), detail: "by run \(entry.trial.base.short)")
        },
        SelectionColumn(.by(.tests, "#Tests"), before: { $0.trial.tests < $1.trial.tests }) { entry, _ in
            Cell.figure(Figures.grouped(entry.trial.tests), "Tests")
        },
        SelectionColumn(
            .by(.deselected, "#Left out"), before: { $0.trial.deselected < $1.trial.deselected }
        ) { entry, _ in
            Cell.figure(Figures.grouped(entry.trial.deselected), "Left out")
        },
        SelectionColumn(
            .by(.duration, "#Time left out"), before: { $0.trial.deselectedTime < $1.trial.deselectedTime }
        ) { entry, _ in
            Cell.figure(Figures.duration(entry.trial.deselectedTime), "Time left out")
        },
        SelectionColumn(
            .by(.failures, "#New failures"), before: { $0.trial.failures < $1.trial.failures }
        ) { entry, _ in
            Cell.figure(Figures.grouped(entry.trial.failures), "New failures")
        },
        SelectionColumn(.by(.missed, "#Missed"), before: { $0.trial.missed < $1.trial.missed }) { entry, _ in
            Cell.figure(Figures.grouped(entry.trial.missed), "Missed", isBad: entry.trial.missed > 0)
        },
        SelectionColumn("Would be") { entry, _ in Cell.words(entry.trial.kind.words, "Would be") },
    ]
}

extension SelectionLedger {
    /// The runs with which one thing would have happened, or all, in the order that was requested.
    public func listed(_ kind: String?, by order: ListOrder?) -> [Entry] {
        entries.filter { entry in kind.map { Name($0) == Name(entry.trial.kind.rawValue) } ?? true }
            .sorted(by: order, standing: .newestFirst)
    }
}
