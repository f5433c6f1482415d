public import Gate
public import RunModel
import Wording

/// A question that a page asks back, as a form that only reads.
struct Question: Sendable {
    let action: String
    let label: String
    let name: String
    let value: String
    let unit: String
    let verb: String
}

extension SheetPage {
    /// The policy by which a run was judged, rule by rule, and what another floor would say of the same run.
    ///
    /// - Parameter whatIf: A floor on the lines of every module, and the verdict by it; nothing of it is stored.
    public static func policy(
        _ run: RunSummary, _ verdict: Verdict, whatIf: (floor: Percentage, verdict: Verdict)?,
        links: Links = .dashboard
    ) -> SheetPage {
        let asked = whatIf.map { "\($0.floor)" } ?? ""
        return SheetPage(
            frame: PageFrame(
                title: "Policy of run \(run.id.short)",
                crumbs: [
                    Link(run.project, links.project(run.project)),
                    Link("run \(run.id.short)", links.href(.run(run.id))),
                ],
                here: "policy", links: links),
            sign: Sign(style: verdict.decision.rawValue, text: verdict.decision.sign),
            heading: "Policy", summary: "The rules of \(run.runWords).",
            question: Question(
                action: links.href(.policy(run.id)), label: "What if every module needed", name: "line", value: asked,
                unit: "% of its lines?", verb: "Judge again"),
            sections: (whatIf.map { [self.whatIf($0.floor, $0.verdict, against: verdict, run.id, links)] } ?? []) + [
                SheetSection(
                    "Floors of modules",
                    CellTable(["Module", "#Lines", "#Regions", "#Functions"], floors(verdict, run.id, links))),
                SheetSection(
                    "Other rules",
                    CellTable(
                        ["Rule", "Requirement"],
                        verdict.policy.demands.map { [.name($0.name, nil), .words($0.words ?? "off")] })),
            ])
    }

    private static func floors(_ verdict: Verdict, _ run: RunID, _ links: Links) -> [[Cell]] {
        verdict.modules.map { status in
            [.module(status, run, links)]
                + CoverageMetric.allCases.map { metric in
                    let tally = status.tally(metric)
                    guard let floor = status.floors[metric] else { return .figure("–", metric.heading) }
                    return .figure(
                        Figures.percent(floor), metric.heading,
                        detail: "\(Figures.percent(tally)), \(Figures.tally(tally))",
                        isBad: status.isUnderFloor(metric))
                }
        }
    }

    private static func whatIf(
        _ floor: Percentage, _ verdict: Verdict, against stored: Verdict, _ run: RunID, _ links: Links
    ) -> SheetSection {
        let modules = verdict.modules.filter { $0.absence == nil }
        let rows = modules.map { status -> [Cell] in
            let before = stored.modules.first { Name($0.module) == Name(status.module) }
            return [
                .module(status, run, links), .tally(status.lines, "Lines"),
                floorState(before, "As judged"), floorState(status, "With that floor"),
            ]
        }
        return SheetSection(
            "With \(Figures.percent(floor)): \(verdict.decision.word.lowercased()), as judged: "
                + stored.decision.word.lowercased(),
            CellTable(["Module", "#Lines", "As judged", "With that floor"], rows))
    }

    private static func floorState(_ status: ModuleCoverage?, _ label: String) -> Cell {
        guard let status, status.floors.line != nil else { return .words("–", label) }
        let isUnder = status.isUnderFloor(.line)
        return Cell(
            style: isUnder ? "state failed" : "state passed", label: label, sign: isUnder ? "✕" : "✓",
            text: BreakableText(isUnder ? "under its floor" : "reached"))
    }
}
