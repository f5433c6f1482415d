import Gate
import RunModel

/// A column of figures in every list of runs, told once: what stands above it, and what it shows of a run.
struct RunColumn: Sendable {
    /// What is shown of a run: a figure, and below it in small what it consists of.
    struct Shown: Sendable {
        let text: String
        var detail: String?

        init(_ text: String, _ detail: String? = nil) { (self.text, self.detail) = (text, detail) }
    }

    /// What stands above it, and by what it orders a list.
    let head: Head
    /// What it is called where a page is too narrow for columns.
    let label: String
    /// Whether it is left out of a list where it has nothing to show.
    let isRare: Bool
    /// What it shows of a run; `nil` for nothing.
    let shown: @Sendable (RunSummary) -> Shown?

    private init(
        _ head: Head, label: String, isRare: Bool = false, shown: @escaping @Sendable (RunSummary) -> Shown?
    ) {
        self.head = head
        self.label = label
        self.isRare = isRare
        self.shown = shown
    }

    /// All of them, from left to right.
    static let all: [RunColumn] = [
        RunColumn("#Tests", label: "Tests") { run in
            Shown(Figures.grouped(run.outcomes.total), RunColumn.detail(run.outcomes))
        },
        RunColumn(.by(.coverage, "#Lines covered"), label: "Lines") { run in
            run.lines.map { Shown(Figures.percent($0), Figures.tally($0)) }
        },
        RunColumn(.by(.duration, "#Duration"), label: "Duration") { run in Shown(Figures.duration(run.duration)) },
        RunColumn("#Flaky", label: "Flaky", isRare: true) { run in
            run.recovered > 0 ? Shown(Figures.grouped(run.recovered)) : nil
        },
    ]

    private static func detail(_ outcomes: OutcomeTally) -> String? {
        let skipped = outcomes[.skipped]
        let notRun = outcomes[.notRun]
        let parts = [
            outcomes.failures > 0 ? "\(Figures.grouped(outcomes.failures)) failed" : nil,
            skipped > 0 ? "\(Figures.grouped(skipped)) skipped" : nil,
            notRun > 0 ? "\(Figures.grouped(notRun)) not run" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

/// A figure of a run in a list.
struct RunFigure: Sendable, TemplateValue {
    /// The name of its column, shown if the page is too narrow for columns.
    let label: String
    let text: String
    let detail: String?
    /// Whether there is nothing to show.
    let isMissing: Bool

    init(_ run: RunSummary, in column: RunColumn) {
        let shown = column.shown(run)
        label = column.label
        text = shown?.text ?? "–"
        detail = shown?.detail
        isMissing = shown == nil
    }

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "label": label
        case "text": text
        case "detail": detail
        case "isMissing": isMissing
        default: nil
        }
    }
}
