import Evidence
import Foundation
import RunModel
import TestResults
import TestSupport
import Testing

@testable import TestRunning

/// Which test executes what, recorded in real processes.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct TestMapTests {
    /// The lines of the file by test, each with the short name of its test.
    private func lines(_ map: TestMap, _ path: String) -> [String: [Int32]] {
        var lines: [String: [Int32]] = [:]
        for test in map.tests {
            let files = map.executed(by: test) ?? []
            lines[test.name] = files.first { $0.path == path }.map { $0.lines.flatMap { Array($0) } } ?? []
        }
        return lines
    }

    @Test(arguments: [Engine.direct, .swiftTest])
    func `each test of XCTest has what it executes, and what globals and tools do for it`(engine: Engine) async throws {
        let sample = try await SampleRun("Mapping", engine: engine)
        let run = try TestRun.read(from: RunDirectory(path: sample.directory))
        #expect(run.failures == [])
        let map = try #require(run.testMap)
        #expect(map.tests.map(\.suite) == Array(repeating: "ClassicTests", count: 9))
        let own = lines(map, "Sources/Mapping/Mapping.swift")
        // The initialiser of the table and its function, whoever was first.
        #expect(own["testA_usesTheTable"] == [7, 8, 9])
        #expect(own["testB_usesTheTotal"] == [5, 7, 8, 9])
        #expect(own["testC_usesTheTotalToo"] == [5, 7, 8, 9])
        #expect(own["testD_negative"] == [12, 13, 14, 15, 17])
        #expect(own["testE_positive"] == [12, 13, 15, 16, 17])
        // The body of the closure is another function.
        #expect(own["testF_doublesNothing"] == [19, 20, 23])
        #expect(own["testG_doubles"] == [19, 20, 21, 22, 23])
        #expect(own["testH_startsATool"] == [25, 26, 27])
        #expect(own["testI_leaksAThread"] == [33, 34, 35])
        #expect(lines(map, "Sources/mapping-tool/main.swift")["testH_startsATool"] == [3])
        let others = try #require(map.answer("Sources/Mapping/Mapping.swift", line: 30))
        #expect(others.tests == [] && others.hasOthers)
        #expect(map.answer("Sources/Mapping/Mapping.swift", line: 38)?.functions == [])
    }

    @Test(arguments: [Engine.direct, .swiftTest])
    func `what makes the properties of a test class belongs to each of its tests`(engine: Engine) async throws {
        let sample = try await SampleRun("Properties", engine: engine)
        let run = try TestRun.read(from: RunDirectory(path: sample.directory))
        #expect(run.failures == [])
        let map = try #require(run.testMap)
        let own = lines(map, "Sources/Properties/Properties.swift")
        #expect(own["testA_looksAtTheSubject"] == [4, 5, 6, 12, 13, 14])
        #expect(own["testB_looksAtTheTable"] == [4, 5, 6, 12, 13, 14])
        #expect(own["testC_looksAtWhatIsInherited"] == [12, 13, 14, 16, 17, 18, 21, 22, 23])
        #expect(own["testD_looksAtNothing"] == [])
        #expect(map.sets.allSatisfy { !$0.hasOthers })
    }

    @Test func `short tests of Swift Testing are mapped by themselves, if none fails`() async throws {
        func mapped(_ package: String, _ limit: Duration, _ selection: Selection = Selection()) async throws -> Bool {
            let sample = try await SampleRun(
                package, engine: .direct, selection: selection, mapping: TestMapping(processes: 1, limit: limit))
            return sample.manifest.steps.contains { $0.kind == .map }
        }
        #expect(try await mapped("Mapping", .seconds(60)))
        #expect(try await !mapped("Mapping", .microseconds(1)))
        #expect(try await !mapped("Mapping", .seconds(60), Selection(filters: ["MappingTests"])))
        #expect(try await !mapped("Failing", .seconds(60)))
    }

    @Test func `a test that kills a program is not in the map, as a change of the program may break it`() async throws {
        let sample = try await SampleRun("Killing", engine: .direct)
        let run = try TestRun.read(from: RunDirectory(path: sample.directory))
        #expect(run.failures == [] && run.tests.count == 2)
        #expect(run.testMap?.tests.map(\.name) == ["testLooksAtAText"])
    }

    @Test func `a mapping pass adds the tests of Swift Testing, and nothing to results or coverage`() async throws {
        let sample = try await SampleRun("Mapping", engine: .direct, mapping: TestMapping(processes: 2))
        let run = try TestRun.read(from: RunDirectory(path: sample.directory))
        #expect(run.tests.map(\.attempts.count) == Array(repeating: 1, count: 12))
        #expect(run.steps.count { $0.kind == .map } == 2)
        let map = try #require(run.testMap)
        #expect(map.tests.count == 12)
        let swiftTesting = Set(run.tests.filter { $0.library == .swiftTesting }.map(\.id))
        #expect(Set(map.durations.keys) == swiftTesting)
        let own = lines(map, "Sources/Mapping/Mapping.swift")
        #expect(own["usesTheTotal()"] == [5, 7, 8, 9])
        #expect(own["signs(number:)"] == [12, 13, 14, 15, 16, 17])
        #expect(own["doubles()"] == [19, 20, 21, 22, 23])
        #expect(run.gaps == [])
    }

    @Test func `what a test did before it took its process down is its own`() async throws {
        let sample = try await SampleRun(
            "Endings", engine: .direct, mapping: TestMapping(processes: 1),
            limits: RunLimits(test: .seconds(3), silence: .seconds(3), grace: .seconds(1)))
        let map = try #require(try TestRun.read(from: RunDirectory(path: sample.directory)).testMap)
        let own = lines(map, "Sources/Endings/Endings.swift")
        #expect(own["testA_inOrder"] == [18])
        #expect(own["testB_trap"] == [3])
        #expect(own["testC_exit"] == [4])
        #expect(own["testD_kill"] == [5])
        #expect(own["testE_limit"] == [6])
        #expect(own["testF_fork"] == [7])
        #expect(own["testG_inOrder"] == [18])
        #expect(own["trap()"] == [8])
        #expect(own["exits()"] == [9])
        #expect(own["killed()"] == [10])
        #expect(own["limit()"] == [11])
        #expect(own["forks()"] == [12])
        #expect(own["exitTestByTrap()"] == [13])
        #expect(own["exitTestInOrder()"] == [14])
        #expect(own["inOrder()"] == [18])
    }
}
