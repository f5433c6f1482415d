import Foundation
import RunModel

extension DeliveringMachine {
    /// The machines behind delivered runs and remembered calls, the one that was heard from last first.
    ///
    /// A machine is told by its name and its token: a name is what somebody says of themselves, and no token speaks for another one. Of a
    /// token the newest 500 are told one by one, and all others together.
    ///
    /// - Parameters:
    ///   - runs: The delivered runs that count.
    ///   - records: What is remembered of the machines.
    ///   - first: The first day whose refusals count, in days since 1970.
    static func all(_ runs: [DeliveredRuns], _ records: [MachineRecord], since first: Int) -> [DeliveringMachine] {
        var others: [Name: DeliveringMachine] = [:]
        for sum in runs where sum.others != nil {
            others[Name(sum.token), default: DeliveringMachine(host: nil, token: sum.token)].add(
                DeliveringMachine(
                    host: nil, token: sum.token, trust: [sum.trust], runs: sum.count, lastHeard: sum.latest,
                    others: sum.others))
        }
        let runs = Dictionary(grouping: runs.filter { $0.others == nil }) {
            Key(host: $0.host.map { Name($0) }, token: Name($0.token))
        }
        let records = Dictionary(grouping: records) { Key(host: $0.host.map { Name($0) }, token: Name($0.token)) }
        let machines = Set(runs.keys).union(records.keys)
            .map { DeliveringMachine($0, runs[$0] ?? [], records[$0] ?? [], since: first) }
            .sorted(by: isFirst)
        var counts: [Name: Int] = [:]
        var told: [DeliveringMachine] = []
        for machine in machines {
            let token = Name(machine.token)
            counts[token, default: 0] += 1
            if counts[token, default: 0] <= mostOfToken {
                told.append(machine)
            } else {
                others[token, default: DeliveringMachine(host: nil, token: machine.token)].add(machine)
            }
        }
        return (told + others.values).sorted(by: isFirst)
    }

    /// Whether a machine was heard from later than another, or stands before it by its name.
    private static func isFirst(_ left: DeliveringMachine, _ right: DeliveringMachine) -> Bool {
        let (one, other) = (left.lastHeard ?? .distantPast, right.lastHeard ?? .distantPast)
        guard one == other else { return one > other }
        return (Name(left.host ?? ""), Name(left.token)) < (Name(right.host ?? ""), Name(right.token))
    }

    /// Adds another machine, or a sum of some, to a sum.
    private mutating func add(_ machine: DeliveringMachine) {
        others = (others ?? 0) + (machine.others ?? 1)
        let classes = Set(trust).union(machine.trust)
        trust = Trust.allCases.reversed().filter(classes.contains)
        runs += machine.runs
        lastHeard = [lastHeard, machine.lastHeard].compactMap { $0 }.max()
        if let count = machine.waiting { waiting = (waiting ?? 0) + count }
        refusals.merge(machine.refusals) { $0 + $1 }
        lastRefusal = [lastRefusal, machine.lastRefusal].compactMap { $0 }.max { $0.moment < $1.moment }
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
