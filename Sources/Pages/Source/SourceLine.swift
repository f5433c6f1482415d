import RunModel
import Wording

/// One line of a source page.
///
/// There are thousands on a page, so it answers the template itself instead of being looked at by reflection.
struct SourceLine: Sendable, TemplateValue {
    /// What a line is to a reader who looks for what is missing.
    enum State: String, Sendable {
        case covered, missed, changed
    }

    let number: Int
    /// Whether it was executed; `nil` for a line without code.
    let state: State?
    /// The text, unless it comes in pieces.
    let text: String
    /// A line that was executed in part, cut where that begins and ends.
    let pieces: [SourcePiece]
    /// What the change did to the line.
    let change: LineChange?
    /// `covered`, `missed` or neither, and `hit` where something failed.
    let style: String
    /// The text in the gutter: a count, `✕` or nothing.
    let sign: String
    /// The same in words.
    let words: String
    /// What failed here.
    let marks: [String]
    /// The tests that execute it; `nil` on a page that does not tell.
    let tests: TestCount?
    /// Where it goes on from here; `nil` unless missed lines begin here.
    let neighbors: MissedNeighbors?

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "number": number
        case "text": text
        case "pieces": pieces
        case "change": change
        case "style": style
        case "sign": sign
        case "words": words
        case "marks": marks
        case "tests": tests
        case "neighbors": neighbors
        default: nil
        }
    }

    static func all(
        _ text: SourceText, coverage: FileCoverage?, marks: SourceMarks, changes: LineChanges, hasCounts: Bool,
        tests: LineTests?
    ) -> [SourceLine] {
        var counts = (coverage?.lines ?? [])[...]
        let parts = Dictionary(grouping: coverage?.unexecuted?.parts ?? []) { Int($0.line) }
        let neighbors = MissedNeighbors.all(coverage?.missedRanges ?? [], ofLines: text.lines.count)
        return text.lines.enumerated().map { index, line in
            let number = index + 1
            while let next = counts.first, Int(next.line) < number { counts.removeFirst() }
            let count = counts.first.flatMap { Int($0.line) == number ? $0.count : nil }
            return SourceLine(
                number, line, count, parts[number] ?? [], marks[number], changes[number], neighbors[number],
                tests: tests?[number], hasCounts: hasCounts)
        }
    }

    private init(
        _ number: Int, _ text: String, _ count: ExecutionCount?, _ parts: [MissedPart], _ marks: [String],
        _ change: LineChange?, _ neighbors: MissedNeighbors?, tests: TestCount?, hasCounts: Bool
    ) {
        self.number = number
        self.neighbors = neighbors
        self.tests = tests
        state = count.map { $0.isCovered ? .covered : .missed }
        pieces = SourcePiece.all(of: text, parts)
        self.text = pieces.isEmpty ? text : ""
        self.marks = marks
        self.change = change
        let hit = (marks.isEmpty ? "" : " hit") + (change == nil ? "" : " changed")
        switch count {
        case nil: (style, sign, words) = ("plain" + hit, "", "")
        case let count? where !count.isCovered: (style, sign, words) = ("missed" + hit, "✕", "missed")
        case let count?:
            style = "covered" + hit
            let known = hasCounts ? count.value : nil
            sign = known.map(Self.short) ?? "✓"
            let executed =
                known.map { "executed \(Figures.counted(Int(clamping: $0), "time"))" } ?? "executed, count unknown"
            words = executed + (pieces.isEmpty ? "" : ", in part")
        }
    }

    /// A count that fits the gutter: `9,999`, then `10k`, `12M`.
    private static func short(_ count: UInt64) -> String {
        switch count {
        case ..<10_000: Figures.grouped(Int(count))
        case ..<1_000_000: "\(count / 1000)k"
        case ..<1_000_000_000: "\(count / 1_000_000)M"
        default: "\(count / 1_000_000_000)G"
        }
    }
}

/// The missed lines before and behind some that begin here.
struct MissedNeighbors: Sendable, TemplateValue {
    let previous: LabelledLink?
    let next: LabelledLink?

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "previous": previous
        case "next": next
        default: nil
        }
    }

    /// A line of the page itself.
    private static func link(_ kind: String, _ range: ClosedRange<Int>) -> LabelledLink {
        LabelledLink(href: "#L\(range.lowerBound)", words: "\(kind) missed line: \(range.lowerBound)")
    }

    /// By the lines on which missed lines begin; nothing where there is but one such place.
    static func all(_ ranges: [ClosedRange<Int>], ofLines count: Int) -> [Int: MissedNeighbors] {
        let shown = ranges.filter { $0.lowerBound <= count }
        guard shown.count > 1 else { return [:] }
        let entries = shown.indices.map { index in
            let next = index + 1 < shown.count ? link("next", shown[index + 1]) : nil
            let previous = index > 0 ? link("previous", shown[index - 1]) : nil
            return (shown[index].lowerBound, MissedNeighbors(previous: previous, next: next))
        }
        return Dictionary(entries) { first, _ in first }
    }
}

/// What failed in a file, by line.
struct SourceMarks: Sendable {
    /// How many are shown at a line.
    private static let most = 20

    private var messages: [Int: [String]] = [:]

    init(_ source: RecordedSource) {
        let path = Name(source.path)
        for test in source.failures {
            for issue in test.issues where issue.isFailure {
                guard let location = issue.location, Name(location.path) == path else { continue }
                add("\(test.id.qualifiedName): \(issue.message)", at: location.line)
            }
        }
        for error in source.buildErrors {
            guard let location = error.location, Name(location.path) == path else { continue }
            add("error: \(error.message)", at: location.line)
        }
    }

    private mutating func add(_ message: @autoclosure () -> String, at line: Int) {
        guard messages[line]?.count ?? 0 < Self.most else { return }
        messages[line, default: []].append(message().cut(to: 600))
    }

    subscript(line: Int) -> [String] { messages[line] ?? [] }
}
