public import RunModel
import Wording

extension SheetPage {
    /// So many runs the ledger looks back.
    public static let triedRuns = 200

    /// What running only the tests of changed functions would have saved and missed, run by run.
    public static func selection(_ ledger: SelectionLedger, project: String, links: Links = .dashboard) -> SheetPage {
        list(
            .selection, project: project, count: 0, summary: ledger.words,
            CellTable(
                ["Run", "#Tests", "#Left out", "#Time left out", "#New failures", "#Missed", "Would be"],
                ledger.entries.map { entry in
                    let trial = entry.trial
                    return [
                        .name(
                            "run \(entry.run.short)", links.href(.run(entry.run)), detail: "by run \(trial.base.short)"),
                        .figure(Figures.grouped(trial.tests), "Tests"),
                        .figure(Figures.grouped(trial.spared), "Left out"),
                        .figure(Figures.duration(trial.sparedTime), "Time left out"),
                        .figure(Figures.grouped(trial.failures), "New failures"),
                        .figure(Figures.grouped(trial.missed), "Missed", isBad: trial.missed > 0),
                        .words(
                            trial.failures == 0
                                ? "no test failed, as before"
                                : trial.isRedMissed ? "green, and tests failed" : "tests failed, as before",
                            "Would be"),
                    ]
                }), links,
            empty: EmptyList(
                "No run has been compared with a selection yet.",
                "A run of an exact tree is, once an earlier one has a test map:", command: "kanmon run --commit HEAD"))
    }
}
