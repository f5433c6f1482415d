public import Evidence
public import Foundation
public import RunModel

/// How long the children of a run may take.
public struct RunLimits: Sendable, Hashable {
    /// From the beginning of the run to the end of its last step, without the scripts after the tests.
    public var run: Duration
    /// How long one test may take. Swift Testing runs tests concurrently: there the limit starts again whenever
    /// another test ends.
    public var test: Duration
    /// How long the tests may show no sign of life: no output, no test begun or ended.
    public var silence: Duration
    /// The time between asking the processes to end and killing them.
    public var grace: Duration
    /// How long to wait for another run that uses the same scratch folder.
    public var lock: Duration

    /// Makes limits; the defaults are those of an empty `.kanmon.yml`.
    public init(
        run: Duration = .seconds(30 * 60),
        test: Duration = .seconds(2 * 60),
        silence: Duration = .seconds(5 * 60),
        grace: Duration = .seconds(10),
        lock: Duration = .seconds(30 * 60)
    ) {
        self.run = run
        self.test = test
        self.silence = silence
        self.grace = grace
        self.lock = lock
    }
}

/// A file to add to the run directory, such as the policy.
public struct GivenFile: Sendable, Hashable {
    /// What it is.
    public var role: ArtifactRole
    /// Its name in the run directory.
    public var fileName: String
    /// What is in it.
    public var bytes: Data

    package init(role: ArtifactRole, fileName: String, bytes: Data) {
        (self.role, self.fileName, self.bytes) = (role, fileName, bytes)
    }
}

/// Why the caller refuses a package after seeing its targets.
public struct ModuleRefusal: Error, Sendable, Hashable {
    /// What is wrong, and where.
    public var reason: String
    /// What to try, where something can be done about it.
    public var hint: String?

    package init(reason: String, hint: String? = nil) { (self.reason, self.hint) = (reason, hint) }
}

/// The package that is tested, as it lies in a folder.
public struct TestedPackage: Sendable {
    /// The package's folder, absolute and with links resolved.
    public var root: String
    /// The project, stable over clones.
    public var project: String
    /// What is tested; `nil` outside of git.
    public var revision: Revision?
    /// Checks later whether the folder still holds that tree; `nil` if unknown.
    public var tree: TestedTree?
    /// What the run depends on besides its tree, as far as the caller knows; `nil` if unknown.
    public var inputs: RunInputs?
    /// The top of the work tree around the package, links resolved; `nil` outside of git.
    public var repositoryTop: String?
    /// The folder above which git in children does not look for a repository; `nil` for none.
    ///
    /// A tree inside of a git directory is no work tree: SwiftPM's git calls there would use that repository, and run
    /// programs of its configuration.
    public var repositoryCeiling: String?
    /// Notes of the caller on the checkout, for the manifest.
    public var notes: [Note]
    /// Gaps of the checkout.
    public var gaps: [Gap]

    package init(
        root: String, project: String, revision: Revision? = nil, tree: TestedTree? = nil, inputs: RunInputs? = nil,
        repositoryTop: String? = nil, repositoryCeiling: String? = nil, notes: [Note] = [], gaps: [Gap] = []
    ) {
        self.root = root
        self.project = project
        self.revision = revision
        self.tree = tree
        self.inputs = inputs
        self.repositoryTop = repositoryTop
        self.repositoryCeiling = repositoryCeiling
        self.notes = notes
        self.gaps = gaps
    }
}

/// Which tests are wanted.
public struct TestChoice: Sendable {
    /// Which tests to run.
    public var selection: Selection
    /// The changed files, if only tests that they can break are to run; `nil` for all selected tests.
    public var changedFiles: ChangedFiles?
    /// The tests that need not run, because they execute none of the changed functions; `nil` for none.
    public var deselected: DeselectedTests?
    /// What the deselected tests executed before, to be kept if all of them are left out; `nil` if that is not known.
    public var deselectedLines: GivenFile?
    /// The tests that failed in the run that the selection names, if it names one.
    public var rerun: [TestID]?
    /// How tests are split into shards, if the selection names one.
    public var split: ShardAssignment

    /// Makes a choice from its parts; the default is all tests.
    public init(
        selection: Selection = Selection(), changedFiles: ChangedFiles? = nil, deselected: DeselectedTests? = nil,
        deselectedLines: GivenFile? = nil, rerun: [TestID]? = nil,
        split: ShardAssignment = .byHash
    ) {
        self.selection = selection
        self.changedFiles = changedFiles
        self.deselected = deselected
        self.deselectedLines = deselectedLines
        self.rerun = rerun
        self.split = split
    }

    /// Whether only some of the tests are wanted.
    public var isPartial: Bool { selection.isPartial || changedFiles != nil || deselected != nil }
}

/// Whether tests run once more, one at a time in each of several processes, so that it is known which code each executes.
public struct TestMapping: Sendable, Hashable {
    /// In how many processes; 0 for not at all.
    public var processes: Int
    /// How long the tests may have taken, all in all, and nothing may have failed; `nil` for always.
    public var limit: Duration?

    /// Not at all.
    public static let none = TestMapping(processes: 0)

    package init(processes: Int, limit: Duration? = nil) { (self.processes, self.limit) = (processes, limit) }
}

/// How a run goes about it.
public struct RunOptions: Sendable {
    /// How to start the tests; `.foreign` counts as `.swiftTest`.
    public var engine: Engine
    /// Whether to use `swift test` if the engine is `direct` and the test binary is not at its usual place.
    public var fallsBackToSwiftTest: Bool
    /// How many test processes run at a time; more than one needs the engine `direct`.
    public var jobs: Int
    /// How often a test that failed is run again.
    public var retries: Int
    /// Whether the tests of Swift Testing run once more, one at a time, so that it is known which code each of them executes.
    public var mapping: TestMapping
    /// When to make a clean build, and to compare it with the incremental build.
    public var clean: CleanBuilds
    /// How long the children may take.
    public var limits: RunLimits
    /// The isolation of the processes besides the reaper.
    public var isolation: IsolationRule
    /// Scripts before SwiftPM is asked for the targets, and so before the build; if one fails, no test runs.
    public var before: [RunScript]
    /// Scripts after the tests, which always run unless the run is cancelled.
    public var after: [RunScript]
    /// What reaches the children besides the allow-list: `NAME` to let a variable through, `NAME=value` to set one.
    public var environment: [String]
    /// The `swift` to use instead of the first in PATH.
    public var swift: String?
    /// How the package is built.
    public var build: BuildChoice
    /// What SwiftPM builds with.
    public var buildSystem: BuildSystem
    /// What becomes of a test in which an assertion of the other library fails.
    public var interop: InteropRule
    /// What becomes of a run whose classes inherit tests that nobody runs.
    public var undiscoveredTests: UndiscoveredTestsRule

    /// Makes options from their parts; the defaults are those of an empty `.kanmon.yml`.
    public init(
        engine: Engine = .direct, fallsBackToSwiftTest: Bool = false, jobs: Int = 1, retries: Int = 0,
        mapping: TestMapping = .none, clean: CleanBuilds = .never,
        limits: RunLimits = RunLimits(), isolation: IsolationRule = .exactly(.reaper), before: [RunScript] = [],
        after: [RunScript] = [], environment: [String] = [], swift: String? = nil,
        build: BuildChoice = BuildChoice(), buildSystem: BuildSystem = .native, interop: InteropRule = .fail,
        undiscoveredTests: UndiscoveredTestsRule = .note
    ) {
        self.engine = engine
        self.fallsBackToSwiftTest = fallsBackToSwiftTest
        self.jobs = jobs
        self.retries = retries
        self.mapping = mapping
        self.clean = clean
        self.limits = limits
        self.isolation = isolation
        self.before = before
        self.after = after
        self.environment = environment
        self.swift = swift
        self.build = build
        self.buildSystem = buildSystem
        self.interop = interop
        self.undiscoveredTests = undiscoveredTests
    }
}

/// Everything that a run depends on. Environment, working directory and clock are not read.
public struct RunRequest: Sendable {
    /// What is tested.
    public var package: TestedPackage
    /// Which of its tests.
    public var tests: TestChoice
    /// How.
    public var options: RunOptions
    /// Whether to use the products of an earlier build.
    public var skipsBuild: Bool
    /// The folder for build products, used for this package folder only; see `TestRunner.scratchPath`.
    public var scratchPath: String
    /// The path of the run directory; it must not exist, and its parent folder is made.
    public var runDirectory: String
    /// The folder for the observer library and the toolchain's versions, kept between runs.
    public var cacheDirectory: String
    /// The identity of the run.
    public var runID: RunID
    /// What the identity was made of; `nil` if it was made in another way.
    public var seed: String?
    /// When the run began.
    public var startedAt: Date
    /// The machine.
    public var machine: MachineClass?
    /// The machine by name, and the build that the run is a part of.
    public var origin: RunHost?
    /// The arguments `kanmon` was called with.
    public var arguments: [String]
    /// The version of Kanmon.
    public var kanmonVersion: String
    /// The environment of the caller; only names on the allow-list reach the children.
    public var parentEnvironment: [String: String]
    /// Earlier durations of tests, to balance test processes that run at a time.
    public var durations: [TestID: Duration]
    /// Files to add to the run directory.
    public var givenFiles: [GivenFile]
    /// New and changed tests to repeat once all have passed; `nil` for none.
    public var probation: ProbationRequest?
    /// Makes files to add to the run directory of what became of the tests; asked only where one failed.
    public var filesOnFailure: (@Sendable (FailedRun) async -> [GivenFile])?
    /// The progress file of the run; `nil` if it is not watched.
    public var progressFiles: ProgressFiles?
    /// How long the run will take, for its live page; `nil` if unknown.
    public var expected: ExpectedTime?
    /// Checks the package's targets after the scripts of `before` and before the build, and may refuse them.
    public var checkModules: @Sendable ([Module]) throws(ModuleRefusal) -> Void

    package init(
        package: TestedPackage, tests: TestChoice = TestChoice(), options: RunOptions = RunOptions(),
        skipsBuild: Bool = false, scratchPath: String, runDirectory: String, cacheDirectory: String, runID: RunID,
        startedAt: Date, machine: MachineClass? = nil, origin: RunHost? = nil, arguments: [String],
        kanmonVersion: String,
        parentEnvironment: [String: String], durations: [TestID: Duration] = [:], givenFiles: [GivenFile] = [],
        checkModules: @escaping @Sendable ([Module]) throws(ModuleRefusal) -> Void = { (_) throws(ModuleRefusal) in }
    ) {
        self.package = package
        self.tests = tests
        self.options = options
        self.skipsBuild = skipsBuild
        self.scratchPath = scratchPath
        self.runDirectory = runDirectory
        self.cacheDirectory = cacheDirectory
        self.runID = runID
        self.startedAt = startedAt
        self.machine = machine
        self.origin = origin
        self.arguments = arguments
        self.kanmonVersion = kanmonVersion
        self.parentEnvironment = parentEnvironment
        self.durations = durations
        self.givenFiles = givenFiles
        self.checkModules = checkModules
    }
}
