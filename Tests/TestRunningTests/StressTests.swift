import Foundation
import RunModel
import TestRunning
import TestSupport
import Testing

/// Tests of a package that are repeated until they have proven themselves, for real.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct StressTests {
    private let folder: TemporaryFolder

    /// The first fails from the second time on. The second hangs where the task that it waits for has no thread. The third makes two
    /// where another task comes in between.
    private func sources() -> String {
        """
        import Dispatch
        import Foundation
        import Testing

        @Test func afterAll() throws {
            let file = "\(folder.path)/seen"
            let isSecond = FileManager.default.fileExists(atPath: file)
            try Data().write(to: URL(fileURLWithPath: file))
            if isSecond { Issue.record("it was there before") }
        }

        private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

        @Test func blocks() async {
            let semaphore = DispatchSemaphore(value: 0)
            Task { semaphore.signal() }
            wait(for: semaphore)
        }

        private actor Cache {
            private(set) var made = 0
            private var value: Int?

            func fill() async {
                guard value == nil else { return }
                for _ in 0..<100 { await Task.yield() }
                made += 1
                value = made
            }
        }

        @Test func checksAndActs() async {
            let cache = Cache()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { await cache.fill() } }
            }
            #expect(await cache.made == 1)
        }

        @Test func passes() {}

        @Test func other() {}

        """
    }

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write(
            """
            // swift-tools-version: 5.10
            import PackageDescription
            let package = Package(name: "Stress", targets: [.testTarget(name: "StressTests")])

            """, to: "Stress/Package.swift")
        _ = try folder.write(sources(), to: "Stress/Tests/StressTests/StressTests.swift")
    }

    private func stress(_ names: [String], runs: Int, budget: Duration = .seconds(300)) async throws -> StressReport {
        let cache = FileManager.default.temporaryDirectory.appending(path: "kanmon-tests-\(getuid())").path
        let durations = ["afterAll", "blocks", "checksAndActs", "passes", "other"].map {
            (TestID(module: "StressTests", suite: "", name: "\($0)()"), Duration.milliseconds(5))
        }
        return try await TestRunner().stress(
            RunRequest(
                package: TestedPackage(root: "\(folder.path)/Stress", project: "sample"),
                scratchPath: "\(folder.path)/scratch", runDirectory: "\(folder.path)/stress",
                cacheDirectory: "\(cache)/kanmon", runID: SampleRuns.id(1), startedAt: SampleRuns.moment,
                arguments: ["stress"], kanmonVersion: "test",
                parentEnvironment: ProcessInfo.processInfo.environment),
            StressRequest(
                runs: runs, budget: budget, seed: 7,
                durations: Dictionary(durations) { first, _ in first }, wholeDuration: .seconds(60)),
            of: names
        ) { _ in }
    }

    /// How often a test ended in which way, by surroundings.
    private func counts(_ name: String, _ report: StressReport) -> [Probation.Way: TrialTally] {
        let entry = report.probation.entries.first { $0.test.name == name }
        return Dictionary((entry?.counts ?? []).map { ($0.way, $0.tally) }) { first, _ in first }
    }

    @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
    func `each way shows what only it can show`() async throws {
        let names = ["StressTests.afterAll()", "StressTests.blocks()", "checksAndActs", "StressTests.passes()"]
        let report = try await stress(names, runs: 3)
        #expect(report.obstacle == nil)
        #expect(report.unknown == [])
        #expect(!report.probation.isCutShort)
        #expect(
            report.probation.entries.map(\.test.name) == ["afterAll()", "blocks()", "checksAndActs()", "passes()"])

        let three = TrialTally(passed: 3)
        let one = TrialTally(passed: 1)
        #expect(
            counts("passes()", report) == [.alone: three, .drawnCompany: three, .oneThread: one, .twoThreads: one])
        #expect(
            counts("afterAll()", report) == [
                .alone: TrialTally(passed: 1, failed: 2), .drawnCompany: TrialTally(failed: 3),
                .oneThread: TrialTally(failed: 1), .twoThreads: TrialTally(failed: 1),
            ])
        let again = report.probation.entries[0].firstFailure
        #expect(again?.way == .oneThread)
        #expect(again?.repetition == 2)
        #expect(again?.sample.issues.map(\.message) == ["Issue recorded\nit was there before"])

        // Fewer processors than this machine has would show it without any help.
        #expect(
            counts("blocks()", report) == [
                .alone: three, .drawnCompany: three, .oneThread: TrialTally(timedOut: 1), .twoThreads: one,
            ])
        let hang = report.probation.entries[1].firstFailure
        #expect(hang?.way == .oneThread)
        #expect(hang?.sample.outcome == .timedOut)
        let place = "Tests/StressTests/StressTests.swift:12"
        #expect(hang?.sample.issues.first?.message.contains(place) == true, "\(String(describing: hang))")

        #expect(report.probation.entries[2].usual.failures > 0)
    }

    @Test func `a name that no test has is told, and without time nothing is repeated`() async throws {
        let unknown = try await stress(["passes", "nobody"], runs: 1)
        #expect(unknown.unknown == ["nobody"])
        #expect(unknown.probation.entries == [])
        let hurried = try await stress(["passes"], runs: 1, budget: .zero)
        #expect(hurried.probation.isCutShort)
        #expect(hurried.probation.entries.map(\.isUnproven) == [true])
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/stress"))
    }
}
