import Foundation
import RunModel

extension DeliveringMachine {
    /// The lines of the metrics about machines.
    static func lines(of machines: [DeliveringMachine]) -> [String] {
        Metric.runsWaiting.text(machines.compactMap { machine in machine.waiting.map { machine.sample($0) } })
            + Metric.machineHeard.text(
                machines.compactMap { machine in
                    machine.lastHeard.map { moment in
                        machine.sample(Int(exactly: moment.timeIntervalSince1970.rounded(.down)) ?? 0)
                    }
                })
    }

    private func sample(_ value: Int) -> Metric.Sample {
        Metric.Sample(value, ["machine": host ?? "", "token": token])
    }
}
