import Evidence
import RunModel
import TestResults
import TestSupport
import Testing

@testable import TestRunning

/// A test that a time limit ends is shown where it waits, or with what it waits for.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct WaitingTests {
    @Test(arguments: [Engine.swiftTest, .direct])
    func `a time limit shows where a test waits and what for`(engine: Engine) async throws {
        let run = try await SampleRun(
            "Waiting", engine: engine, limits: RunLimits(test: .seconds(3), grace: .seconds(60)))
        let tests = try TestRun.read(from: RunDirectory(path: run.directory)).tests
        #expect(tests.map(\.id.name) == ["waits()", "testA_waits", "testB_waitsAsynchronously"])
        #expect(tests.map(\.outcome) == [.timedOut, .timedOut, .timedOut])
        let failures = tests.dropFirst().compactMap(\.firstFailure)
        let (classic, source) = ("Tests/AnswersTests/ClassicTests.swift", "Sources/Answers/Answers.swift")
        // Where XCTest waits for an asynchronous test no frame of it is left: there is only the place of its expectation.
        #expect(failures.map(\.location?.path) == [classic, classic])
        #expect(failures.map(\.location?.line) == [8, 12])
        let lines = failures.map { $0.message.split(separator: "\n").dropFirst().map(String.init) }
        #expect(lines[0].first == "  waits for the expectation 'never comes' made at \(classic):7")
        #expect(lines[0].dropFirst().first?.hasPrefix("  in ClassicTests.testA_waits() at \(classic):8") == true)
        #expect(lines[1] == ["  waits for the expectation 'never comes, either' made at \(classic):12"])
        let modern = try #require(tests.first?.firstFailure)
        #expect(modern.location?.path == source)
        #expect(modern.location?.line == 5)
        #expect(modern.message.contains("\n  in waits() at Tests/AnswersTests/ModernTests.swift:5"))
    }
}
