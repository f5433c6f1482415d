import CodeCoverage
import Exports
import Gate
import Pages
import RunModel
import Storage

/// What per-test coverage tells: which tests execute what, and which of them could have been left out.
extension DashboardResponder {
    /// What a run has recorded of a file, how its lines were executed, and how many tests were not recorded.
    private func recorded(
        _ id: RunID, path: String
    ) throws -> (run: RunSummary, map: TestMap, measured: FileCoverage?, unrecorded: Int) {
        guard let run = try store.summary(of: id), let map = try store.testMap(of: id, file: path) else {
            throw Refusal.notFound
        }
        return (run, map, try store.coverage(of: path, in: id)?.file, max(0, run.outcomes.executed - map.tests.count))
    }

    /// The tests that execute a line, as data.
    func who(_ id: RunID, path: String, line: Int) throws -> LineTestsForm {
        let (_, map, measured, unrecorded) = try recorded(id, path: path)
        let number = Int32(clamping: line)
        guard let answer = map.answer(path, line: number, measured: measured) else { throw Refusal.notFound }
        let names = try store.functionNames(of: id)
        return LineTestsForm(
            run: id, path: path, line: (asked: number, ofRun: number),
            isExecuted: measured?.isExecuted(line) ?? false, isExecutable: measured?.isExecutable(line),
            answer, in: map, unrecorded: unrecorded, most: (tests: 1000, functions: 100)
        ) { names[$0] }
    }

    /// The tests that execute a line.
    func whoPage(_ id: RunID, path: String, line: Int) throws -> SheetPage {
        let (summary, map, measured, unrecorded) = try recorded(id, path: path)
        let named = map.answer(path, line: Int32(clamping: line)).map { Set($0.tests + $0.testsOfFunction) } ?? []
        let tests = try store.results(of: Array(named), in: id)
        let names = try store.functionNames(of: id)
        let page = SheetPage.who(
            path, line: line, in: summary, map: map, measured: measured, unrecorded: unrecorded,
            durations: Dictionary(tests.compactMap { test in test.duration.map { (test.id, $0) } }) { first, _ in first
            },
            titles: try store.titles(of: Array(named), project: summary.project), links: links
        ) { names[$0] }
        guard let page else { throw Refusal.notFound }
        return page
    }

    /// What a test executes, by the newest run that recorded it.
    func executed(by test: TestID, of project: String) throws -> (run: RunSummary, files: [TestMap.ExecutedFile])? {
        // What a person's machine says takes the place of nothing that answers for its tree.
        let newest =
            try store.latestRunWithTestMap(of: project, isExact: true) ?? store.latestRunWithTestMap(of: project)
        guard let id = newest, let summary = try store.summary(of: id),
            let files = try store.testMap(of: id)?.executed(by: test)
        else { return nil }
        return (summary, files)
    }

    /// The functions of a module that one test alone executes.
    func functionsOfOneTest(
        in module: String, _ coverage: Coverage?, of run: RunID
    ) throws -> [TestMap.SoleFunction] {
        let files = (coverage?.files ?? []).filter { Name($0.module) == Name(module) }
        return try store.testMap(of: run)?.functionsOfOneTest(in: files.map(\.path)) ?? []
    }

    /// What a selection of tests would have saved and missed in the last runs of a project.
    func selectionLedger(of project: String) async throws -> SelectionLedger {
        try demand(project)
        return try store.selectionLedger(of: project, limit: SheetPage.triedRuns)
    }
}
