public import Foundation
public import RunModel

/// The role of a file in a run directory.
public enum ArtifactRole: String, Sendable, Hashable, Codable, CaseIterable {
    /// The output of the scripts before the build and after the tests.
    case scriptLog = "script-log"
    /// The output of the build.
    case buildLog = "build-log"
    /// The output of the tests, both streams in order.
    case transcript
    /// Records of the XCTest observer, one JSON object a line.
    case observerRecords = "observer-records"
    /// Swift Testing's event stream, one JSON object a line.
    case eventStream = "event-stream"
    /// xUnit XML.
    case xunit
    /// The list of XCTest cases, as `--dump-tests-json` prints it.
    case xctestList = "xctest-list"
    /// The list of Swift Testing tests, as an event stream.
    case swiftTestingList = "swift-testing-list"
    /// The coverage export, JSON of llvm-cov.
    case coverageExport = "coverage-export"
    /// The readable names of the functions that were never called: lines of a symbol, a tab and a name.
    case functionNames = "function-names"
    /// Which tests execute which code, JSON Lines.
    case testMap = "test-map"
    /// Coverage of another runner, as Cobertura XML.
    case cobertura
    /// Coverage of another runner, as an LCOV tracefile.
    case lcov
    /// The policy that the run was judged by, as JSON.
    case policy
    /// What the run was compared with, as JSON.
    case baseline
    /// What a selection of tests would have left out, as JSON.
    case sparedTests = "spared-tests"
    /// The lines that tests executed in an earlier run which this one left out, as JSON.
    case sparedLines = "spared-lines"
    /// The manifest of a shard's run directory inside of this one.
    case shardManifest = "shard-manifest"
    /// The comparison of the run, as JSON: the base, the changes since, and the base's coverage.
    case comparison
    /// A file that a test attached.
    case attachment
}

/// A file that a run left behind.
public struct Artifact: Sendable, Hashable, Codable {
    /// What it is.
    public var role: ArtifactRole
    /// Relative to the run directory.
    public var path: String
    /// Size in bytes.
    public var bytes: Int
    /// SHA-256, lower-case hexadecimal.
    public var sha256: String

    /// Makes an entry from its parts.
    public init(role: ArtifactRole, path: String, bytes: Int, sha256: String) {
        self.role = role
        self.path = path
        self.bytes = bytes
        self.sha256 = sha256
    }
}

/// A source file of an own target, kept in `sources/<sha256>`.
public struct KeptSource: Sendable, Hashable, Codable {
    /// Relative to the package.
    public var path: String
    /// SHA-256, lower-case hexadecimal; also its file name under `sources/`.
    public var sha256: String

    /// Makes an entry from its parts.
    public init(path: String, sha256: String) {
        self.path = path
        self.sha256 = sha256
    }
}

/// `manifest.json`: the contents and history of a run directory. Written last, so that a directory with a manifest is
/// complete.
public struct RunManifest: Sendable, Hashable, Codable {
    /// The version this build writes; a reader accepts it and all before.
    public static let currentSchemaVersion = 1
    /// The name of the file.
    public static let fileName = "manifest.json"

    /// The version of this format.
    public var schemaVersion = Self.currentSchemaVersion
    /// The version of Kanmon that wrote it.
    public var kanmonVersion: String
    /// The identity of the run.
    public var runID: RunID
    /// What the id was made of, with the project, as `RunID.init(of:seed:at:)` makes it; absent where it was made in another way.
    public var seed: String?
    /// The project, the same in all clones.
    public var project: String
    /// The package's name.
    public var package: String
    /// The package's folder as an absolute path with links resolved: the prefix that is cut from recorded paths.
    public var packageRoot: String
    /// What was tested; absent outside of git.
    public var revision: Revision?
    /// When the run began; ISO 8601 with milliseconds.
    public var startedAt: Date
    /// From the beginning to the end of the last step; in the file an integer of nanoseconds.
    public var duration: Duration
    /// How the tests were started.
    public var engine: Engine
    /// The isolation of the processes besides the reaper; absent if there was none.
    public var isolation: Isolation?
    /// Which compiler and tools were used.
    public var toolchain: Toolchain
    /// The machine; absent if unknown.
    public var machine: MachineClass?
    /// The machine by name, and the build of a CI server; absent if unknown.
    public var origin: RunOrigin?
    /// What the run depends on besides its tree; absent if unknown.
    public var inputs: RunInputs?
    /// Every dependency as `identity location version`, a package at a path with the digest of its files; absent if unknown.
    public var dependencies: [String]?
    /// The arguments `kanmon` was called with.
    public var arguments: [String]
    /// The selected tests; absent for all.
    public var selection: Selection?
    /// The steps in order.
    public var steps: [RunStep]
    /// The passes in order; absent if no tests were started, or by a runner that starts them once.
    public var passes: [TestPass]?
    /// The targets of the root package.
    public var modules: [Module]
    /// The local packages that it depends on, whose code is not measured; absent if there are none.
    public var localPackages: [LocalPackage]?
    /// Own Swift targets of which an object file was missing, or was changed by the tests, by manifest name: their coverage is not known.
    public var modulesWithoutObjects: [String]
    /// Own sources whose object file holds a coverage map, so that an export must contain them; `nil` in older
    /// manifests.
    public var instrumentedSources: [String]?
    /// Names of environment variables that were not passed to the tests.
    public var withheldEnvironment: [String]
    /// The size in bytes of every raw profile that the tests left; 0 is a process that was killed.
    public var profiles: [Int]
    /// How the counters of coverage were increased; absent if unknown, as in reports of another tool.
    public var counters: CounterKind?
    /// How Kanmon itself read the coverage; absent if LLVM's tools did, in steps.
    public var coverage: CoverageProvenance?
    /// How the two testing libraries worked together; absent in reports of another tool.
    public var interop: Interop?
    /// The gaps that the runner found: a leak, a time limit, a profile that did not merge.
    public var gaps: [Gap]
    /// The notes of the runner.
    public var notes: [Note]
    /// The files of the run.
    public var artifacts: [Artifact]
    /// The sources of the package's own targets.
    public var sources: [KeptSource]
    /// The files that tests attached; absent if there are none.
    public var attachments: [KeptAttachment]?
    /// What folders in the reports of another tool are called here; absent if they are called the same.
    public var pathMaps: [PathMap]?
    /// The record of the merge; absent for a run that is not merged.
    public var merge: MergeRecord?

    /// Makes a manifest from its parts.
    public init(
        kanmonVersion: String,
        runID: RunID,
        project: String,
        package: String,
        packageRoot: String,
        revision: Revision?,
        startedAt: Date,
        duration: Duration,
        engine: Engine,
        isolation: Isolation? = nil,
        toolchain: Toolchain,
        machine: MachineClass? = nil,
        origin: RunOrigin? = nil,
        inputs: RunInputs? = nil,
        dependencies: [String]? = nil,
        arguments: [String],
        selection: Selection? = nil,
        steps: [RunStep],
        passes: [TestPass]? = nil,
        modules: [Module],
        localPackages: [LocalPackage]? = nil,
        modulesWithoutObjects: [String] = [],
        instrumentedSources: [String]? = nil,
        withheldEnvironment: [String] = [],
        profiles: [Int] = [],
        counters: CounterKind? = nil,
        coverage: CoverageProvenance? = nil,
        interop: Interop? = nil,
        gaps: [Gap] = [],
        notes: [Note] = [],
        artifacts: [Artifact],
        sources: [KeptSource],
        attachments: [KeptAttachment]? = nil
    ) {
        self.kanmonVersion = kanmonVersion
        self.runID = runID
        self.project = project
        self.package = package
        self.packageRoot = packageRoot
        self.revision = revision
        self.startedAt = startedAt
        self.duration = duration
        self.engine = engine
        self.isolation = isolation
        self.toolchain = toolchain
        self.machine = machine
        self.origin = origin
        self.inputs = inputs
        self.dependencies = dependencies
        self.arguments = arguments
        self.selection = selection
        self.steps = steps
        self.passes = passes
        self.modules = modules
        self.localPackages = localPackages
        self.modulesWithoutObjects = modulesWithoutObjects
        self.instrumentedSources = instrumentedSources
        self.withheldEnvironment = withheldEnvironment
        self.profiles = profiles
        self.counters = counters
        self.coverage = coverage
        self.interop = interop
        self.gaps = gaps
        self.notes = notes
        self.artifacts = artifacts
        self.sources = sources
        self.attachments = attachments
    }
}
