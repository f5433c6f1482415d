import RunModel
import TestSupport
import Testing

@testable import Evidence
@testable import TestResults

@Suite struct TextAllowanceTests {
    @Test func `the first texts are whole, those behind brief, and the rest a word`() {
        var allowance = TextAllowance(whole: 100_000)
        let text = String(repeating: "y", count: 10_000)
        let lengths = (0..<300).map { _ in allowance.keep(text).utf8.count }
        #expect(lengths.prefix(10).allSatisfy { $0 == 10_000 })
        #expect(lengths[10] > 1_024 && lengths[10] < 1_100 && lengths[50] == lengths[10])
        #expect(lengths[299] > 64 && lengths[299] < 110)
        #expect(allowance.cut == 290)
    }

    @Test func `of a flood of failures a report keeps little, and the run says so`() throws {
        let body = String(repeating: "f", count: 100_000)
        let cases = (0..<400).map { "<testcase name='t\($0)'><failure message='m'>\(body)</failure></testcase>" }
        let report = ForeignReport(path: "f.xml", bytes: Array("<testsuite>\(cases.joined())</testsuite>".utf8))
        let run = try TestRun.ingesting(
            [report], id: SampleRuns.id(1), project: "p", package: "p", at: SampleRuns.passing().startedAt)
        let kept = run.tests.flatMap(\.issues).map(\.message.utf8.count)
        #expect(kept.count == 400 && kept.reduce(0, +) < 20 << 20)
        #expect(kept.count { $0 > 100_000 } == 168)
        #expect(run.notes == [Note(.textsCut, detail: "232 texts were cut")])
    }

    @Test func `what passing tests print is bounded too`() throws {
        let output = String(repeating: "o", count: 100_000)
        let cases = (0..<400).map { "<testcase name='t\($0)'><system-out>\(output)</system-out></testcase>" }
        let report = ForeignReport(path: "f.xml", bytes: Array("<testsuite>\(cases.joined())</testsuite>".utf8))
        let run = try TestRun.ingesting(
            [report], id: SampleRuns.id(1), project: "p", package: "p", at: SampleRuns.passing().startedAt)
        #expect(run.tests.flatMap(\.attempts).compactMap(\.output).reduce(0) { $0 + $1.utf8.count } < 20 << 20)
    }
}
