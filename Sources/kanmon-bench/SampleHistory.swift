import Foundation
import RunModel

/// Runs of one project, each much like the one before: one test in a hundred is skipped, one in five hundred is flaky, every
/// duration is its test's own within a tenth, and in each run one file in twenty has changed. The same in every process.
struct SampleHistory {
    private var random = SampleRandom(state: 20_260_102)
    private var number = 0
    private let durations: [Double]
    private var files: [FileCoverage]
    private let modules: [Module]
    private let testCount: Int

    init(tests: Int, files: Int) {
        testCount = tests
        var random = random
        durations = SamplePackage.durations(tests: tests, &random)
        self.files = (0..<files).map { SamplePackage.file($0, &random) }
        modules = SamplePackage.modules(files: files)
        self.random = random
    }

    mutating func next() -> TestRun {
        for index in files.indices where random.below(20) == 0 { files[index] = SamplePackage.file(index, &random) }
        number += 1
        var run = TestRun(
            RunHead(
                id: RunID(
                    milliseconds: 1_767_323_045_000 + UInt64(number) * 60_000, random: (random.next(), random.next())),
                project: "bench", package: "Bench",
                revision: Revision(
                    commit: random.digits(40), tree: random.digits(40), branch: "main",
                    subject: "Change number \(number)", isDirty: false),
                startedAt: Date(timeIntervalSince1970: 1_767_323_045 + Double(number) * 60), duration: .seconds(60),
                engine: .direct),
            RunFacts(
                inputs: RunInputs(platform: "bench", checkout: "", environment: "", settings: ""), modules: modules))
        run.tests = (0..<testCount).map { result($0) }.sorted { $0.id < $1.id }
        if !files.isEmpty { run.coverage = Coverage(files: files.sorted { $0.path < $1.path }) }
        return run
    }

    private mutating func result(_ index: Int) -> TestResult {
        let nanoseconds = durations[index] * (0.9 + 0.2 * random.unit())
        let isSkipped = index % 100 == 3
        let isFailure = index % 500 == 7 && random.below(2) == 0
        let location = SourceLocation(path: "Tests/CoreTests/File\(index / 20).swift", line: 10 + index % 20 * 12)
        var attempt = TestAttempt(outcome: isFailure ? .failed : .passed, duration: .nanoseconds(Int64(nanoseconds)))
        if isFailure {
            let message = "XCTAssertEqual failed: (\"\(random.below(17))\") is not equal to (\"\(index % 13)\")"
            attempt.issues = [Issue(message: message, location: location)]
        }
        return TestResult(
            id: TestID(module: "CoreTests", suite: "Suite\(index / 20)", name: "testNumber\(index)"), library: .xctest,
            outcome: isSkipped ? .skipped : attempt.outcome, location: location, attempts: isSkipped ? [] : [attempt],
            skipReason: isSkipped ? "needs a network" : nil)
    }
}
