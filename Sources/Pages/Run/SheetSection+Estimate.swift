import Gate
import RunModel
import Wording

extension SheetSection {
    /// What all tests would have covered, on the page of a run that left some out.
    init(estimate: CoverageEstimate, links: Links) {
        self.init(
            "Estimated coverage", note: estimate.sentence,
            CellTable(
                ["Module", "Lines covered", "#Lines"],
                estimate.modules.map { module in
                    [
                        .name(module.name, nil), Cell(style: "bars", bar: Bar(module.lines, floor: nil)),
                        .tally(module.lines, "Lines"),
                    ]
                }),
            more: [links.find(.run(estimate.base)).map { Link("Run \(estimate.base.short)", $0) }])
    }
}
