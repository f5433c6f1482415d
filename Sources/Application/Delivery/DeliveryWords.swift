package import Delivery
import Exports
import Gate
import RunModel

/// What came of a delivery, in sentences for a person.
package struct DeliveryWords: Sendable {
    /// The most refusals that are told one by one.
    private static let mostRefusals = 3

    /// Fragments for "kanmon: …".
    package let lines: [String]
    /// What to do.
    package let hint: String?

    /// - Parameter own: The runs of the command that delivers.
    package init(_ report: OutboxSender.Report, to address: ServerAddress, own: [OwnRun]) {
        var lines: [String] = []
        var hint: String?
        let ids = Set(own.map(\.id))
        let mine = report.delivered.filter { ids.contains($0.id) }
        let earlier = report.delivered.count - mine.count
        let others = earlier > 0 ? "\(mine.isEmpty ? "" : " and ")\(Figures.counted(earlier, "earlier run"))" : ""
        if let run = mine.first, mine.count == 1 {
            let more = earlier > 0 ? ", with \(Figures.counted(earlier, "earlier run"))" : ""
            lines.append("delivered\(more): \(run.page ?? address.description)")
        } else if !report.delivered.isEmpty {
            lines.append(
                "delivered \(mine.isEmpty ? "" : Figures.counted(mine.count, "run"))\(others) to \(address)")
        }
        for run in mine {
            let judged = own.first { $0.id == run.id }
            guard let decision = run.decision, let verdict = judged?.decision.rawValue, decision != verdict
            else { continue }
            lines.append("the server judges run \(run.id.short) as \(TerminalText.safe(decision)), not as \(verdict)")
        }
        for refusal in report.refused.prefix(Self.mostRefusals) {
            lines.append("run \(refusal.id.short) is not delivered to \(address): \(refusal.error.reason)")
            hint = hint ?? refusal.error.hint
        }
        let more = report.refused.count - Self.mostRefusals
        if more > 0 { lines.append("\(Figures.counted(more, "more run")) not delivered either") }
        if !report.lost.isEmpty {
            lines.append(
                "\(Figures.counted(report.lost.count, "run")) cannot be delivered: the run "
                    + "\(report.lost.count == 1 ? "directory is" : "directories are") gone")
        }
        if report.waiting > 0 {
            let reason = report.failure.map { ": \($0.reason)" } ?? ""
            let them = report.waiting == 1 ? "it" : "them"
            lines.append("\(RunDelivery.wait(report.waiting)) for \(address)\(reason); kanmon push sends \(them)")
            hint = hint ?? report.failure?.hint
        }
        self.lines = lines
        self.hint = hint
    }
}
