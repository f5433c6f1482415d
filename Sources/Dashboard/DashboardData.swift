public import Gate
public import Pages
public import RunModel

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
    /// The bytes of source files that a run kept, in the order asked for; `nil` for a file it did not keep.
    public var sources: @Sendable (_ run: RunID, _ paths: [String]) async throws -> [[UInt8]?]

    /// Makes the seam from its four questions.
    public init(
        projects: @escaping @Sendable () async throws -> [ProjectListEntry],
        runs: @escaping @Sendable (_ project: String?, _ before: RunID?, _ limit: Int) async throws -> [RunListEntry]?,
        run: @escaping @Sendable (_ id: RunID) async throws -> JudgedRun?,
        sources: @escaping @Sendable (_ run: RunID, _ paths: [String]) async throws -> [[UInt8]?]
    ) {
        self.projects = projects
        self.runs = runs
        self.run = run
        self.sources = sources
    }
}
