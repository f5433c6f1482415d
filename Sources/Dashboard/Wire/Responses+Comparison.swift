import Exports
import Gate
import RunModel

/// What changed from one run to another.
struct ComparisonResponse: Encodable {
    /// A test that ended otherwise.
    struct Change: Encodable {
        let kind: String
        let test: TestForm
        let before: String?
        let after: String?
    }

    /// A test that takes clearly longer.
    struct Slower: Encodable {
        let test: TestForm
        let beforeSeconds: Double
        let afterSeconds: Double
    }

    /// The lines of a module in both runs.
    struct Module: Encodable {
        let module: String
        let before: CoverageTally?
        let after: CoverageTally?
    }

    let before: RunForm
    let after: RunForm
    let changes: [Change]
    let slower: [Slower]
    let modules: [Module]
    /// Absent where these are unknown.
    let changedLines: ChangedLinesResponse?

    init(_ entry: RunComparison, _ change: ChangeStatus?) {
        changedLines = change.map { ChangedLinesResponse($0) }
        before = RunForm(entry.before)
        after = RunForm(entry.after)
        changes = entry.tests.map {
            Change(
                kind: $0.kind.rawValue, test: TestForm($0.id, title: entry.titles[$0.id]),
                before: $0.before?.rawValue, after: $0.after?.rawValue)
        }
        slower = entry.slower.map {
            Slower(
                test: TestForm($0.id, title: entry.titles[$0.id]), beforeSeconds: $0.before / .seconds(1),
                afterSeconds: $0.after / .seconds(1))
        }
        modules = entry.modules.map {
            Module(module: $0.module, before: $0.before, after: $0.after)
        }
    }
}

/// The lines that changed from one run to another, as the later one covers them.
struct ChangedLinesResponse: Encodable {
    /// A file with such lines.
    struct File: Encodable {
        let path: String
        let lines: CoverageTally
        /// Pairs of the first and the last line of a range.
        let missed: [ClosedRange<Int>]
    }

    let lines: CoverageTally
    let files: [File]

    init(_ change: ChangeStatus) {
        lines = change.lines
        files = change.files.filter { $0.tally.total > 0 }
            .map { File(path: $0.path, lines: $0.tally, missed: $0.missed) }
    }
}
