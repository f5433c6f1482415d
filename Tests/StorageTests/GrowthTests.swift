import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct GrowthTests {
    /// Most of it is what the tests that moved say of themselves.
    @Test func `a run of a thousand tests and a hundred files adds little`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for number in 0..<2 { try store.ingest(Self.run(number)) }
        let before = try Self.size(place)
        for number in 2..<10 { try store.ingest(Self.run(number)) }
        let perRun = (try Self.size(place) - before) / 8
        #expect(perRun < 32_000, "\(perRun) bytes a run")
        #expect(try store.run(SampleRuns.id(9))?.run == Self.run(9).asStored)
        #expect(try store.run(SampleRuns.id(7))?.run == Self.run(7).withoutCounts)
    }

    /// A thousand tests in fifty files, a hundred sources of two hundred lines; in every run five in a hundred of the
    /// tests have moved and of the files have changed, and every duration differs.
    static func run(_ number: Int) -> TestRun {
        var random = SplitMix64(seed: UInt64(number))
        var run = SampleRuns.passing(number)
        run.modules = (0..<5).map { module in
            Module(
                name: "Module\(module)", compilerName: "Module\(module)", kind: .library, isSwift: true,
                path: "Sources/Module\(module)", sources: (0..<20).map { "File\($0).swift" }, dependencies: []
            )
        }
        run.notMeasurable = [:]
        let objects = (0..<100).map { "/home/someone/.cache/kanmon/build/debug/Module.build/File\($0).swift.o" }
        run.steps.append(
            RunStep(
                kind: .export, arguments: ["llvm-cov", "export", "-instr-profile", "/runs/\(run.id)/p"] + objects,
                duration: .milliseconds(300), termination: .exited(0)
            )
        )
        run.tests = (0..<1000).map { index in
            let age = (number + index) / 20
            let isSkipped = index % 50 == 0
            return TestResult(
                id: TestID(
                    module: "Module\(index % 5)Tests", suite: "Suite\(index / 20)", name: "testNumber\(index)()"),
                library: .swiftTesting, outcome: isSkipped ? .skipped : .passed, displayName: "a name \(index)",
                location: SourceLocation(path: "Tests/File\(index / 20).swift", line: 10 + index + age, column: 6),
                attempts: isSkipped
                    ? [] : [TestAttempt(outcome: .passed, duration: .nanoseconds(random.below(20_000_000)))],
                skipReason: isSkipped ? "needs a network" : nil
            )
        }.sorted { $0.id < $1.id }
        run.coverage = Coverage(
            files: (0..<100).map { index in
                var numbers = SplitMix64(seed: UInt64(index * 1000 + (number + index) / 20))
                let isCovered = (0..<200).map { line in numbers.below(100) < (line % 20 < 15 ? 97 : 30) }
                return FileCoverage(
                    path: "Sources/Module\(index / 20)/File\(index % 20).swift", module: "Module\(index / 20)",
                    sourceHash: String(format: "%064x", index * 1000 + (number + index) / 20),
                    lines: isCovered.enumerated().map { line, isCovered in
                        LineCount(
                            line: Int32(line * 4 / 3 + 1),
                            count: ExecutionCount(isCovered ? UInt64(random.below(900) + 1) : 0))
                    },
                    regions: CoverageTally(covered: 40, total: 50), functions: CoverageTally(covered: 10, total: 12)
                )
            }.sorted { $0.path < $1.path }
        )
        return run
    }

    /// No reader has the store open, so the log is gone once a run is stored.
    private static func size(_ place: TemporaryStore) throws -> Int {
        #expect(try place.names == ["kanmon.sqlite", "kanmon.sqlite.lock"])
        return try FileManager.default.attributesOfItem(atPath: place.path)[.size] as? Int ?? 0
    }
}
