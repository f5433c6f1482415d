import Foundation
import Gate
import RunModel

/// A history as long as wanted, for measuring: several modules and branches, tests that fail for good, that are flaky, skipped
/// or known to fail, a part of the tests now and then, and one file in twenty that changes from run to run.
///
/// Names and outcomes are the same in every process; the moments end where they are told to.
struct LongHistory {
    static let project = "example.com/long-history"
    /// How many tests the first module has; the others have many more.
    static let firstModule = 100
    private static let hoursApart = 3.0

    static let policy = Policy(
        defaultFloors: Floors(line: Percentage(thousandths: 60_000)),
        excludes: [Exclusion(pattern: "Sources/Module0/File1.swift", reason: "made by a script")], minimumTests: 1,
        quarantine: CalendarDay("2099-12-31").map { day in
            (0..<3).map { index in
                QuarantineEntry(
                    test: "Part1Tests.Suite\(5 + index)/testNumber\(107 + 20 * index)", owner: "@network",
                    reason: "the clock of the stub drifts", expires: day)
            }
        } ?? [])

    /// How many runs are still to come.
    private(set) var remaining: Int
    private let tests: [TestID]
    private let durations: [Double]
    private let modules: [Module]
    private let end: Date
    private var files: [FileCoverage]
    private var random = SampleRandom(state: 20_260_103)
    private var commit = ""
    private var tree = ""

    private let project: String

    init(of project: String = Self.project, runs: Int, tests: Int, files: Int, until end: Date) {
        self.project = project
        // Runs of another project have other ids.
        if project != Self.project { random = SampleRandom(state: 20_260_104) }
        remaining = runs
        self.end = end
        self.tests = (0..<tests).map(Self.test)
        var random = random
        durations = SamplePackage.durations(tests: tests, &random)
        self.files = (0..<files).map { SamplePackage.file($0, &random) }
        let suites = Set(self.tests.map(\.module)).sorted().map { name in
            Module(
                name: name, compilerName: name, kind: .test, isSwift: true, path: "Tests/\(name)", sources: [],
                dependencies: [])
        }
        modules = SamplePackage.modules(files: files) + suites
        self.random = random
    }

    /// The next run, the oldest first; `nil` behind the last.
    mutating func next() -> TestRun? {
        guard remaining > 0 else { return nil }
        remaining -= 1
        let age = remaining
        for index in files.indices where random.below(20) == 0 { files[index] = SamplePackage.file(index, &random) }
        // One run in ten tests what was tested before.
        if age % 10 != 7 || commit.isEmpty { (commit, tree) = (random.digits(40), random.digits(40)) }
        let startedAt = end.addingTimeInterval(-Double(age) * Self.hoursApart * 3600)
        let isPart = age % 50 == 31
        let results = tests.indices.compactMap { isPart && $0 >= Self.firstModule ? nil : result($0, age: age) }
        let head = RunHead(
            id: RunID(
                milliseconds: UInt64(startedAt.timeIntervalSince1970 * 1000), random: (random.next(), random.next())),
            project: project, package: "LongHistory",
            revision: Revision(
                commit: commit, tree: tree, branch: age % 5 == 3 ? "topic/\(age / 5 % 8)" : "main",
                subject: "Change number \(age) from the end", isDirty: false),
            startedAt: startedAt, duration: .seconds(60 + random.below(9)), engine: .direct)
        let facts = RunFacts(
            toolchain: Toolchain(swiftVersion: "", llvmVersion: "", target: ""),
            inputs: RunInputs(platform: "bench", checkout: "", environment: "", settings: ""),
            selection: isPart ? Selection(filters: ["^Part0Tests"]) : nil,
            steps: [
                RunStep(
                    kind: .test, arguments: ["swift", "test"], duration: .seconds(50), termination: .exited(0))
            ],
            modules: modules)
        return TestRun(
            head, facts, tests: results.sorted { $0.id < $1.id },
            coverage: Coverage(files: files.sorted { $0.path < $1.path }))
    }

    private static func test(_ index: Int) -> TestID {
        let module = index < firstModule ? "Part0Tests" : "Part\(1 + (index - firstModule) / 490)Tests"
        return TestID(module: module, suite: "Suite\(index / 20)", name: "testNumber\(index)")
    }

    private mutating func result(_ index: Int, age: Int) -> TestResult {
        let duration = Duration.nanoseconds(Int64(durations[index] * (0.9 + 0.2 * random.unit())))
        let id = tests[index]
        let place = SourceLocation(path: "Tests/\(id.module)/\(id.suite).swift", line: 10 + index % 20 * 12)
        var result = TestResult(id: id, library: .xctest, outcome: .passed, location: place)
        func attempt(_ outcome: Outcome, isKnown: Bool = false) -> TestAttempt {
            let issue = Issue(
                message: "XCTAssertEqual failed: (\"\(index)\") is not equal to (\"\(index % 13)\")", location: place,
                isKnown: isKnown)
            return TestAttempt(outcome: outcome, duration: duration, issues: outcome == .passed ? [] : [issue])
        }
        switch index % 1000 {
        // Five tests of 5,000 began to fail, one after the other, and still do.
        case 211 where age < 3 + index / 1000 * 2:
            (result.outcome, result.attempts) = (.failed, [attempt(.failed)])
        case 107, 127,
            147 where random.below(12) == 0:
            let staysDown = random.below(2) == 0
            result.outcome = staysDown ? .failed : .passed
            result.attempts = [attempt(.failed), attempt(result.outcome)]
        case 333: (result.outcome, result.attempts) = (.knownIssue, [attempt(.knownIssue, isKnown: true)])
        case 555 where age % 97 == 1: (result.outcome, result.attempts) = (.crashed, [attempt(.crashed)])
        case let rest where rest % 100 == 3: (result.outcome, result.skipReason) = (.skipped, "needs a network")
        default: result.attempts = [attempt(.passed)]
        }
        return result
    }
}
