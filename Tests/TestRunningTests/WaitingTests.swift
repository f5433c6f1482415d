import Evidence
import RunModel
import TestSupport
import Testing

@testable import TestRunning

/// An XCTest case that a time limit ends is shown where it waits, or with what it waits for.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct WaitingTests {
    @Test(arguments: [Engine.swiftTest, .direct])
    func `a time limit shows where a test waits and what for`(engine: Engine) async throws {
        let run = try await SampleRun(
            "Waiting", engine: engine, limits: RunLimits(test: .seconds(3), grace: .seconds(10)))
        let tests = try TestRun.read(from: RunDirectory(path: run.directory)).tests
        #expect(tests.map(\.id.name) == ["waits()", "testA_waits", "testB_waitsAsynchronously"])
        #expect(tests.map(\.outcome) == [.timedOut, .timedOut, .timedOut])
        // Of the test of Swift Testing is not asked here where it waits: its thread is not the one that is told to say so.
        let failures = tests.dropFirst().compactMap(\.firstFailure)
        let classic = "Tests/AnswersTests/ClassicTests.swift"
        // Where XCTest waits for an asynchronous test no frame of it is left: there is only the place of its expectation.
        #expect(failures.map(\.location?.path) == [classic, classic])
        #expect(failures.map(\.location?.line) == [8, 12])
        let lines = failures.map { $0.message.split(separator: "\n").dropFirst().map(String.init) }
        #expect(lines[0].first == "  waits for the expectation 'never comes' made at \(classic):7")
        #expect(lines[0].dropFirst().first?.hasPrefix("  in ClassicTests.testA_waits() at \(classic):8") == true)
        #expect(lines[1] == ["  waits for the expectation 'never comes, either' made at \(classic):12"])
    }
}
