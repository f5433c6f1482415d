public import Evidence
public import Foundation
public import Gate
public import Pages
public import RunModel
public import Storage

/// What the dashboard asks for: the one place where it meets the store.
public struct DashboardData: Sendable {
    /// A run with the verdict that was stored with it.
    public struct JudgedRun: Sendable {
        /// What happened.
        public var run: TestRun
        /// How it was judged.
        public var verdict: Verdict
        /// Whether the counts of its lines are known; otherwise an executed line has the count 1.
        public var hasExecutionCounts: Bool

        /// Makes a judged run from its parts.
        public init(run: TestRun, verdict: Verdict, hasExecutionCounts: Bool = true) {
            self.run = run
            self.verdict = verdict
            self.hasExecutionCounts = hasExecutionCounts
        }
    }

    /// Every project.
    public var projects: @Sendable () async throws -> [ProjectListEntry]
    /// Runs, newest first: of a project or of all, behind a run or from the newest, at most so many.
    ///
    /// `nil` when there is no such run to continue behind.
    public var runs: @Sendable (_ project: String?, _ before: RunID?, _ limit: Int) async throws -> [RunListEntry]?
    /// One run; `nil` when there is none.
    public var run: @Sendable (_ id: RunID) async throws -> JudgedRun?
    /// A part of a run; `nil` when there is none. Without this question all of the run is asked for.
    public var part: (@Sendable (_ id: RunID, _ part: RunPart) async throws -> JudgedRun?)?
    /// The bytes of source files that a run kept, in the order asked for; `nil` for a file it did not keep.
    public var sources: @Sendable (_ run: RunID, _ paths: [String]) async throws -> [[UInt8]?]

    /// The latest runs of one branch, the newest first, at most so many.
    public var runsOfBranch:
        @Sendable (_ project: String, _ branch: String, _ limit: Int) async throws -> [RunListEntry]
    /// The latest runs of all tests, the newest first, at most so many: of a branch, or of the project.
    public var wholeRuns: @Sendable (_ project: String, _ branch: String?, _ limit: Int) async throws -> [RunListEntry]
    /// The branch that changes of a project are made for; `nil` where nothing tells.
    public var defaultBranch: @Sendable (_ project: String) async throws -> ProjectBranch?
    /// The latest run of every branch of a project, the newest first.
    public var branches: @Sendable (_ project: String) async throws -> [RunListEntry]
    /// The lines of the modules in the latest runs of all tests: of a branch, or of the project.
    public var modules: @Sendable (_ project: String, _ branch: String?, _ runs: Int) async throws -> [ModuleLines]
    /// What became of a test in the latest runs of its project, the newest first.
    public var history: @Sendable (_ test: TestID, _ project: String, _ runs: Int) async throws -> [TestHistoryPoint]
    /// Since when tests fail that fail on a branch, or on any, by at most so many of the latest runs.
    public var regressions:
        @Sendable (_ tests: [TestID], _ project: String, _ branch: String?, _ runs: Int) async throws ->
            [TestRegression]
    /// The tests of a project that do not always end in the same way, since a moment.
    public var flaky: @Sendable (_ project: String, _ since: Date, _ limit: Int) async throws -> [FlakyEntry]
    /// The slowest tests of the latest run of all tests of a project.
    public var slow: @Sendable (_ project: String, _ limit: Int, _ runs: Int) async throws -> [SlowEntry]
    /// What changed from one run to another; `nil` when one is unknown, or they belong to two projects.
    public var compare: @Sendable (_ before: RunID, _ after: RunID) async throws -> ComparisonEntry?
    /// Every test of a project that was ever stored.
    public var tests: @Sendable (_ project: String) async throws -> [TestID]
    /// The files of the latest full run of a project, and that run.
    public var files: @Sendable (_ project: String) async throws -> (run: RunID, paths: [String])?
    /// Runs of the commit whose hash begins so, or whose id begins or ends so, the newest first.
    public var find: @Sendable (_ text: String, _ limit: Int) async throws -> [RunListEntry]
    /// Adds to the coverage of a run what the store does not keep of it.
    public var unexecuted: @Sendable (_ run: RunID, _ coverage: Coverage) async throws -> Coverage

    /// The latest runs of a project that tested this very tree, the newest first.
    public var runsOfTree: @Sendable (_ project: String, _ tree: String, _ limit: Int) async throws -> [RunListEntry]

    /// The commits of a branch that have not passed; `nil` where no repository of the project can be asked.
    public var audit: @Sendable (_ project: String, _ branch: String) async throws -> CommitAudit? = { _, _ in nil }
    /// Where runs under way tell how far they are; `nil` where none are watched.
    public var signs: LiveSigns?
    /// Which state of the store the answers tell of; `nil` where nobody knows.
    public var version: @Sendable () async throws -> StoreVersion?

    /// Makes the seam from its questions.
    public init(
        projects: @escaping @Sendable () async throws -> [ProjectListEntry],
        runs: @escaping @Sendable (_ project: String?, _ before: RunID?, _ limit: Int) async throws -> [RunListEntry]?,
        run: @escaping @Sendable (_ id: RunID) async throws -> JudgedRun?,
        sources: @escaping @Sendable (_ run: RunID, _ paths: [String]) async throws -> [[UInt8]?],
        runsOfBranch: @escaping @Sendable (String, String, Int) async throws -> [RunListEntry],
        wholeRuns: @escaping @Sendable (String, String?, Int) async throws -> [RunListEntry],
        defaultBranch: @escaping @Sendable (String) async throws -> ProjectBranch?,
        branches: @escaping @Sendable (String) async throws -> [RunListEntry],
        modules: @escaping @Sendable (String, String?, Int) async throws -> [ModuleLines],
        history: @escaping @Sendable (TestID, String, Int) async throws -> [TestHistoryPoint],
        flaky: @escaping @Sendable (String, Date, Int) async throws -> [FlakyEntry],
        slow: @escaping @Sendable (String, Int, Int) async throws -> [SlowEntry],
        compare: @escaping @Sendable (RunID, RunID) async throws -> ComparisonEntry?,
        tests: @escaping @Sendable (String) async throws -> [TestID],
        files: @escaping @Sendable (String) async throws -> (run: RunID, paths: [String])?,
        find: @escaping @Sendable (String, Int) async throws -> [RunListEntry],
        unexecuted: @escaping @Sendable (_ run: RunID, _ coverage: Coverage) async throws -> Coverage = { $1 },
        runsOfTree: @escaping @Sendable (String, String, Int) async throws -> [RunListEntry] = { _, _, _ in [] },
        version: @escaping @Sendable () async throws -> StoreVersion? = { nil },
        part: (@Sendable (RunID, RunPart) async throws -> JudgedRun?)? = nil,
        regressions: @escaping @Sendable ([TestID], String, String?, Int) async throws -> [TestRegression] = {
            _, _, _, _ in
            []
        }
    ) {
        self.projects = projects
        self.runs = runs
        self.run = run
        self.sources = sources
        self.runsOfBranch = runsOfBranch
        self.wholeRuns = wholeRuns
        self.defaultBranch = defaultBranch
        self.branches = branches
        self.modules = modules
        self.history = history
        self.flaky = flaky
        self.slow = slow
        self.compare = compare
        self.tests = tests
        self.files = files
        self.find = find
        self.unexecuted = unexecuted
        self.runsOfTree = runsOfTree
        self.version = version
        self.part = part
        self.regressions = regressions
    }
}

extension DashboardData {
    /// At least this part of a run.
    func judged(_ id: RunID, _ wanted: RunPart) async throws -> JudgedRun? {
        guard let part else { return try await run(id) }
        return try await part(id, wanted)
    }
}
