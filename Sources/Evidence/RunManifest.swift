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
    case deselectedTests = "deselected-tests"
    /// The lines that tests executed in an earlier run which this one left out, as JSON.
    case deselectedLines = "deselected-lines"
    /// Who changed the lines last at which tests failed, as JSON.
    case authors
    /// What came of new and changed tests that were repeated, as JSON.
    case probation
    /// What was seen of the failed tests when they were repeated, as JSON.
    case causes
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

    package init(role: ArtifactRole, path: String, bytes: Int, sha256: String) {
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
}

/// `manifest.json`: the contents and history of a run directory. Written last, so that a directory with a manifest is
/// complete.
///
/// It has three parts, whose values it has by the same names: in the file they stand side by side.
@dynamicMemberLookup
public struct RunManifest: HasRunHead, HasRunFacts, Sendable, Hashable, Codable {
    /// The version this build writes; a reader accepts it and all before.
    public static let currentSchemaVersion = 1
    /// The name of the file.
    public static let fileName = "manifest.json"

    /// Which run it is, and of what.
    public var head: RunHead
    /// How it was made.
    public var facts: RunFacts
    /// What the run directory has in it, and how it came about.
    public var contents: Contents

    package init(_ head: RunHead, _ facts: RunFacts, _ contents: Contents) {
        (self.head, self.facts, self.contents) = (head, facts, contents)
    }

    /// Reads the parts, which share one object.
    public init(from decoder: any Decoder) throws {
        self.init(try RunHead(from: decoder), try RunFacts(from: decoder), try Contents(from: decoder))
    }

    /// Writes the parts into one object.
    public func encode(to encoder: any Encoder) throws {
        try head.encode(to: encoder)
        try facts.encode(to: encoder)
        try contents.encode(to: encoder)
    }

    /// A value of the contents.
    public subscript<Value>(dynamicMember path: WritableKeyPath<Contents, Value>) -> Value {
        get { contents[keyPath: path] }
        set { contents[keyPath: path] = newValue }
    }
}

extension RunManifest {
    /// What a run directory has in it, and how it came about: what readers need who make a run of it.
    public struct Contents: Sendable, Hashable, Codable {
        /// The version of this format.
        public var schemaVersion = RunManifest.currentSchemaVersion
        /// The version of Kanmon that wrote it.
        public var kanmonVersion: String
        /// What the id was made of, with the project, as `RunID.init(of:seed:at:)` makes it; absent where it was made in another way.
        public var seed: String?
        /// The package's folder as an absolute path with links resolved: the prefix that is cut from recorded paths.
        public var packageRoot: String
        /// The arguments `kanmon` was called with.
        public var arguments: [String]
        /// The passes in order; absent if no tests were started, or by a runner that starts them once.
        public var passes: [TestPass]?
        /// Own Swift targets of which an object file was missing, or was changed by the tests, by manifest name: their coverage is
        /// not known.
        public var modulesWithoutObjects: [String] = []
        /// Own sources whose object file holds a coverage map, so that an export must contain them; `nil` in older
        /// manifests.
        public var instrumentedSources: [String]?
        /// Names of environment variables that were not passed to the tests.
        public var withheldEnvironment: [String] = []
        /// The size in bytes of every raw profile that the tests left; 0 is a process that was killed.
        public var profiles: [Int] = []
        /// How the counters of coverage were increased; absent if unknown, as in reports of another tool.
        public var counters: CounterKind?
        /// How Kanmon itself read the coverage; absent if LLVM's tools did, in steps.
        public var coverage: CoverageProvenance?
        /// The gaps that the runner found: a leak, a time limit, a profile that did not merge.
        public var gaps: [Gap] = []
        /// The notes of the runner.
        public var notes: [Note] = []
        /// The files of the run.
        public var artifacts: [Artifact] = []
        /// The sources of the package's own targets.
        public var sources: [KeptSource] = []
        /// The files that tests attached; absent if there are none.
        public var attachments: [KeptAttachment]?
        /// What folders in the reports of another tool are called here; absent if they are called the same.
        public var pathMaps: [PathMap]?
        /// The record of the merge; absent for a run that is not merged.
        public var merge: MergeRecord?

        /// The contents of a run directory in which nothing is yet.
        public init(kanmonVersion: String, packageRoot: String, arguments: [String]) {
            self.kanmonVersion = kanmonVersion
            self.packageRoot = packageRoot
            self.arguments = arguments
        }
    }
}
