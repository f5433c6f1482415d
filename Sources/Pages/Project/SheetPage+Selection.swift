public import Gate
public import RunModel
import Wording

extension SheetPage {
    /// So many runs the ledger looks back.
    public static let triedRuns = 200

    /// What running only the tests of changed functions would have saved and missed, run by run; the words are about all runs.
    public static func selection(
        _ ledger: SelectionLedger, project: String, kept: String? = nil, order: ListOrder? = nil,
        links: Links = .dashboard
    ) -> SheetPage {
        list(
            .selection, project: project, kept: kept, order: order, count: 0, summary: ledger.words,
            CellTable(
                ListColumns.selection,
                ledger.listed(kept, by: order).map { entry in
                    let trial = entry.trial
                    return [
                        .name(
                            "run \(entry.run.short)", links.href(.run(entry.run)), detail: "by run \(trial.base.short)"),
                        .figure(Figures.grouped(trial.tests), "Tests"),
                        .figure(Figures.grouped(trial.spared), "Left out"),
                        .figure(Figures.duration(trial.sparedTime), "Time left out"),
                        .figure(Figures.grouped(trial.failures), "New failures"),
                        .figure(Figures.grouped(trial.missed), "Missed", isBad: trial.missed > 0),
                        .words(trial.kind.words, "Would be"),
                    ]
                }, sorting: sorting(.selection, project, kept: kept, order, standard: .newestFirst, links)), links,
            empty: EmptyList(
                "No run has been compared with a selection yet.",
                "A run of an exact tree is, once an earlier one has a test map:", command: "kanmon run --commit HEAD"))
    }
}

extension SelectionLedger {
    /// The runs with which one thing would have happened, or all, in the order that was asked for.
    public func listed(_ kind: String?, by order: ListOrder?) -> [Entry] {
        entries.filter { entry in kind.map { Name($0) == Name(entry.trial.kind.rawValue) } ?? true }
            .sorted(by: order, standing: .newestFirst)
    }
}
