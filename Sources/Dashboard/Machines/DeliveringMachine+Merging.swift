import Foundation
import RunModel

extension DeliveringMachine {
    /// The machines behind delivered runs and remembered calls, the one that was heard from last first.
    ///
    /// - Parameters:
    ///   - runs: The delivered runs that count.
    ///   - records: What is remembered of the machines.
    ///   - first: The first day whose refusals count, in days since 1970.
    static func all(_ runs: [DeliveredRuns], _ records: [MachineRecord], since first: Int) -> [DeliveringMachine] {
        let runs = Dictionary(grouping: runs) { $0.host.map { Name($0) } }
        let records = Dictionary(grouping: records) { $0.host.map { Name($0) } }
        return Set(runs.keys).union(records.keys)
            .map { DeliveringMachine($0?.text, runs[$0] ?? [], records[$0] ?? [], since: first) }
            .sorted { left, right in
                let (one, other) = (left.lastHeard ?? .distantPast, right.lastHeard ?? .distantPast)
                return one == other ? Name(left.host ?? "") < Name(right.host ?? "") : one > other
            }
    }

    private init(_ host: String?, _ runs: [DeliveredRuns], _ records: [MachineRecord], since first: Int) {
        let trust = Set<Trust>(runs.isEmpty ? records.map { $0.isAttested ? .ci : .laptop } : runs.map(\.trust))
        // The newest last: what it said last counts.
        let records = records.sorted { $0.heard < $1.heard }
        self.init(
            host: host, tokens: Set(runs.map(\.token) + records.map(\.token)).sorted(),
            trust: Trust.allCases.reversed().filter(trust.contains), runs: runs.reduce(0) { $0 + $1.count },
            lastHeard: (runs.map(\.latest) + records.map(\.heard)).max(),
            waiting: records.last { $0.waiting != nil }?.waiting,
            version: records.last { $0.version != nil }?.version,
            refusals: records.flatMap(\.refused).filter { $0.day >= first }
                .reduce(into: [:]) { $0[$1.code, default: 0] += $1.count },
            lastRefusal: records.compactMap(\.lastRefusal).max { $0.moment < $1.moment })
    }
}
