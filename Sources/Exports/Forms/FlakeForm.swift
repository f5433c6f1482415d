import Foundation
public import Gate
public import RunModel
import Wording

/// How often a test fails, for programs: in how many runs an attempt failed, in how many it was executed, and within which shares the true
/// one lies at 95 %.
public struct RateForm: Sendable, Hashable, Codable {
    let failures: Int
    let executions: Int
    let lower: Double
    let upper: Double

    /// Makes the form of a rate.
    public init(_ rate: FailureRate) {
        failures = rate.failures
        executions = rate.executions
        lower = rate.bounds.lowerBound
        upper = rate.bounds.upperBound
    }
}

/// How a test fared over months, for programs: as data behind its page, and from `kanmon flaky TEST --json`.
public struct FlakeForm: Sendable, Encodable {
    /// A run that something is said of.
    struct Point: Sendable, Encodable {
        let run: String
        let startedAt: Date
        let commit: String?

        init(_ point: FlakeHistory.Point) {
            run = point.run.description
            startedAt = point.startedAt
            commit = point.commit
        }
    }

    /// A machine or a toolchain.
    struct Place: Sendable, Encodable {
        let name: String
        let rate: RateForm

        init(_ place: FlakeHistory.Place) {
            name = place.name
            rate = RateForm(place.rate)
        }
    }

    /// Failures that say the same but for numbers; left out is the message of those that say nothing.
    struct Failure: Sendable, Encodable {
        let message: String?
        let runs: Int
        let first: Point
        let last: Point

        init(_ failure: FlakeHistory.Failure) {
            message = failure.message
            runs = failure.count
            first = Point(failure.first)
            last = Point(failure.last)
        }
    }

    /// An entry of the quarantine that was not written, and the command that writes it.
    struct Proposal: Sendable, Encodable {
        let test: String
        let owner: String?
        let reason: String
        let expires: String
        let command: String

        init(_ proposal: QuarantineProposal) {
            test = proposal.test
            owner = proposal.owner
            reason = proposal.reason
            expires = proposal.expires.description
            command = proposal.command
        }
    }

    let test: TestForm
    /// `flaky` or `broken`; left out for a test that is neither.
    let kind: String?
    /// The first day that was looked at.
    let since: String
    /// How many runs that answer for their tree were looked at.
    let runs: Int
    let disagreements: Int
    let flips: Int
    let failures: Int
    let recoveries: Int
    let executions: Int
    /// Of a broken test before it broke.
    let rate: RateForm
    let brokenSince: String?
    let firstChange: Point?
    let lastChange: Point?
    let machines: [Place]
    let toolchains: [Place]
    let alone: RateForm
    let inCompany: RateForm
    let isOrderDependent: Bool
    /// By the hour of the day in UTC, from 0 to 23.
    let hours: [RateForm]
    let messages: [Failure]
    /// In how many runs it failed of which it was not read what was said.
    let unread: Int
    let proposal: Proposal?

    /// Makes the form of a history.
    public init(_ history: FlakeHistory, _ proposal: QuarantineProposal?) {
        test = TestForm(history.test.id)
        kind = history.kind?.rawValue
        since = CalendarDay(history.since).description
        runs = history.runs
        disagreements = history.test.disagreements
        flips = history.test.flips
        failures = history.test.failures
        recoveries = history.test.recoveries
        executions = history.test.executions
        rate = RateForm(history.test.rate)
        brokenSince = history.test.breakage?.since.description
        firstChange = history.firstChange.map { Point($0) }
        lastChange = history.lastChange.map { Point($0) }
        machines = history.machines.map { Place($0) }
        toolchains = history.toolchains.map { Place($0) }
        alone = RateForm(history.alone)
        inCompany = RateForm(history.inCompany)
        isOrderDependent = history.isOrderDependent
        hours = history.hours.map { RateForm($0) }
        messages = history.failures.map { Failure($0) }
        unread = history.unread
        self.proposal = proposal.map { Proposal($0) }
    }
}
