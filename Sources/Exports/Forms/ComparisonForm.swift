public import Gate
import RunModel

/// What changed from one run to another, for programs.
public struct ComparisonForm: Sendable, Hashable, Codable {
    /// A test that ended otherwise, or fails in both.
    struct Change: Hashable, Codable {
        /// What became of it: `regressed`, `addedFailing`, `stillFailing`, `fixed`, `added`, `removed`, `newlySkipped` or `otherwise`.
        let kind: String
        let test: TestForm
        let before: String?
        let after: String?
    }

    /// A test that takes clearly longer.
    struct Slower: Hashable, Codable {
        let test: TestForm
        let beforeNanoseconds: Int64
        let afterNanoseconds: Int64
    }

    let before: RunForm
    let after: RunForm
    /// Whether one of the runs ran a part of the tests only: then what only the other has is in no list, nor are modules.
    let isPartial: Bool
    let changes: [Change]
    let slower: [Slower]
    let modules: [ModuleChange]
    /// Left out where these are unknown.
    let changedLines: ChangedLinesForm?
    /// How many entries the lists do without, in an answer of a server that would be too large with them.
    let leftOut: LeftOut?

    /// How many more there are of what; 0 is absent.
    struct LeftOut: Hashable, Codable {
        let changes: Int?
        let slower: Int?
        let modules: Int?
        let files: Int?
    }

    /// Makes the form of a comparison.
    ///
    /// - Parameters:
    ///   - change: How the later run covers the lines that changed since the earlier one; `nil` where these are unknown.
    ///   - most: How many entries each list has at most, the first.
    public init(_ comparison: RunComparison, _ change: ChangeStatus?, most: Int = .max) {
        before = RunForm(comparison.before)
        after = RunForm(comparison.after)
        isPartial = comparison.isOfPart
        changes = comparison.tests.prefix(most).map {
            Change(
                kind: $0.kind.rawValue, test: TestForm($0.id, title: comparison.titles[$0.id]),
                before: $0.before?.rawValue, after: $0.after?.rawValue)
        }
        slower = comparison.slower.prefix(most).map {
            Slower(
                test: TestForm($0.id, title: comparison.titles[$0.id]), beforeNanoseconds: $0.before.nanosecondCount,
                afterNanoseconds: $0.after.nanosecondCount)
        }
        modules = Array(comparison.modules.prefix(most))
        changedLines = change.map { ChangedLinesForm($0, most: most) }
        let files = change.map { ChangedLinesForm.files(of: $0).count } ?? 0
        let rests = [comparison.tests.count, comparison.slower.count, comparison.modules.count, files].map { count in
            count > most ? count - most : nil
        }
        leftOut =
            rests.allSatisfy { $0 == nil }
            ? nil : LeftOut(changes: rests[0], slower: rests[1], modules: rests[2], files: rests[3])
    }
}

/// The lines that changed from one run to another, as the later one covers them.
struct ChangedLinesForm: Hashable, Codable {
    /// A file with such lines.
    struct File: Hashable, Codable {
        let path: String
        let lines: CoverageTally
        /// Pairs of the first and the last line of a range.
        let missed: [ClosedRange<Int>]
    }

    let lines: CoverageTally
    let files: [File]

    init(_ change: ChangeStatus, most: Int) {
        lines = change.lines
        files = Self.files(of: change).prefix(most).map { File(path: $0.path, lines: $0.tally, missed: $0.missed) }
    }

    /// The files with such lines.
    static func files(of change: ChangeStatus) -> [ChangedFile] { change.files.filter { $0.tally.total > 0 } }
}
