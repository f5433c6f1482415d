import RunModel
import TestSupport
import Testing

@testable import TestResults

@Suite struct FailureTextsTests {
    private func run(_ texts: [String]) -> TestRun {
        var run = SampleRuns.passing()
        run.tests = texts.enumerated().map { number, text in
            TestResult(
                id: TestID(module: "M", suite: "S", name: "t\(number)"), library: .xctest, outcome: .failed,
                attempts: [TestAttempt(outcome: .failed, issues: [Issue(message: text)], output: nil)])
        }
        return run
    }

    private func messages(_ run: TestRun) -> [String] { run.tests.flatMap(\.issues).map(\.message) }

    @Test func `texts that a person can read stay as they are`() {
        var cut = run(["a", String(repeating: "日", count: 40_000)])
        let before = cut
        cut.cutFailureTexts()
        #expect(cut == before)
    }

    @Test func `a long text keeps its beginning and its end, and a note says so`() {
        var cut = run(["a", "begin" + String(repeating: "x", count: 1 << 20) + "end"])
        cut.cutFailureTexts()
        let text = messages(cut)[1]
        #expect(text.hasPrefix("begin") && text.hasSuffix("end") && text.utf8.count < 132_000)
        #expect(text.contains("bytes left out"))
        #expect(cut.notes.last == Note(.textsCut, detail: "1 text was cut"))
        #expect(messages(cut)[0] == "a")
    }

    @Test func `behind so many bytes of a run, every text is brief`() {
        var cut = run([String](repeating: String(repeating: "y", count: 10_000), count: 100))
        cut.cutFailureTexts(whole: 100_000)
        #expect(messages(cut).map(\.utf8.count).prefix(10) == [Int](repeating: 10_000, count: 10)[...])
        #expect(messages(cut).dropFirst(10).allSatisfy { $0.utf8.count < 1100 })
        #expect(cut.notes.last?.detail == "90 texts were cut")
    }
}
