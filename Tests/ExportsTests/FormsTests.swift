import Exports
import Foundation
import Gate
import RunModel
import TestSupport
import Testing

/// Forms: what of a run, a test and a comparison programs read, from commands and from pages.
@Suite struct FormsTests {
    /// A field of every kind that a form may have.
    private struct Sample: Codable {
        struct Part: Codable {
            let inner: Int
            let more: [String]
        }

        let text: String
        let note: String?
        let number: Int
        let small: Int32
        let long: Int64
        let count: UInt64
        let share: Double
        let isSo: Bool
        let moment: Date
        let lastMoment: Date?
        let part: Part
        let otherPart: Part?
        let parts: [Part]
        let kinds: [Outcome]?
        let numbers: [String: Int]
        let ranges: [ClosedRange<Int>]
    }

    private func object(_ value: some Encodable) throws -> [String: Any] {
        let text = try JSONText.render(value)
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// The names of all fields of a form, and of those that must be there.
    private func fields<Form: Decodable>(_ form: Form.Type) -> (all: Set<String>, required: Set<String>) {
        let names = FieldNames.of(form)
        let required = names.filter { !$0.hasSuffix("?") }
        return (Set(required + names.filter { $0.hasSuffix("?") }.map { String($0.dropLast()) }), Set(required))
    }

    @Test func `a form names its fields, and which may be left out`() {
        #expect(
            FieldNames.of(Sample.self) == [
                "text", "note?", "number", "small", "long", "count", "share", "isSo", "moment", "lastMoment?", "part",
                "otherPart?", "parts", "kinds?", "numbers", "ranges",
            ])
    }

    @Test func `a run has the fields of its form: all of them where everything is known`() throws {
        var run = SampleRuns.passing()
        run.revision = Revision(
            commit: "c", tree: "t", branch: "main", subject: "Parse signs", author: "Ana", isDirty: false)
        run.duration = .nanoseconds(41_200_000_001)
        var summary = RunSummary(
            run.head, decision: .failed, exitStatus: .gateFailed, outcomes: run.outcomes,
            lines: CoverageTally(covered: 5, total: 8), isPartial: true, broken: ["floor": 1], allowedFailures: 2)
        let (all, required) = fields(RunForm.self)
        summary.delivery = DeliveryRecord(
            token: "ci", isAttested: true, receivedAt: SampleRuns.moment, address: nil)
        let known = try object(RunForm(summary, runDirectory: "/runs/1"))
        #expect(Set(known.keys) == all)
        #expect(known["durationNanoseconds"] as? Int == 41_200_000_001)
        #expect(known["outcomes"] as? [String: Int] == counts(run.outcomes))
        #expect(known["lines"] as? [String: Int] == ["covered": 5, "total": 8])

        summary.head.revision = nil
        summary.delivery = nil
        (summary.lines, summary.broken, summary.allowedFailures) = (nil, [:], 0)
        let unknown = try object(RunForm(summary))
        #expect(Set(unknown.keys) == required)
        #expect(unknown["broken"] as? [String: Int] == [:])
    }

    private func counts(_ tally: OutcomeTally) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: Outcome.allCases.map { ($0.rawValue, tally[$0]) })
    }

    @Test func `tests of lists have the fields of their forms, with durations in whole nanoseconds`() throws {
        let id = TestID(module: "KitTests", suite: "Zoo", name: "slow()", discriminator: "Zoo.swift")
        let named = NamedTest(id, displayName: "counts apes", suiteDisplayName: nil, tags: [".slow"])
        let slow = SlowTest(id: id, latest: .milliseconds(10), median: .nanoseconds(1), longest: .seconds(2), runs: 3)
        let expected = """
            {"latestNanoseconds":10000000,"longestNanoseconds":2000000000,"medianNanoseconds":1,"owners":["@qa"],\
            "runs":3,"tags":[".slow"],"test":{"file":"Zoo.swift","module":"KitTests","name":"slow()","suite":"Zoo",\
            "title":"counts apes"}}
            """
        #expect(try JSONText.render(SlowForm(slow, named, ["@qa"])) == expected)
        #expect(Set(try object(SlowForm(slow, nil, nil)).keys) == fields(SlowForm.self).all)

        let entry = QuarantineEntry(
            test: id.description, owner: "@qa", reason: "it drifts", expires: CalendarDay(SampleRuns.moment))
        let status = QuarantineStatus(entry: entry, id: id, outcome: .failed, fault: .expired)
        let broken = FlakyTest(
            id: id, disagreements: 1, failures: 2, executions: 4, lastFailure: SampleRuns.id(2),
            breakage: .init(since: SampleRuns.id(2), failures: 1))
        let flaky = fields(FlakyForm.self)
        let all = try object(FlakyForm(broken, named, status, ["@qa"]))
        #expect(Set(all.keys) == flaky.all)
        #expect(Set(try #require(all["quarantine"] as? [String: Any]).keys) == fields(QuarantineForm.self).all)
        #expect(all["kind"] as? String == "broken")
        #expect(all["brokenSince"] as? String == SampleRuns.id(2).description)
        #expect(Set(try object(FlakyForm(FlakyTest(id: id), nil, nil, nil)).keys) == flaky.required)
    }

    @Test func `a comparison has one list of changes, each with what became of the test`() throws {
        let run = SampleRuns.passing()
        let summary = RunSummary(
            run.head, decision: .passed, exitStatus: .passed, outcomes: run.outcomes, lines: nil)
        let (one, other) = (run.tests[0].id, run.tests[1].id)
        let comparison = RunComparison(
            before: summary, after: summary,
            tests: [
                ChangedTest(id: one, before: nil, after: .passed),
                ChangedTest(id: other, before: .passed, after: .failed),
            ], slower: [SlowerTest(id: one, before: .milliseconds(10), after: .seconds(1))],
            modules: [ModuleChange(module: "Kit", before: nil, after: CoverageTally(covered: 1, total: 2))])
        let form = try object(ComparisonForm(comparison, nil))
        #expect(Set(form.keys) == fields(ComparisonForm.self).required)
        let changes = try #require(form["changes"] as? [[String: Any]])
        #expect(changes.map { $0["kind"] as? String } == ["regressed", "added"])
        #expect(changes.map { $0["before"] as? String } == ["passed", nil])
        #expect(changes.map { ($0["test"] as? [String: String])?["name"] } == [other.name, one.name])
        let slower = try #require((form["slower"] as? [[String: Any]])?.first)
        #expect(slower["beforeNanoseconds"] as? Int == 10_000_000)
        #expect(slower["afterNanoseconds"] as? Int == 1_000_000_000)
        #expect(form["isPartial"] as? Bool == false)
    }

    @Test func `a comparison with a limit says how much it leaves out`() throws {
        let run = SampleRuns.passing()
        let summary = RunSummary(
            run.head, decision: .passed, exitStatus: .passed, outcomes: run.outcomes, lines: nil)
        let tests = run.tests.prefix(2).map { ChangedTest(id: $0.id, before: nil, after: .passed) }
        let comparison = RunComparison(before: summary, after: summary, tests: tests)
        let form = try object(ComparisonForm(comparison, nil, most: 1))
        #expect((form["changes"] as? [Any])?.count == 1)
        #expect(form["leftOut"] as? [String: Int] == ["changes": 1])
        #expect(try object(ComparisonForm(comparison, nil, most: 2))["leftOut"] == nil)
    }

    @Test func `the tests of a line with a limit say how much they leave out`() throws {
        let map = SampleMaps.map
        let answer = try #require(map.answer("Sources/Core/F.swift", line: 7))
        func form(_ most: Int) throws -> [String: Any] {
            try object(
                LineTestsForm(
                    run: SampleRuns.id(1), path: "F.swift", line: (asked: 7, ofRun: 7), isExecuted: true, answer,
                    in: map, unrecorded: 0, most: (tests: 0, functions: most)
                ) { $0 })
        }
        let cut = try form(1)
        #expect((cut["tests"] as? [Any])?.isEmpty == true)
        let functions = try #require(cut["functions"] as? [[String: Any]])
        #expect(functions.map { $0["symbol"] as? String } == [answer.functions.last?.symbol])
        #expect(functions.map { $0["testsLeftOut"] as? Int } == [map.sets[answer.functions[1].set].tests.count])
        let left = try #require(cut["leftOut"] as? [String: Int])
        #expect(left == ["tests": answer.tests.count, "functions": 1, "testsOfFunction": answer.testsOfFunction.count])
        let rest = try #require(try form(2)["leftOut"] as? [String: Int])
        #expect(rest["functions"] == nil)
    }

    @Test func `what is invisible is escaped in JSON for programs, and the value is the same`() throws {
        let text = "a\u{202E}b\u{85}é関"
        #expect(try JSONText.render([text]) == "[\"a\\u202eb\\u0085é関\"]")
        #expect(try JSONDecoder().decode([String].self, from: Data(JSONText.render([text]).utf8)) == [text])
    }
}
