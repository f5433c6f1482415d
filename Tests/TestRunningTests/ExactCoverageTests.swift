import Evidence
import Foundation
import RunModel
import TestResults
import TestSupport
import Testing

@testable import TestRunning

/// Coverage is what was executed: on however many threads, and however the process ended.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct ExactCoverageTests {
    @Test(arguments: [Engine.swiftTest, .direct])
    func `counts are exact where tests run at the same time`(engine: Engine) async throws {
        let run = try await SampleRun("Racing", engine: engine)
        #expect(run.manifest.gaps == [])
        let counts = try run.counts()
        // `odd -= 1`, whose count is a difference of others, and `odd += 1`.
        #expect(counts[5]?.contains(0) == true)
        #expect(counts[7]?.contains(8 * 500_000) == true)
        #expect(try run.coverage() == ["Racing.swift": [10, 11]])
    }

    @Test(arguments: [Engine.swiftTest, .direct])
    func `what ran before a crash, an exit, a kill or a time limit is covered`(engine: Engine) async throws {
        let run = try await SampleRun(
            "Endings", engine: engine, limits: RunLimits(test: .seconds(3), grace: .seconds(1)))
        let read = try TestRun.read(from: RunDirectory(path: run.directory))
        let file = try #require(read.coverage?.files.first { $0.path == "Sources/Endings/Endings.swift" })
        // All but `neverCalled`.
        #expect(file.functions == CoverageTally(covered: 13, total: 14))
        #expect(read.coverage?.files.map(\.module) == ["Endings"])
        #expect(run.manifest.gaps.filter { $0.code != .timedOut } == [])
        #expect(
            run.manifest.notes.filter { [.profileEmpty, .profileDamaged, .countersNotKept].contains($0.code) } == [])
    }
}
