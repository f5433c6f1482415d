import Foundation
import RunModel

extension DeliveringMachine {
    /// The lines of the metrics about machines: those of a token that are told one by one.
    static func lines(of machines: [DeliveringMachine]) -> [String] {
        let machines = machines.filter { $0.others == nil }
        let waiting = machines.compactMap { machine in machine.waiting.map { machine.sample($0) } }
        let heard = machines.compactMap { machine in
            machine.lastHeard.map { moment in
                machine.sample(Int(exactly: moment.timeIntervalSince1970.rounded(.down)) ?? 0)
            }
        }
        return Metric.runsWaiting.text(waiting) + Metric.machineHeard.text(heard)
    }

    private func sample(_ value: Int) -> Metric.Sample {
        Metric.Sample(value, ["machine": host ?? "", "token": token])
    }
}
