public import RunModel

/// One start of tests in a run, with its own evidence.
///
/// A run in which all tests complete has one pass. If a test process crashes or hangs, the remaining tests run in
/// another pass. So do failed tests if retries are allowed.
public struct TestPass: Sendable, Hashable, Codable {
    /// What a pass is for.
    public enum Reason: String, Sendable, Hashable, Codable {
        /// The selected tests.
        case first
        /// Tests that an earlier pass did not reach.
        case recovery
        /// Tests that failed in an earlier pass.
        case retry
    }

    /// What it is for.
    public var reason: Reason
    /// The tests to run; absent for all.
    public var tests: [TestID]?
    /// The folder of its evidence, relative to the run directory; absent for the run directory itself.
    public var folder: String?
    /// Its steps, as indices of the manifest's list.
    public var steps: [Int]
    /// What was running when a time limit ended it; absent when none did.
    public var diagnosis: Diagnosis?

    package init(
        reason: Reason,
        tests: [TestID]? = nil,
        folder: String? = nil,
        steps: [Int] = [],
        diagnosis: Diagnosis? = nil
    ) {
        self.reason = reason
        self.tests = tests
        self.folder = folder
        self.steps = steps
        self.diagnosis = diagnosis
    }

    /// Whether a file of the run directory belongs to this pass: its own, or one that all passes share.
    package func owns(_ artifact: Artifact) -> Bool {
        guard artifact.role.belongsToPass else { return true }
        let parts = artifact.path.pathParts()
        guard let folder else { return parts.count == 1 }
        return Name(parts.dropLast().joined(separator: "/")) == Name(folder)
    }
}

extension ArtifactRole {
    /// Whether each pass has such files of its own.
    package var belongsToPass: Bool {
        switch self {
        case .transcript, .observerRecords, .eventStream, .xunit: true
        case .scriptLog, .buildLog, .baseline, .comparison, .deselectedTests, .deselectedLines, .authors, .probation,
            .causes, .shardManifest, .xctestList, .swiftTestingList,
            .coverageExport, .functionNames, .testMap, .cobertura, .lcov, .policy, .attachment:
            false
        }
    }
}

extension RunManifest {
    /// The passes in order; one with all test steps if they are not recorded.
    package var passesInOrder: [TestPass] {
        self.passes ?? [TestPass(reason: .first, steps: self.steps.indices.filter { self.steps[$0].kind == .test })]
    }
}

/// What was running when a time limit ended the tests.
public struct Diagnosis: Sendable, Hashable, Codable {
    /// Which limit.
    public enum Cause: String, Sendable, Hashable, Codable {
        /// The time for the whole run.
        case run
        /// The time for one test.
        case test
        /// The time without a sign of life.
        case silence
    }

    /// A test that had begun and not ended.
    public struct RunningTest: Sendable, Hashable, Codable {
        /// The library's name of the test: `Module.Class/method`, or the identity of Swift Testing's event stream.
        public var name: String
        /// How long it had been running; in the file an integer of nanoseconds.
        public var duration: Duration
        /// Whether it exceeded the time limit for one test.
        public var isOverdue: Bool

        package init(name: String, duration: Duration, isOverdue: Bool) {
            (self.name, self.duration, self.isOverdue) = (name, duration, isOverdue)
        }
    }

    /// Which limit.
    public var cause: Cause
    /// How long it was.
    public var limit: Duration
    /// The tests that were running, longest first.
    public var running: [RunningTest]
    /// The processes of the tests with their state, such as `4711 kanmonPackageTests sleeping in futex_wait_queue`.
    public var processes: [String]

    package init(cause: Cause, limit: Duration, running: [RunningTest], processes: [String]) {
        self.cause = cause
        self.limit = limit
        self.running = running
        self.processes = processes
    }
}
