import Application
import ArgumentParser
import Gate
import RunModel
import Storage
import TestRunning

/// Which tests to run: everything unless something is said.
struct SelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Run only tests whose Module.Suite/name matches this expression or, if none does, whose display name does; may \
            be given again.
            """,
            valueName: "regex"))
    var filter: [String] = []

    @Option(
        help: ArgumentHelp(
            "Leave out the tests that this expression matches in the same way.", valueName: "regex"))
    var skip: [String] = []

    @Option(
        help: ArgumentHelp("Run only the tests that failed in this run: \(RunSelection.names).", valueName: "run"))
    var rerunFailed: String?

    /// The selection, and the tests to run again where a run is named.
    func read(in runs: StoredRuns, project: String, package: PackageOptions) async throws -> (Selection, [TestID]?) {
        var selection = Selection(filters: filter, skips: skip)
        try selection.checkFilters()
        guard let rerunFailed else { return (selection, nil) }
        let store = try runs.open()
        let id = try await runs.identify(
            RunName(text: rerunFailed, project: project, package: package.packagePath), in: store)
        let failed = try store.results(of: id).filter { $0.outcome.isFailure || $0.outcome == .notRun }.map(\.id)
        guard !failed.isEmpty else {
            throw Problem(.usage, "no test failed in run \(id.short)", hint: "kanmon history lists the runs")
        }
        selection.rerunOf = id
        return (selection, failed)
    }
}
