/// The compiler and tools that a run used.
public struct Toolchain: Sendable, Hashable, Codable {
    /// The first line of `swift --version`.
    public var swiftVersion: String
    /// The version line of the `llvm-cov` in the folder of that `swift`.
    public var llvmVersion: String
    /// The target triple, such as `x86_64-unknown-linux-gnu`.
    public var target: String
    /// The build system that was requested from SwiftPM by name; `nil` if none was.
    public var buildSystem: BuildSystem?
    /// The traits, sanitizer and flags that the package is built with; `nil` if SwiftPM builds it as by default.
    public var build: BuildChoice?

    /// The same toolchain with a package that is built in another way.
    public func building(_ choice: BuildChoice) -> Toolchain {
        var toolchain = self
        toolchain.build = choice.isUsual ? nil : choice
        return toolchain
    }

    package init(
        swiftVersion: String, llvmVersion: String, target: String, buildSystem: BuildSystem? = nil,
        build: BuildChoice? = nil
    ) {
        self.buildSystem = buildSystem
        self.build = build
        self.swiftVersion = swiftVersion
        self.llvmVersion = llvmVersion
        self.target = target
    }
}

/// What SwiftPM builds with.
public enum BuildSystem: String, Sendable, Hashable, Codable, CaseIterable {
    /// SwiftPM's own, by llbuild.
    case native
    /// Swift Build.
    case swiftbuild
}

/// How the tests were started.
public enum Engine: String, Sendable, Hashable, Codable, CaseIterable {
    /// `swift test --skip-build`.
    case swiftTest = "swift-test"
    /// The test binaries themselves.
    case direct
    /// Another tool, whose reports were ingested.
    case foreign
}

/// Everything that is known about one run, including what the evidence does not establish.
///
/// The values of its head and its facts are also its own, by the same names.
public struct TestRun: HasRunHead, HasRunFacts, Sendable, Hashable {
    /// Which run it is, and of what.
    public var head: RunHead
    /// How it was made.
    public var facts: RunFacts
    /// SHA-256 over the paths and contents of all sources of the targets, tests included, lower-case hexadecimal;
    /// `nil` if they were not kept.
    public var sourceDigest: String?
    /// The modules that cannot be measured, by manifest name, with the reason.
    public var notMeasurable: [String: String]
    /// Messages of the compiler.
    public var diagnostics: [BuildDiagnostic]
    /// The result of every discovered or executed test case, ordered by identity.
    public var tests: [TestResult]
    /// The coverage; `nil` when none could be recorded.
    public var coverage: Coverage?
    /// Which tests execute which code; `nil` if no test was recorded.
    public var testMap: TestMap?
    /// What a selection of tests would have left out; `nil` if it was not tried.
    public var trial: SelectionTrial?
    /// What the evidence does not establish.
    public var gaps: [Gap]
    /// Remarks that do not block.
    public var notes: [Note]
    /// The shards that it was merged from, in the order of their numbers; empty for any other run.
    public var shards: [RunID]
    /// How it came here; `nil` if it was made or ingested here.
    public var delivery: DeliveryRecord?

    /// Makes a run of what is known; all else is absent.
    public init(
        _ head: RunHead,
        _ facts: RunFacts = RunFacts(),
        sourceDigest: String? = nil,
        notMeasurable: [String: String] = [:],
        diagnostics: [BuildDiagnostic] = [],
        tests: [TestResult] = [],
        coverage: Coverage? = nil,
        gaps: [Gap] = [],
        notes: [Note] = [],
        shards: [RunID] = [],
        delivery: DeliveryRecord? = nil
    ) {
        self.head = head
        self.facts = facts
        self.sourceDigest = sourceDigest
        self.notMeasurable = notMeasurable
        self.diagnostics = diagnostics
        self.tests = tests
        self.coverage = coverage
        self.gaps = gaps
        self.notes = notes
        self.shards = shards
        self.delivery = delivery
    }

    /// Which tests it was asked to run.
    public var selection: Selection {
        get { facts.selection ?? Selection() }
        set { facts.selection = newValue == Selection() ? nil : newValue }
    }

    /// The packages that it depends on by path, whose code is not measured, ordered by path.
    public var localPackages: [LocalPackage] {
        get { facts.localPackages ?? [] }
        set { facts.localPackages = newValue.isEmpty ? nil : newValue }
    }

    /// Whether the build failed by itself; a build that a time limit, the user or a fault of the build system ended says nothing
    /// about the sources.
    public var buildFailed: Bool {
        self.steps.contains { $0.kind == .build && !$0.termination.isSuccess && !$0.wasTimedOut }
            && !gaps.contains { $0.code == .interrupted || $0.code == .buildSystemFailed }
    }

    /// Whether only some of the tests were selected: then it says nothing about the coverage of the package.
    public var isPartial: Bool { selection.isPartial }

    /// Whether its evidence is of the present version. Reports of another tool have no inputs, and no version of evidence; nor needs a
    /// folder outside of git any. Of anything else that does not say what it depends on, the version is unknown, too.
    public var isCurrent: Bool {
        guard let inputs = self.inputs else { return self.engine == .foreign || self.revision == nil }
        return inputs.isCurrent
    }

    /// How far it is to be trusted.
    public var trust: Trust { Trust(self.revision, delivery, isCurrent: isCurrent) }

    /// The number of test cases with each outcome.
    public var outcomes: OutcomeTally { OutcomeTally(tests) }
    /// The tests that fail the run, in the order of the results.
    public var failures: [TestResult] { tests.filter { $0.outcome.isFailure } }
    /// The warnings that tests recorded in the attempts that count, in the order of the results.
    public var warnings: [TestWarning] {
        tests.flatMap { test in test.issues.filter(\.isWarning).map { TestWarning(test: test.id, issue: $0) } }
    }
    /// The flaky tests, in the order of the results.
    public var flakyTests: [TestResult] { tests.filter { $0.isFlaky } }

    /// The coverage of one module for one metric; `nil` when there is none.
    public func coverage(of module: String, _ metric: CoverageMetric) -> CoverageTally? {
        guard let coverage else { return nil }
        let files = coverage.files.filter { $0.module == module }
        return files.isEmpty ? nil : files.reduce(CoverageTally()) { $0 + $1.tally(metric) }
    }
}
