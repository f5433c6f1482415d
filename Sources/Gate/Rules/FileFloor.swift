import RunModel

extension GateChangeCode {
    static let fileFloorLowered = GateChangeCode(
        "file-floor-lowered", "The floor of every single file is lower than at the base, or gone.")
}

/// Every single file reaches a floor.
enum FileFloor: Rule {
    static let code = "file"
    static let changes: [GateChangeCode] = [.fileFloorLowered]
    private static let key = "coverage.files"

    static func demands(of policy: Policy) -> [Demand] {
        [Demand(name: "Every file", words: policy.fileFloor.map { "≥ \(Figures.percent($0)) of its lines" })]
    }

    static func compare(_ comparison: inout BaseComparison) {
        comparison.keepStricter(\.fileFloor, at: key, .fileFloorLowered, isLaxer: <)
    }

    static func judge(_ input: RuleInput, into findings: inout Findings) {
        guard input.isWhole, let floor = input.rules.fileFloor else { return }
        if input.lacksLines, floor > .zero { findings.addGap(withoutLinesFor: key) }
        for file in input.files where !file.lines.isEmpty && !floor.isReached(by: file.lineTally) {
            findings.violations.append(
                .fileMissed(
                    file.path,
                    MissedCoverage(
                        tally: file.lineTally, floor: floor, shortfall: floor.shortfall(of: file.lineTally),
                        files: [MissedFile](missedIn: [file]))))
        }
    }

    static func summary(_ count: Int) -> String { "\(Figures.counted(count, "file")) \(Figures.underFloor(count))" }
}

extension Violation {
    /// A file is under the floor of every file.
    public static func fileMissed(_ path: String, _ coverage: MissedCoverage) -> Violation {
        coverage.violation(of: FileFloor.self, .file(path), title: path)
    }
}
