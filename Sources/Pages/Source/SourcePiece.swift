import Gate
import RunModel
import Wording

/// An executed piece of text, and the unexecuted piece after it.
struct SourcePiece: Sendable, Hashable, TemplateValue {
    let plain: String
    let missed: String?

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "plain": plain
        case "missed": missed
        default: nil
        }
    }

    /// Cuts a line at its unexecuted parts, by characters; empty for a line without any.
    static func all(of text: String, _ parts: [MissedPart]) -> [SourcePiece] {
        guard !parts.isEmpty else { return [] }
        let characters = Array(text)
        let starts = MissedPart.characterStarts(of: text)
        var pieces: [SourcePiece] = []
        var next = 0
        for part in parts {
            let columns = part.characters(startingAt: starts)
            let first = min(max(next, columns.lowerBound - 1), characters.count)
            let end = min(max(first, columns.upperBound - 1), characters.count)
            guard first < end else { continue }
            pieces.append(
                SourcePiece(plain: String(characters[next..<first]), missed: String(characters[first..<end])))
            next = end
        }
        guard !pieces.isEmpty else { return [] }
        return pieces + (next < characters.count ? [SourcePiece(plain: String(characters[next...]), missed: nil)] : [])
    }
}

/// How a change affected one line.
struct LineChange: Sendable, Hashable, TemplateValue {
    let sign: String
    let words: String

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "sign": sign
        case "words": words
        default: nil
        }
    }
}

/// How a change affected the lines of one file.
struct LineChanges: Sendable {
    private var changes: [Int: LineChange] = [:]
    /// `2 of 5 changed lines are covered against origin/main`; `nil` for a file without executable lines that changed.
    let summary: String?

    init(_ status: ChangeStatus?, path: String) {
        let file = status?.files.first { Name($0.path) == Name(path) }
        let untouched = status?.indirect.first { Name($0.path) == Name(path) }
        summary = file.flatMap { file in
            guard let status, file.tally.total > 0 else { return nil }
            return "\(Figures.tally(file.tally)) changed lines covered against \(status.base.name)"
        }
        mark(file?.added ?? [], LineChange(sign: "+", words: "added or changed"))
        mark(file?.debt ?? [], LineChange(sign: "~", words: "moved here, and not covered before either"))
        mark(untouched?.lost ?? [], LineChange(sign: "−", words: "unchanged, but covered at the base"))
        mark(untouched?.gained ?? [], LineChange(sign: "↑", words: "unchanged, and not covered at the base"))
        mark(untouched?.unstable ?? [], LineChange(sign: "?", words: "unstable: runs of the same tree disagree"))
    }

    private mutating func mark(_ ranges: [ClosedRange<Int>], _ change: LineChange) {
        for range in ranges where range.lowerBound <= SourceText.longest {
            for line in range.lowerBound...min(range.upperBound, SourceText.longest) { changes[line] = change }
        }
    }

    subscript(line: Int) -> LineChange? { changes[line] }
}
