import Application
import Exports
import Foundation
import Gate
import RunModel
import Storage
import Wording

/// How one test fared over months, as it is printed.
struct FlakeReport {
    /// How many machines, toolchains and kinds of failures are printed.
    private static let most = 10

    private let history: FlakeHistory
    private let proposal: QuarantineProposal?

    /// Looks a test up by its name or the end of it.
    ///
    /// - Parameters:
    ///   - since: Only runs that began then or later.
    ///   - today: The day from which a proposed quarantine is counted.
    init(of name: String, project: String, since: Date, in store: RunStore, today: CalendarDay) throws {
        let test = try Self.identity(of: name, project: project, in: store)
        guard
            let history = try store.flakeHistory(
                of: test, project: project, since: since, runs: FlakeHistory.mostRuns)
        else { throw Problem(.usage, "no run has the test '\(name)'", hint: "kanmon flaky") }
        self.history = history
        proposal = QuarantineProposal(
            history, owners: try store.owners(of: [test], project: project)[test] ?? [],
            quarantine: try store.quarantine(of: project), today: today)
    }

    /// The test that has this name, or the only one whose name ends so.
    private static func identity(of name: String, project: String, in store: RunStore) throws -> TestID {
        var exact: TestID?
        var ends: [TestID] = []
        try store.forEachTest(project: project) { test in
            let text = test.id.description
            if Name(text) == Name(name) { exact = test.id }
            if text.hasSuffix("/\(name)") || text.hasSuffix(".\(name)") { ends.append(test.id) }
            return exact == nil
        }
        if let exact { return exact }
        if ends.count == 1 { return ends[0] }
        throw Problem(
            .usage,
            ends.isEmpty
                ? "no test of \(project) is '\(name)', or ends so" : "\(ends.count) tests end with '\(name)'",
            hint: ends.isEmpty
                ? "kanmon flaky" : ends.prefix(5).map { TerminalText.safe($0.description) }.joined(separator: ", or "))
    }

    /// For programs.
    var form: FlakeForm { FlakeForm(history, proposal) }

    /// For a person.
    var text: String {
        var lines = [history.headline, "Looked at: \(history.window)."]
        if let first = history.firstChange, let last = history.lastChange {
            lines.append("First change of outcome: \(first.words)")
            lines.append("Last change of outcome:  \(last.words)")
        }
        for place in history.machines.prefix(Self.most) { lines.append("on \(place.name): \(place.rate.words)") }
        for place in history.toolchains.prefix(Self.most) { lines.append("with \(place.name): \(place.rate.words)") }
        if let company = history.company { lines.append(company) }
        if let hours = history.failingHours { lines.append("fails in runs that begin at, in UTC: \(hours)") }
        for failure in history.failures.prefix(Self.most) {
            lines.append(
                "says in \(Figures.counted(failure.count, "run")), first in \(failure.first.words): \(failure.said)")
        }
        if let proposal {
            lines += ["Proposed: \(proposal.words). \(proposal.advice)", "  \(proposal.command)"]
        }
        return ([history.test.id.description] + lines.map { "  \($0)" }).map { TerminalText.safe($0) }
            .joined(separator: "\n")
    }
}
