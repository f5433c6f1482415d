public import Foundation
public import RunModel

extension RunStore {
    /// The runs that machines delivered, counted by project, machine, token and trust.
    ///
    /// Of a project and a token the 500 machines are told one by one that delivered last. The runs of all others are counted together, by
    /// trust; a machine that delivered runs of more than one kind counts with each of them.
    ///
    /// - Parameters:
    ///   - since: Runs that began earlier do not count.
    ///   - scope: The projects.
    public func deliveredRuns(since: Date, in scope: ProjectScope = .all) throws(StorageError) -> [DeliveredRuns] {
        try deliveredRuns(since: since, in: scope, most: DeliveringMachine.mostOfToken)
    }

    /// The same with another number of machines that are told one by one.
    func deliveredRuns(
        since: Date, in scope: ProjectScope = .all, most: Int
    ) throws(StorageError) -> [DeliveredRuns] {
        try read { connection in
            var found: [DeliveredRuns] = []
            for project in try connection.projects(in: scope) {
                var machines = MachinesOfTokens(most: most)
                try connection.statement(.deliveredRuns).forEach(since.nanosecondsSince1970 ?? .min, project) { row in
                    let trust: Trust =
                        !row.flag(4) ? .workingCopy : row.flag(7) ? .distrusted : row.flag(3) ? .ci : .laptop
                    machines.add(
                        DeliveredRuns(
                            project: row.text(0), host: row.optionalText(1), token: row.text(2), trust: trust,
                            count: row.int(5), latest: Date(timeIntervalSinceReferenceDate: Double(row.integer(6)))))
                }
                found += machines.all
            }
            return found
        }
    }
}

/// The runs of one project by token and machine, as far as the machines of a token are told one by one.
private struct MachinesOfTokens {
    private struct OfToken {
        var hosts: Set<Name?> = []
        var others: [Trust: DeliveredRuns] = [:]
    }

    let most: Int
    private var told: [DeliveredRuns] = []
    private var tokens: [Name: OfToken] = [:]

    init(most: Int) { self.most = most }

    /// Those that are told one by one, then the sums.
    var all: [DeliveredRuns] { told + tokens.values.flatMap(\.others.values) }

    /// Adds the runs of a machine; those of a token come with the latest first.
    mutating func add(_ runs: DeliveredRuns) {
        let host = runs.host.map { Name($0) }
        var ofToken = tokens[Name(runs.token)] ?? OfToken()
        if ofToken.hosts.contains(host) || ofToken.hosts.count < most {
            ofToken.hosts.insert(host)
            told.append(runs)
        } else {
            var sum =
                ofToken.others[runs.trust]
                ?? DeliveredRuns(
                    project: runs.project, host: nil, token: runs.token, trust: runs.trust, count: 0,
                    latest: runs.latest, others: 0)
            sum.count += runs.count
            sum.latest = max(sum.latest, runs.latest)
            sum.others = (sum.others ?? 0) + 1
            ofToken.others[runs.trust] = sum
        }
        tokens[Name(runs.token)] = ofToken
    }
}
