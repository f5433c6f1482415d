import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct ComparisonTests {
    @Test func `every test is in one list at most`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let endings: [(String, Outcome?, Outcome?)] = [
            ("a same", .passed, .passed), ("b regressed", .passed, .crashed), ("c new and failing", nil, .failed),
            ("d still", .failed, .failed), ("e still, otherwise", .failed, .timedOut), ("f fixed", .failed, .passed),
            ("g fixed, known", .crashed, .knownIssue), ("h new", nil, .passed), ("i new, skipped", nil, .skipped),
            ("j gone", .passed, nil), ("k gone, failed", .failed, nil), ("l skipped", .passed, .skipped),
            ("m failed, skipped", .failed, .skipped), ("n not run", .failed, .notRun), ("o again", .skipped, .passed),
        ]
        var before = SampleRuns.passing(1)
        before.tests = endings.compactMap { name, before, _ in before.map { Self.result(name, $0) } }
        var after = SampleRuns.passing(2)
        after.tests = endings.compactMap { name, _, after in after.map { Self.result(name, $0) } }
        try store.ingest(before)
        try store.ingest(after)

        let comparison = try store.compare(before.id, after.id)
        let names = { (tests: [ChangedTest]) in tests.map { String($0.id.name.prefix(1)) }.joined() }
        #expect(names(comparison.tests(.regressed)) == "b")
        #expect(names(comparison.tests(.addedFailing)) == "c")
        #expect(names(comparison.tests(.stillFailing)) == "de")
        #expect(names(comparison.tests(.fixed)) == "fg")
        #expect(names(comparison.tests(.added)) == "hi")
        #expect(names(comparison.tests(.removed)) == "jk")
        #expect(names(comparison.tests(.newlySkipped)) == "lm")
        #expect(names(comparison.tests(.otherwise)) == "no")
        #expect(comparison.before.id == before.id)
        #expect(comparison.after.id == after.id)
        #expect(
            comparison.tests(.removed).first
                == ChangedTest(id: TestID(module: "M", suite: "", name: "j gone"), before: .passed, after: nil))
    }

    @Test func `coverage is compared module by module`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var before = SampleRuns.passing(1)
        before.modules.removeFirst()
        before.coverage?.files.removeFirst(2)
        var after = SampleRuns.failing(2)
        after.modules.removeAll { $0.name == "tool" }
        try store.ingest(before)
        try store.ingest(after)
        #expect(
            try store.compare(before.id, after.id).modules == [
                ModuleChange(module: "Core", before: nil, after: CoverageTally(covered: 19, total: 20)),
                ModuleChange(module: "tool", before: CoverageTally(covered: 8, total: 10), after: nil),
            ]
        )
    }

    @Test func `a part of the tests says nothing of the others, nor of modules`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let whole = SampleRuns.passing(1)
        var part = SampleRuns.passing(2)
        part.selection = Selection(filters: ["x"])
        part.tests = [whole.tests[0]]
        part.tests[0].outcome = .failed
        part.tests[0].attempts = [TestAttempt(outcome: .failed)]
        try store.ingest(whole)
        try store.ingest(part)

        let test = whole.tests[0]
        let after = RunComparison(
            before: try #require(try store.summary(of: whole.id)), after: try #require(try store.summary(of: part.id)),
            tests: [ChangedTest(id: test.id, before: test.outcome, after: .failed)])
        #expect(try store.compare(whole.id, part.id) == after)
        let before = try store.compare(part.id, whole.id)
        #expect(before.tests(.added) == [] && before.tests(.removed) == [] && before.modules == [])
    }

    @Test func `a build that failed says nothing of any test or module`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let whole = SampleRuns.passing(1)
        var broken = SampleRuns.passing(2)
        broken.tests = []
        broken.coverage = nil
        broken.diagnostics = [BuildDiagnostic(severity: .error, message: "no such module", location: nil)]
        broken.steps = [RunStep(kind: .build, arguments: ["swift"], duration: .seconds(1), termination: .exited(1))]
        try store.ingest(whole)
        _ = try store.ingest(broken, verdict: try Verdict(judging: broken, by: Policy()), runDirectory: nil)
        for (first, second) in [(whole.id, broken.id), (broken.id, whole.id)] {
            let comparison = try store.compare(first, second)
            #expect(comparison.before.isUntested != comparison.after.isUntested)
            #expect(comparison.tests == [] && comparison.modules == [])
        }
    }

    @Test func `runs of two projects are not compared`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var other = SampleRuns.passing(2)
        other.project = "another"
        try store.ingest(SampleRuns.passing(1))
        try store.ingest(other)
        #expect(throws: StorageError.differentProjects(SampleRuns.id(1), other.id)) {
            try store.compare(SampleRuns.id(1), other.id)
        }
    }

    private static func result(_ name: String, _ outcome: Outcome) -> TestResult {
        TestResult(id: TestID(module: "M", suite: "", name: name), library: .xctest, outcome: outcome)
    }
}
