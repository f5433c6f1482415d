import Foundation
import RunModel

extension DeliveringMachine {
    /// The machines behind delivered runs and remembered calls, the one that was heard from last first.
    ///
    /// A machine is told by its name and its token: a name is what somebody says of themselves, and no token speaks for another one.
    ///
    /// - Parameters:
    ///   - runs: The delivered runs that count.
    ///   - records: What is remembered of the machines.
    ///   - first: The first day whose refusals count, in days since 1970.
    static func all(_ runs: [DeliveredRuns], _ records: [MachineRecord], since first: Int) -> [DeliveringMachine] {
        let runs = Dictionary(grouping: runs) { Key(host: $0.host.map { Name($0) }, token: Name($0.token)) }
        let records = Dictionary(grouping: records) { Key(host: $0.host.map { Name($0) }, token: Name($0.token)) }
        return Set(runs.keys).union(records.keys)
            .map { DeliveringMachine($0, runs[$0] ?? [], records[$0] ?? [], since: first) }
            .sorted { left, right in
                let (one, other) = (left.lastHeard ?? .distantPast, right.lastHeard ?? .distantPast)
                guard one == other else { return one > other }
                return (Name(left.host ?? ""), Name(left.token)) < (Name(right.host ?? ""), Name(right.token))
            }
    }

    private struct Key: Hashable {
        let host: Name?
        let token: Name
    }

    private init(_ key: Key, _ runs: [DeliveredRuns], _ records: [MachineRecord], since first: Int) {
        let trust = Set<Trust>(runs.isEmpty ? records.map { $0.isAttested ? .ci : .laptop } : runs.map(\.trust))
        // The newest last: what it said last counts.
        let records = records.sorted { $0.heard < $1.heard }
        self.init(
            host: key.host?.text, token: key.token.text,
            trust: Trust.allCases.reversed().filter(trust.contains), runs: runs.reduce(0) { $0 + $1.count },
            lastHeard: (runs.map(\.latest) + records.map(\.heard)).max(),
            waiting: records.last { $0.waiting != nil }?.waiting,
            version: records.last { $0.version != nil }?.version,
            refusals: records.flatMap(\.refused).filter { $0.day >= first }
                .reduce(into: [:]) { $0[$1.code, default: 0] += $1.count },
            lastRefusal: records.compactMap(\.lastRefusal).max { $0.moment < $1.moment })
    }
}
