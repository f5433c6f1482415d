import Gate
import RunModel
import Wording

extension TextReport {
    /// Every rule on coverage that is missed: the formula, the smallest fix, and the lines, worst files first.
    mutating func writeFloors() {
        for violation in verdict.violations {
            guard let files = violation.coverage?.files else { continue }
            lines.append("")
            let sign = style.painted("✕", .red)
            lines.append("\(sign) \(TerminalText.safe(violation.sentence))" + (violation.hint.map { " \($0)" } ?? ""))
            if let words = owners.words(of: violation) { lines.append("    \(TerminalText.safe(words))") }
            for file in files.prefix(ReportLimits.files) {
                write(file)
                writeParts(
                    of: file.path, among: violation.subject == .change ? verdict.change?.added(to: file.path) : nil)
            }
            let rest = files.dropFirst(ReportLimits.files)
            if !rest.isEmpty {
                let missed = Figures.counted(rest.reduce(0) { $0 + $1.missed }, "line")
                lines.append("    … \(missed) in \(Figures.counted(rest.count, "more file"))")
            }
        }
    }

    /// `path:41–58, 70, …`, broken between ranges where the line is full.
    private mutating func write(_ file: MissedFile) {
        var line = "    \(TerminalText.safe(file.path)):"
        let missed = MissedLines(file.ranges, atMost: ReportLimits.ranges)
        var isFirst = true
        for range in missed.ranges {
            let next = (isFirst ? "" : ", ") + Figures.lines(range)
            if !isFirst, TerminalText.width(line) + TerminalText.width(next) > style.columns {
                lines.append(line + ",")
                line = "      " + Figures.lines(range)
            } else {
                line += next
            }
            isFirst = false
        }
        lines.append(line + (missed.more.map { ", … \($0)" } ?? ""))
    }

    /// Lines that were executed in part: places to look at for whoever covers the lines around them.
    ///
    /// - Parameter lines: Only these lines are mentioned; all for `nil`.
    private mutating func writeParts(of path: String, among lines: [ClosedRange<Int>]?) {
        let file = run.coverage?.files.first { Name($0.path) == Name(path) }
        let parts = (file?.unexecuted?.parts ?? []).filter { part in
            lines.map { $0.contains { $0.contains(Int(part.line)) } } ?? true
        }
        guard !parts.isEmpty else { return }
        let words = parts.prefix(ReportLimits.parts).map { $0.words(in: source(path, Int($0.line))) }
        let rest = parts.count - ReportLimits.parts
        let more = rest > 0 ? ", … \(Figures.counted(rest, "more part"))" : ""
        self.lines.append(style.painted("      in part: \(words.joined(separator: ", "))\(more)", .dim))
    }

    /// The table of modules with their floors.
    mutating func writeModules() {
        // A selection runs few tests on purpose, so what they cover of a module says nothing.
        guard !verdict.modules.isEmpty, run.coverage != nil, run.selection.mappedBy == nil else { return }
        let rows = verdict.modules.map { status in
            [
                TerminalText.safe(status.module), Figures.percent(status.lines), Figures.tally(status.lines),
                Figures.percent(status.regions), Figures.percent(status.functions),
                status.floors.words,
            ]
        }
        let titles = [
            "Module", CoverageMetric.line.heading, "", CoverageMetric.region.heading, CoverageMetric.function.heading,
            "Floor",
        ]
        let measured = zip(rows, verdict.modules).filter { $1.absence == nil }.map(\.0)
        var widths = titles.indices.map { column in
            ([titles] + measured).map { TerminalText.width($0[column]) }.max() ?? 0
        }
        let names = rows.map { TerminalText.width($0[0]) }.max() ?? 0
        let others = widths.dropFirst().reduce(0) { $0 + $1 + 2 } + 2
        widths[0] = max(titles[0].count, min(names, max(12, style.columns - others)))

        lines += ["", style.painted("  " + row(titles, widths), .dim)]
        for (cells, status) in zip(rows, verdict.modules) {
            let state = status.state
            if let absence = status.absence {
                let name = TerminalText.fitted(cells[0], to: widths[0])
                lines.append(style.painted("\(state.sign) \(name)  \(TerminalText.safe(absence))", .dim))
            } else {
                let paint: TextStyle.Paint =
                    switch state {
                    case .underFloor: .red
                    case .atFloor: .green
                    case .notRecorded: .yellow
                    case .notJudged, .notMeasurable: .dim
                    }
                let sign = style.painted(state.sign, paint)
                let excluded = status.excludedFiles
                let suffix = excluded > 0 ? "  \(Figures.counted(excluded, "file")) excluded" : ""
                lines.append("\(sign) \(row(cells, widths))\(suffix)")
            }
        }
        lines.append(
            style.painted("  Lines are distinct executable lines; llvm-cov report counts them per function.", .dim))
        writeUnstable()
    }

    /// What all tests would have covered, module by module where there are several.
    mutating func writeEstimate() {
        guard let estimate = verdict.estimate else { return }
        lines += ["", estimate.sentence]
        guard estimate.modules.count > 1 else { return }
        let names = estimate.modules.map { TerminalText.safe($0.name) }
        let width = names.map { TerminalText.width($0) }.max() ?? 0
        for (name, module) in zip(names, estimate.modules) {
            let figures = "\(Figures.percent(module.lines))  \(Figures.tally(module.lines))"
            lines.append(style.painted("  \(TerminalText.fitted(name, to: width))  \(figures)", .dim))
        }
    }

    /// The unstable lines: because the tests do not always cover them, they help to reach no floor.
    private mutating func writeUnstable() {
        guard let words = verdict.unstable.words else { return }
        lines.append("  unstable: \(TerminalText.safe(words))")
        lines.append(style.painted("    \([UnstableFile].meaning)", .dim))
    }

    private func row(_ cells: [String], _ widths: [Int]) -> String {
        let fitted = zip(cells, widths).enumerated().map { column, cell in
            let isLast = column == cells.count - 1
            return isLast ? cell.0 : TerminalText.fitted(cell.0, to: cell.1, rightAligned: (1...4).contains(column))
        }
        return fitted.joined(separator: "  ")
    }
}

extension ChangeStatus {
    /// The lines of a file that were added or changed.
    fileprivate func added(to path: String) -> [ClosedRange<Int>] {
        files.first { Name($0.path) == Name(path) }?.added ?? []
    }
}
