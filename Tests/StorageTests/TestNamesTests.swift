import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct TestNamesTests {
    private let place: TemporaryStore
    private let store: RunStore
    private let project = SampleRuns.passing().project
    private let test = TestID(module: "M", suite: "Parsing", name: "counts()")

    init() throws {
        place = try TemporaryStore()
        store = try place.open()
    }

    private func ingest(_ number: Int, _ name: String?, suite: String? = nil) throws {
        var run = SampleRuns.passing(number)
        run.tests = [
            TestResult(
                id: test, library: .swiftTesting, outcome: .passed, displayName: name, suiteDisplayName: suite,
                location: SourceLocation(path: "Tests/M/Parsing.swift", line: 3),
                attempts: [TestAttempt(outcome: .passed)])
        ]
        try store.ingest(run)
    }

    @Test func `a test has the display name of its latest full run`() throws {
        for (number, name) in ["counts flags", "counts all flags", "counts flags"].enumerated() {
            try ingest(number + 1, name)
            #expect(try store.titles(of: [test], project: project) == [test: name])
        }
        // A description is stored once, whatever the number of runs.
        #expect(
            try store.read { try $0.statement("SELECT count(*) FROM description").first { $0.int(0) } } == 2)
        try ingest(4, nil)
        #expect(try store.titles(of: [test], project: project) == [:])
    }

    @Test func `a test that is gone is called what it was called last`() throws {
        try ingest(1, "counts flags", suite: "the parser")
        try store.ingest(SampleRuns.passing(2))
        #expect(try store.titles(of: [test], project: project) == [test: "the parser › counts flags"])
        let named = try store.tests(project: project).first { $0.id == test }
        #expect(named?.displayName == "counts flags")
        #expect(named?.suiteDisplayName == "the parser")
    }

    @Test func `what is not stored has no title`() throws {
        let strange = TestID(module: "M", suite: "", name: "f()")
        #expect(try store.titles(of: [strange], project: project) == [:])
        try ingest(1, "counts flags")
        #expect(try store.titles(of: [strange], project: project) == [:])
        #expect(try store.titles(of: [test], project: "another") == [:])
    }
}
