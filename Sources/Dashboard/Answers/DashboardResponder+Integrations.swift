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

    /// So many commits that begin alike are looked at.
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

    /// The run that a permalink means.
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
        var lines = [
            "# HELP kanmon_runs Runs that are stored.", "# TYPE kanmon_runs gauge",
        ]
        lines += states.map { "kanmon_runs{project=\"\($0.name.metricLabel)\"} \($0.runs)" }
        lines += [
            "# HELP kanmon_passed Whether the latest run of the default branch passed, with no failure let through.",
            "# TYPE kanmon_passed gauge",
        ]
        lines += states.compactMap { state in
            state.latest.map {
                "kanmon_passed{project=\"\(state.name.metricLabel)\"} \($0.hasPassed ? 1 : 0)"
            }
        }
        lines += [
            "# HELP kanmon_lines_covered Lines that the latest run of the default branch covered.",
            "# TYPE kanmon_lines_covered gauge",
        ]
        lines += states.compactMap { state in
            state.latest?.lines.map {
                "kanmon_lines_covered{project=\"\(state.name.metricLabel)\"} \($0.covered)"
            }
        }
        lines += [
            "# HELP kanmon_lines Executable lines in the latest run of the default branch.",
            "# TYPE kanmon_lines gauge",
        ]
        lines += states.compactMap { state in
            state.latest?.lines.map { "kanmon_lines{project=\"\(state.name.metricLabel)\"} \($0.total)" }
        }
        lines += [
            "# HELP kanmon_quarantine_ending Entries of the quarantine of the default branch that have ended, or end soon.",
            "# TYPE kanmon_quarantine_ending gauge",
        ]
        lines += states.map { "kanmon_quarantine_ending{project=\"\($0.name.metricLabel)\"} \($0.expiring.count)" }
        lines += [
            "# HELP kanmon_green_by_retry Runs of the last \(SheetPage.flakyDays) days that passed, and in which a retry hid a flaky test.",
            "# TYPE kanmon_green_by_retry gauge",
        ]
        lines += states.map { "kanmon_green_by_retry{project=\"\($0.name.metricLabel)\"} \($0.hiddenFlakes)" }
        if reader.seesEverything {
            let waiting = memory.figures
            lines += [
                "# HELP kanmon_answer_bytes Bytes of answers that clients have not read yet.",
                "# TYPE kanmon_answer_bytes gauge", "kanmon_answer_bytes \(waiting.bytes)",
                "# HELP kanmon_answers_refused_total Answers that were refused because too many waited to be read.",
                "# TYPE kanmon_answers_refused_total counter", "kanmon_answers_refused_total \(waiting.refused)",
            ]
        }
        lines += WebhookStanding.lines(of: try webhookStandings())
        if let desk, reader.seesEverything {
            lines += counts.lines + desk.lines(at: now()) + DeliveringMachine.lines(of: try machines())
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
