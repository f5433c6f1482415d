import Gate
import RunModel
import Wording

/// The modules in the order of the package.
struct ModuleTable: Sendable {
    let rows: [ModuleRow]
}

/// A module with its coverage against its floors.
struct ModuleRow: Sendable {
    let anchor: String
    let link: Link?
    let plainName: BreakableText?
    let style: String
    let sign: String
    let words: String
    let figures: ModuleFigures?
    /// Why there are no figures; `nil` if there are.
    let absence: String?
    let excluded: String?
    /// Who owns it, where it is under its floor and that is known.
    let owners: String?

    init(_ status: ModuleCoverage, number: Int, hasFiles: Bool, owners: String?) {
        self.owners = owners
        anchor = "module-\(number)"
        link = hasFiles ? Link(status.module, "#files-\(number)") : nil
        plainName = hasFiles ? nil : BreakableText(status.module)
        excluded = status.excludedFiles > 0 ? "\(Figures.counted(status.excludedFiles, "file")) excluded" : nil
        let state = status.state
        style =
            switch state {
            case .notMeasurable, .notJudged: "quiet"
            case .notRecorded: "undecided"
            case .underFloor: "failed"
            case .atFloor: "passed"
            }
        sign = state.sign
        words = state.words
        absence = status.absence
        figures = absence == nil ? ModuleFigures(status) : nil
    }
}

/// The figures of a module that is measured.
struct ModuleFigures: Sendable {
    let bar: Bar
    let floor: String
    let metrics: [Figure]

    init(_ status: ModuleCoverage) {
        bar = Bar(status.lines, floor: status.floors.line)
        floor = status.floors.line.map { Figures.percent($0) } ?? "–"
        metrics = CoverageMetric.allCases.map { Figure(status, $0) }
    }
}

/// A percentage with its integers and, if it is judged, its floor.
struct Figure: Sendable {
    let name: String
    let percent: String
    let fraction: String
    let floor: String?
    let isUnder: Bool

    init(_ status: ModuleCoverage, _ metric: CoverageMetric) {
        let tally = status.tally(metric)
        name = metric.heading
        percent = Figures.percent(tally)
        fraction = tally.total > 0 ? Figures.tally(tally) : ""
        // The floor on lines has a column of its own.
        floor = metric == .line ? nil : status.floors[metric].map { "floor \(Figures.percent($0))" }
        isUnder = status.isUnderFloor(metric)
    }
}
