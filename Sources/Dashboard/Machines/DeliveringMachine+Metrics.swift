import Foundation
import RunModel

extension DeliveringMachine {
    /// The lines of the metrics about machines.
    static func lines(of machines: [DeliveringMachine]) -> [String] {
        [
            "# HELP kanmon_runs_waiting Runs that wait for delivery on a machine, as it said last.",
            "# TYPE kanmon_runs_waiting gauge",
        ]
            + machines.compactMap { machine in
                machine.waiting.map { "kanmon_runs_waiting\(machine.labels) \($0)" }
            } + [
                "# HELP kanmon_machine_heard_timestamp_seconds When a machine called last.",
                "# TYPE kanmon_machine_heard_timestamp_seconds gauge",
            ]
            + machines.compactMap { machine in
                machine.lastHeard.map { moment in
                    let seconds = Int64(exactly: moment.timeIntervalSince1970.rounded(.down)) ?? 0
                    return "kanmon_machine_heard_timestamp_seconds\(machine.labels) \(seconds)"
                }
            }
    }

    private var labels: String { "{machine=\"\((host ?? "").metricLabel)\",token=\"\(token.metricLabel)\"}" }
}
