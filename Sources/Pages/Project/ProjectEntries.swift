public import Gate

/// How a project stands: its default branch, and what regressed there.
public struct ProjectState: Sendable {
    /// The project.
    public var name: String
    /// How many runs of it are stored.
    public var runs: Int
    /// The default branch; `nil` when no full run is on it.
    public var branch: String?
    /// The latest full run there, or of all branches where there is none.
    public var latest: RunSummary?
    /// The newest run where none says how the project stands: it is of a working copy, staged files or a part of the tests, or came from
    /// a person's machine.
    public var attempt: RunSummary?
    /// The tests that fail there now, with the run in which each began to.
    public var regressions: [Regression]
    /// The entries of its quarantine that have ended or end soon, those that end first at the top.
    public var expiring: [QuarantineEntry]
    /// In how many of the runs in which flaky tests are looked for, and which passed, a retry hid one.
    public var hiddenFlakes: Int

    package init(
        name: String, runs: Int, branch: String?, latest: RunSummary?, attempt: RunSummary? = nil,
        regressions: [Regression], expiring: [QuarantineEntry] = [], hiddenFlakes: Int = 0
    ) {
        self.expiring = expiring
        self.hiddenFlakes = hiddenFlakes
        self.name = name
        self.runs = runs
        self.branch = branch
        self.latest = latest
        self.attempt = attempt
        self.regressions = regressions
    }
}

/// How a branch stands.
public struct BranchState: Sendable {
    /// Its name.
    public var name: String
    /// The project.
    public var project: String
    /// Its latest full runs, the newest first.
    public var runs: [RunSummary]
    /// The tests that fail in the first of them, as far as they are listed.
    public var regressions: [Regression]
    /// What it does to the branch that it was made for; `nil` on that one.
    public var change: BranchChange?

    package init(
        name: String, project: String, runs: [RunSummary], regressions: [Regression], change: BranchChange? = nil
    ) {
        self.name = name
        self.project = project
        self.runs = runs
        self.regressions = regressions
        self.change = change
    }

    /// The latest of the runs that passed; `nil` when none of them did.
    public var lastPassed: RunSummary? { runs.first(where: \.hasPassed) }
}
