package import Access
import Evidence
package import Foundation
import Gate
package import Pages
import RunModel
package import Storage

/// What a receiver is told of a project: what changed on its default branch from one state to the next, as the page that compares the
/// two shows it, and which exceptions end soon.
package struct WebhookNews {
    /// How many tests or exceptions a message names; behind them there is only their number.
    static let mostNames = 100
    /// How many flaky tests of a run are looked up, each of which asks the store.
    private static let mostFlaky = 1000
    /// How many earlier runs a flaky test must have been steady in, to be a new one.
    private static let earlierRuns = 50
    /// How many days before its end an exception is told.
    static let days = QuarantineEntry.daysAhead
    /// The longest name, in bytes.
    private static let longestName = 1024

    let store: RunStore
    /// The public address of the dashboard, if it is known.
    let root: String?
    let links: Links

    package init(store: RunStore, root: String?, links: Links) {
        (self.store, self.root, self.links) = (store, root, links)
    }

    /// The body of a message.
    private struct Body<Content: Encodable>: Encodable {
        let type: String
        let timestamp: Date
        let data: Content
    }

    /// A run, and where its page is.
    private struct RunData: Encodable {
        let id: String
        let commit: String?
        let decision: String
        let link: String?
    }

    private struct TestsData: Encodable {
        let project: String
        let branch: String?
        let run: RunData
        let before: RunData?
        let count: Int
        let tests: [String]
        let comparison: String?
    }

    /// An entry of the quarantine or a waiver that ends soon.
    private struct Exception: Encodable {
        let kind: String
        let name: String
        let until: String
        let owner: String?
        let reason: String

        /// What tells it from others; a prolonged one is another.
        var key: String { Digest.sha256(Array("\(kind)\n\(until)\n\(owner ?? "")\n\(name)".utf8)) }
    }

    private struct ExceptionsData: Encodable {
        let project: String
        let branch: String?
        let run: RunData
        let count: Int
        let exceptions: [Exception]
    }

    /// A message that tells data; its id is that of what it tells, so that it is the same if it is made again.
    package static func message(
        _ type: String, _ data: some Encodable, about words: [String], at moment: Date
    ) throws -> WebhookMessage {
        let body = try JSONEncoder.steady.encode(Body(type: type, timestamp: moment, data: data))
        let id = Digest.sha256(Array(([type] + words).joined(separator: "\n").utf8)).prefix(32)
        return WebhookMessage(
            id: "msg_\(id)", type: type, body: String(decoding: body, as: UTF8.self), created: moment)
    }

    /// The messages of the step from one state of a branch to the next.
    ///
    /// - Parameter before: The last state before it in which tests ran.
    func changes(
        to run: RunSummary, from before: RunSummary?, on branch: String?, for hook: Webhook, at moment: Date
    ) throws -> [WebhookMessage] {
        guard !run.isUntested else { return [] }
        var found: [(event: Webhook.Event, tests: [TestID])] = []
        if let before, before.id != run.id, !Set(hook.events).isDisjoint(with: [.broke, .fixed]) {
            let comparison = try store.compare(before.id, run.id)
            found = [
                (.broke, (comparison.tests(.regressed) + comparison.tests(.addedFailing)).map(\.id)),
                (.fixed, comparison.tests(.fixed).map(\.id)),
            ]
        }
        if hook.events.contains(.flaky) { found.append((.flaky, try newFlaky(in: run, on: branch))) }
        return try found.filter { hook.events.contains($0.event) && !$0.tests.isEmpty }.map { event, tests in
            let data = TestsData(
                project: run.project, branch: branch, run: facts(run), before: before.map(facts), count: tests.count,
                tests: tests.prefix(Self.mostNames).map { Self.cut($0.description) },
                comparison: before.flatMap { link(.compare($0.id, run.id)) })
            return try Self.message(event.type, data, about: [hook.id, Self.state(run)], at: moment)
        }
    }

    /// The tests that are flaky in a run, and were not in the runs of the branch before.
    private func newFlaky(in run: RunSummary, on branch: String?) throws -> [TestID] {
        let flaky = try store.notableResults(of: run.id).filter(\.isFlaky)
        return try flaky.prefix(Self.mostFlaky).map(\.id).filter { test in
            try store.history(of: test, project: run.project, before: run.id, runs: Self.earlierRuns).allSatisfy {
                guard $0.isExact, branch == nil || $0.branch.map(Name.init) == branch.map(Name.init) else {
                    return true
                }
                return $0.attempts < 2 || $0.outcome.isFailure
            }
        }
    }

    /// The message of the exceptions in force that end soon and were not told yet; notes in `told` that they are told now.
    func expiring(
        in run: RunSummary, on branch: String?, for hook: Webhook, told: inout [String: String], at moment: Date
    ) throws -> WebhookMessage? {
        let today = CalendarDay(moment)
        told = told.filter { $0.value >= today.description }
        guard hook.events.contains(.expiring), let verdict = try store.verdict(of: run) else { return nil }
        let reviews = [verdict.base].compactMap { $0 } + (verdict.base?.others ?? [])
        let entries = verdict.quarantine.filter(\.isInForce).map(\.entry).map { entry in
            (
                entry.expires,
                Exception(
                    kind: "quarantine", name: Self.cut(entry.test), until: entry.expires.description,
                    owner: Self.cut(entry.owner), reason: Self.cut(entry.reason))
            )
        }
        let waivers = reviews.flatMap(\.waivers).filter { [.used, .standing].contains($0.state) }.map(\.waiver).map {
            (
                $0.until,
                Exception(
                    kind: "waiver", name: Self.cut($0.subject), until: $0.until.description,
                    owner: Self.cut($0.commit), reason: Self.cut($0.reason))
            )
        }
        var exceptions: [Exception] = []
        for (until, exception) in entries + waivers where until >= today && until <= today.adding(days: Self.days) {
            if told.updateValue(exception.until, forKey: exception.key) == nil { exceptions.append(exception) }
        }
        guard !exceptions.isEmpty else { return nil }
        let data = ExceptionsData(
            project: run.project, branch: branch, run: facts(run), count: exceptions.count,
            exceptions: Array(exceptions.prefix(Self.mostNames)))
        return try Self.message(
            Webhook.Event.expiring.type, data,
            about: [hook.id, run.project] + exceptions.map(\.key), at: moment)
    }

    /// What tells a state of a branch from others: a tree that comes back is another state with the same run.
    static func state(_ run: RunSummary) -> String { "\(run.id) \(run.revision?.commit ?? "")" }

    private func facts(_ run: RunSummary) -> RunData {
        RunData(
            id: run.id.description, commit: run.revision?.commit, decision: run.decision.rawValue,
            link: link(run.route))
    }

    private func link(_ route: Route) -> String? { root.map { $0 + links.href(route) } }

    /// The beginning of a name: tests and people may have any.
    private static func cut(_ text: String) -> String {
        text.utf8.count <= longestName ? text : String(decoding: text.utf8.prefix(longestName), as: UTF8.self)
    }
}
