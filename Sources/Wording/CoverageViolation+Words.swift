public import Gate
import RunModel

extension CoverageViolation {
    /// `the change` · `line coverage 66.6 % < 90 %: 8 of 12 changed lines.` · `Cover any 3 of these 4 lines:`
    public var words: ViolationWords {
        let floor = "line coverage \(Figures.percent(tally)) < \(Figures.percent(limit)): \(Figures.tally(tally))"
        let lines = listed == 0 ? "No line is known to be missed." : Figures.cure(shortfall, of: listed)
        switch rule {
        case .patch: return ViolationWords(subject: "the change", reason: "\(floor) changed lines.", cure: lines)
        case .project: return ViolationWords(subject: "the project", reason: "\(floor) lines.", cure: lines)
        case .file(let path): return ViolationWords(subject: path, reason: "\(floor) lines.", cure: lines)
        case .drop(let before):
            let points = "more than \(limit.description) points"
            return ViolationWords(
                subject: "the project",
                reason: "line coverage fell from \(Figures.percent(before)) to \(Figures.percent(tally)), \(points): "
                    + "\(Figures.tally(tally)) lines, at the base \(Figures.tally(before)) of those still there.",
                cure: lines
            )
        }
    }

    /// The rule in a headline: `the change is under its floor`.
    var headline: String {
        switch rule {
        case .patch, .project, .file: "\(words.subject) is \(Figures.underFloor())"
        case .drop: "\(words.subject) fell too far"
        }
    }

    private var listed: Int { files.reduce(0) { $0 + $1.missed } }
}

extension Violation {
    /// The missed lines to choose from, for a rule on coverage; the worst files first.
    public var missedFiles: [MissedFile]? {
        switch self {
        case .floorMissed(let floor): floor.files
        case .coverageMissed(let rule): rule.files
        case .buildFailed, .testFailed, .tooFewTests, .gateChange, .testFlaky, .quarantineBroken, .budgetExceeded: nil
        }
    }
}

extension Figures {
    /// The smallest fix for missed lines: `Cover any 24 of these 61 lines:`.
    static func cure(_ shortfall: Int, of listed: Int) -> String {
        shortfall >= listed
            ? "Cover \(listed == 1 ? "this line" : "all of these \(grouped(listed)) lines"):"
            : "Cover any \(grouped(shortfall)) of these \(counted(listed, "line")):"
    }
}
