import Foundation
import Gate
import RunModel
import Wording

/// A verdict of a server that is reused instead of running the tests: it was signed, and answers what was asked.
package struct ServerVerdict: Sendable {
    let statement: VerdictStatement
    /// The address of the server.
    let server: String
    /// The host of the server.
    let host: String
    /// The address of the run's page; `nil` if the server named none that is its own.
    let page: String?
    /// What the gate of the server said.
    let decision: Decision
    /// The exit status that tells it.
    let exitStatus: ExitStatus

    /// Where the answer comes from, in words; has untrusted text in it.
    func provenance(now: Date) -> String {
        let age = RunList.age(now.timeIntervalSince(statement.startedAt))
        let sender = statement.token.map { "token \($0)" } ?? "the server itself"
        let place = [statement.host.map { "on \($0)" }, statement.build].compactMap { $0 }.joined(separator: ", ")
        return "tree \(statement.tree.prefix(12)) \(decision.rawValue) on \(host) by \(sender)"
            + "\(place.isEmpty ? "" : " (\(place))"), run \(statement.run.short), \(age); "
            + "no test was run here"
    }

    /// The verdict in one line.
    var headline: String {
        let failed = statement.failedTests > 0 ? ", \(Figures.grouped(statement.failedTests)) failed" : ""
        let lines = statement.lines.map { ", \(Figures.tally($0)) lines" } ?? ""
        return "\(decision.sign) \(decision.word): \(Figures.counted(statement.passedTests, "test"))\(failed)\(lines)"
    }
}
