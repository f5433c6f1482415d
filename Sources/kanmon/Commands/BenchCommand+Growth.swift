import ArgumentParser
import Foundation
import Gate
import RunModel
import Storage

extension BenchCommand {
    /// `kanmon bench grow-store`.
    struct GrowStore: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "grow-store", abstract: "Store made-up runs and print what each adds to the file.")
        @Argument(help: "A folder that does not exist yet.") var folder: String
        @Option var runs = 400
        @Option var tests = 5_000
        @Option var files = 500

        func run() throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            let bare = try growth("bare", tests: 0, files: 0)
            let results = try growth("results", tests: tests, files: 0) - bare
            let coverage = try growth("coverage", tests: 0, files: files) - bare
            let all = try growth("all", tests: tests, files: files)
            StandardStreams.print(
                """
                \(results / Double(tests)) bytes a test result
                \(coverage) bytes a run for the coverage of \(files) files
                \(all) bytes a run in all
                """)
        }

        /// Bytes that a run adds in the second half of the history.
        private func growth(_ name: String, tests: Int, files: Int) throws -> Double {
            let path = "\(folder)/\(name).sqlite"
            let store = try RunStore(path: path)
            var sample = SampleHistory(tests: tests, files: files)
            var half = 0
            for number in 0..<runs {
                if number == runs / 2 { half = try size(path) }
                let run = sample.next()
                let verdict = try Verdict(judging: run, by: Policy())
                _ = try store.ingest(run, verdict: verdict, runDirectory: "/home/ci/kanmon/runs/bench/\(run.id)")
            }
            return Double(try size(path) - half) / Double(runs - runs / 2)
        }

        private func size(_ path: String) throws -> Int {
            try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        }
    }
}

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
        // Between a tenth of a millisecond and a second, most of them short.
        durations = (0..<tests).map { _ in 1e5 * pow(10, 4 * pow(random.unit(), 2)) }
        self.files = (0..<files).map { Self.file($0, &random) }
        modules = (0..<max(1, files / 25)).map { index in
            Module(
                name: "Module\(index)", compilerName: "Module\(index)", kind: .library, isSwift: true,
                path: "Sources/Module\(index)", sources: (0..<25).map { "File\(index * 25 + $0).swift" },
                dependencies: [])
        }
        self.random = random
    }

    mutating func next() -> TestRun {
        for index in files.indices where random.below(20) == 0 { files[index] = Self.file(index, &random) }
        number += 1
        var run = TestRun(
            id: RunID(
                milliseconds: 1_767_323_045_000 + UInt64(number) * 60_000, random: (random.next(), random.next())),
            project: "bench", package: "Bench",
            revision: Revision(
                commit: random.digits(40), tree: random.digits(40), branch: "main", subject: "Change number \(number)",
                isDirty: false),
            startedAt: Date(timeIntervalSince1970: 1_767_323_045 + Double(number) * 60), duration: .seconds(60),
            engine: .direct, modules: modules)
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

    static func file(_ index: Int, _ random: inout SampleRandom) -> FileCoverage {
        var lines: [LineCount] = []
        var line: Int32 = 5
        var isCovered = true
        while lines.count < 180 {
            for _ in 0..<(3 + random.below(30)) {
                lines.append(
                    LineCount(line: line, count: ExecutionCount(isCovered ? UInt64(1 + random.below(900)) : 0)))
                line += 1
            }
            line += Int32(random.below(4))
            isCovered = !isCovered || random.below(8) > 0
        }
        return FileCoverage(
            path: "Sources/Module\(index / 25)/File\(index).swift", module: "Module\(index / 25)",
            sourceHash: random.digits(64), lines: lines,
            regions: CoverageTally(covered: 40 + random.below(10), total: 50),
            functions: CoverageTally(covered: 10 + random.below(3), total: 12))
    }
}

/// Numbers that are the same in every process (SplitMix64).
struct SampleRandom {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

    mutating func digits(_ count: Int) -> String {
        var text = ""
        while text.utf8.count < count { text += String(next() | 1 << 63, radix: 16) }
        return String(text.prefix(count))
    }
}
