import Foundation
import Gate
import HTTPTypes
import Pages
import RunModel
import Storage

extension DashboardResponder {
    /// The latest full run that answers for a project, or for one of its branches.
    func latest(project: String, branch: String?) async throws -> Route {
        guard let latest = try store.wholeRuns(project: project, branch: branch, limit: 1).first else {
            throw Refusal.notFound
        }
        return latest.route
    }

    /// How many commits with the same first digits are looked at.
    private static let mostCommits = 100

    /// The latest run of a commit, by at least four digits of its hash; a run of a working copy only if there is no
    /// other.
    ///
    /// - Throws: `Refusal.ambiguous` if several commits begin so, `.notFound` if none does.
    func latest(commit: String, of project: String?) async throws -> Route {
        let start = commit.lowercased()
        let scope = try scope(project)
        var candidates: [String: [RunSummary]] = [:]
        for name in try store.commits(beginning: start, in: scope, limit: Self.mostCommits) {
            candidates[name] = try store.verdicts(on: name, in: scope, limit: Self.pageSize)
        }
        for run in try store.runs(stagedForCommit: start, in: scope, limit: Self.pageSize) {
            candidates[run.revision?.madeCommit ?? "", default: []].append(run)
        }
        guard candidates.count < 2 else {
            throw Refusal.ambiguous(
                start, candidates: candidates.sorted { $0.key < $1.key }.compactMap { $0.value.first })
        }
        let runs = candidates.values.first ?? []
        guard let latest = runs.first(where: \.isOfBranch) ?? runs.first(where: \.isExact) ?? runs.first else {
            throw Refusal.notFound
        }
        return latest.route
    }

    /// The run that a permalink leads to.
    func run(of project: String, by link: Permalink) async throws -> Route {
        switch link {
        case .latest: return try await latest(project: project, branch: nil)
        case .commit(let commit): return try await latest(commit: commit, of: project)
        case .tree(let tree):
            // Only what may answer for a tree does: a person's machine never speaks for it.
            guard let latest = try store.runs(ofTree: tree.lowercased(), at: nil, project: project, limit: 1).first,
                latest.revision?.isExact == true, latest.isExact, !latest.isPartial
            else { throw Refusal.notFound }
            return latest.route
        }
    }

    /// The metrics, in the text format of Prometheus.
    func measure() async throws -> Answer {
        let states = try projects().map { try countedState(of: $0) }
        func ofProjects(_ metric: Metric, _ value: (ProjectState) -> Int?) -> [String] {
            metric.text(
                states.compactMap { state in value(state).map { Metric.Sample($0, ["project": state.name]) } })
        }
        var lines = ofProjects(.runs) { $0.runs }
        lines += ofProjects(.passed) { state in state.latest.map { $0.hasPassed ? 1 : 0 } }
        lines += ofProjects(.linesCovered) { $0.latest?.lines?.covered }
        lines += ofProjects(.lines) { $0.latest?.lines?.total }
        lines += ofProjects(.quarantineEnding) { $0.expiring.count }
        lines += ofProjects(.greenByRetry) { $0.hiddenFlakes }
        if reader.seesEverything {
            let waiting = memory.figures
            lines += Metric.answerBytes.text(of: waiting.bytes) + Metric.answersRefused.text(of: waiting.refused)
        }
        lines += WebhookStatus.lines(of: try webhookStatuses())
        if let deliveries, reader.seesEverything {
            lines += counts.lines + deliveries.lines(at: now()) + DeliveringMachine.lines(of: try machines())
        }
        return Answer(
            status: .ok, contentType: "text/plain; version=0.0.4; charset=utf-8",
            body: Array((lines.joined(separator: "\n") + "\n").utf8))
    }
}

extension String {
    /// The text as a value of a label. Bytes are escaped and not characters, because a character can contain a quote
    /// or a line break and more.
    var metricLabel: String {
        var label: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "\""): label += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): label += "\\n".utf8
            default: label.append(byte)
            }
        }
        return String(decoding: label, as: UTF8.self)
    }
}
