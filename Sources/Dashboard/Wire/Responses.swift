import Exports
import Foundation
import Gate
import Pages
import RunModel

// What the data behind a page looks like. These forms grow by addition only; `docs/dashboard.md` names every field.

/// An answer with data: the version of its form, what it is, and where the list goes on.
struct DataResponse<Content: Encodable>: Encodable {
    private enum CodingKeys: CodingKey { case schemaVersion, data, next }

    let data: Content
    /// The address of what follows; left out at the end of a list.
    let next: String?
    /// What is said of the data as a whole, beside them.
    let also: AlsoResponse

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(1, forKey: .schemaVersion)
        try container.encode(data, forKey: .data)
        try container.encodeIfPresent(next, forKey: .next)
        try also.encode(to: encoder)
    }
}

/// What is said of data as a whole; each is left out where it is not asked for.
struct AlsoResponse: Encodable {
    /// The runs in which flaky tests were looked for.
    var window: FlakyWindowResponse?
    /// How a test fared over months, where its last runs show it as flaky, or as broken after it was.
    var flakiness: FlakeForm?
}

/// The runs in which flaky tests were looked for.
struct FlakyWindowResponse: Encodable {
    let since: Date
    let days: Int
    /// How many there are that answer for their tree.
    let runs: Int
    /// How many of them passed.
    let greenRuns: Int
    /// In how many of those a retry hid a flaky test.
    let hiddenFlakes: Int

    init(_ window: FlakyWindow, since: Date, days: Int) {
        self.since = since
        self.days = days
        runs = window.runs
        greenRuns = window.green
        hiddenFlakes = window.hidden
    }
}

/// A test that fails, and since when.
struct RegressionResponse: Codable {
    let test: TestForm
    let since: RunForm
    let lastPassed: RunForm?
    let message: String?
    /// What a search has found to have broken it; absent where nobody has looked.
    let culprit: CulpritForm?

    init(_ regression: Regression) {
        culprit = regression.culprit.map { CulpritForm($0) }
        message = regression.message
        test = TestForm(regression.test, title: regression.title)
        since = RunForm(regression.since)
        lastPassed = regression.lastPassed.map { RunForm($0) }
    }
}

/// An entry of the quarantine that has ended or ends soon.
struct ExpiringResponse: Codable {
    let test: String
    let owner: String
    let expires: String

    init(_ entry: QuarantineEntry) {
        test = entry.test
        owner = entry.owner
        expires = entry.expires.description
    }
}

/// How a project stands.
struct ProjectResponse: Codable {
    let name: String
    let runs: Int
    let branch: String?
    let latest: RunForm?
    let regressions: [RegressionResponse]
    /// The entries of the quarantine that have ended or end soon.
    let expiring: [ExpiringResponse]
    /// In how many runs of the last 30 days that passed a retry hid a flaky test.
    let hiddenFlakes: Int
    /// The runs under way.
    let running: [LiveResponse]

    init(_ state: ProjectState, _ running: [LiveEntry], now: Date) {
        name = state.name
        runs = state.runs
        branch = state.branch
        latest = state.latest.map { RunForm($0) }
        regressions = state.regressions.map { RegressionResponse($0) }
        expiring = state.expiring.map { ExpiringResponse($0) }
        hiddenFlakes = state.hiddenFlakes
        self.running = running.map { LiveResponse($0, now: now) }
    }
}

/// How a branch stands.
struct BranchResponse: Codable {
    let name: String
    let project: String
    let latest: RunForm?
    let lastPassed: RunForm?
    let failing: [RegressionResponse]
    let runs: [RunForm]
    /// What it does to the branch that it was made for; absent on that one.
    let change: ChangeForm?

    init(_ state: BranchState) {
        name = state.name
        project = state.project
        latest = state.runs.first.map { RunForm($0) }
        lastPassed = state.lastPassed.map { RunForm($0) }
        failing = state.regressions.map { RegressionResponse($0) }
        runs = state.runs.map { RunForm($0) }
        change = state.change.map { ChangeForm($0, most: ComparisonPage.mostAsData) }
    }
}

/// A run while it runs.
struct LiveResponse: Codable {
    /// How much of something is done.
    struct Count: Codable {
        let done: Int
        let total: Int
    }

    let id: String
    let project: String
    let commit: String?
    let branch: String?
    let subject: String?
    let startedAt: Date
    /// `running`, `judging`, or `gone`.
    let status: String
    let isPartial: Bool
    /// Whether it speaks for its commit and branch, as far as is known; otherwise it is of a working copy.
    let isExact: Bool
    let step: String?
    let build: Count
    let tests: Count
    let failed: Int
    let failures: [String]
    let running: String?
    let elapsedNanoseconds: Int64
    /// The middle of the durations of whole runs.
    let expectedNanoseconds: Int64?
    /// The token by which another machine tells of the run; left out for a run of the server's own machine.
    let toldBy: String?
    /// The name of that machine, as it says of itself.
    let machine: String?

    init(_ entry: LiveEntry, now: Date) {
        let (run, progress) = (entry.run, entry.run.progress)
        id = run.runID.description
        project = run.project
        commit = run.revision?.commit
        branch = run.revision?.branch
        subject = run.revision?.subject
        startedAt = run.startedAt
        status = entry.status.rawValue
        isPartial = run.isPartial
        isExact = run.revision?.isExact == true
        step = progress.step?.rawValue
        build = Count(done: progress.built, total: progress.toBuild)
        tests = Count(done: progress.ended, total: progress.discovered)
        failed = progress.failed
        failures = progress.failures
        running = progress.running
        elapsedNanoseconds = Duration.seconds(entry.elapsed(at: now)).nanosecondCount
        expectedNanoseconds = entry.expected?.duration.nanosecondCount
        toldBy = entry.sender?.token
        machine = entry.sender?.machine
    }
}

/// A project with what its charts are drawn from.
struct ProjectHistoryResponse: Codable {
    /// The lines of a module in a run.
    struct Module: Codable {
        let run: String
        let module: String
        let lines: CoverageTally
    }

    let project: ProjectResponse
    let runs: [RunForm]
    let modules: [Module]
    let branches: [RunForm]
    /// The latest runs of working copies, which are none of the others.
    let workingCopies: [RunForm]
}

/// What became of a test in one run.
struct HistoryResponse: Codable {
    let run: String
    let startedAt: Date
    let commit: String?
    let branch: String?
    let isExact: Bool
    let outcome: String
    let attempts: Int
    let durationNanoseconds: Int64?
    let message: String?
    let attachments: [AttachmentResponse]

    init(_ point: TestHistoryEntry) {
        attachments = point.attachments.map { AttachmentResponse($0) }
        message = point.message
        run = point.run.description
        startedAt = point.startedAt
        commit = point.commit
        branch = point.branch
        isExact = point.isExact
        outcome = point.outcome.rawValue
        attempts = point.attempts
        durationNanoseconds = point.duration.map(\.nanosecondCount)
    }
}
