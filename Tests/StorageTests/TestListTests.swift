import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct RosterTests {
    private static func run(_ number: Int, tests: Int, project: String = "p") -> TestRun {
        var run = SampleRuns.passing(number)
        run.project = project
        run.tests = (0..<tests).map { index in
            TestResult(
                id: TestID(module: "M", suite: "S\(index / 9)", name: "test\(index)"), library: .xctest,
                outcome: .passed,
                attempts: [TestAttempt(outcome: .passed, duration: .milliseconds(index + number))])
        }.sorted { $0.id < $1.id }
        return run
    }

    private static func digest(_ ids: [TestID]) -> [UInt8] {
        TestListStorage.digest(of: ids)
    }

    private static func id(_ module: String, _ suite: String, _ name: String, _ file: String = "") -> TestID {
        TestID(module: module, suite: suite, name: name, discriminator: file)
    }

    private static func count(_ table: String, _ store: RunStore) throws -> Int? {
        try store.read { connection in
            try connection.statement(
                table == "test_list" ? "SELECT count(*) FROM test_list" : "SELECT count(*) FROM test"
            )
            .first { $0.int(0) }
        }
    }

    @Test func `a list of tests is stored once, and found again by its digest`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for (number, tests) in [(1, 300), (2, 300), (3, 301), (4, 300)] {
            try store.ingest(Self.run(number, tests: tests))
        }
        #expect(try Self.count("test_list", store) == 2)
        #expect(try Self.count("test", store) == 301)
        let testLists = try store.read { connection in
            try connection.statement("SELECT test_list FROM run_results ORDER BY run").all { $0.integer(0) }
        }
        #expect(
            testLists.count == 4 && testLists[0] == testLists[1] && testLists[1] == testLists[3]
                && testLists[1] != testLists[2])
        #expect(try store.run(SampleRuns.id(4))?.run.tests == Self.run(4, tests: 300).tests)
        #expect(try store.run(SampleRuns.id(3))?.run.tests.map(\.id) == Self.run(3, tests: 301).tests.map(\.id))
        #expect(try store.check() == [])
    }

    @Test func `the same tests of two projects are two lists`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for (number, project) in [(1, "p"), (2, "q")] {
            try store.ingest(Self.run(number, tests: 250, project: project))
        }
        #expect(try Self.count("test_list", store) == 2)
        #expect(try Self.count("test", store) == 500)
    }

    @Test(arguments: [0, 1, 199, 200, 201, 1000])
    func `the tests found by a digest are those that are found one by one`(count: Int) throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let ids = Self.run(1, tests: count).tests.map(\.id)
        try store.write { connection in
            try connection.statement("INSERT INTO project (name) VALUES (?1)").execute(Bytes("p"))
            let project = connection.lastInsertedRow
            let interning = try Interning(connection, project: project)
            let storage = TestListStorage(connection, interning, project: project)
            let first = try storage.testList(of: ids)
            let again = try storage.testList(of: ids)
            let plain = try interning.tests(ids)
            #expect(first.tests == plain && again.tests == plain && again.id == first.id)
            #expect(plain.count == count)
        }
    }

    @Test func `lists that differ in anything have digests that differ`() {
        let lists = [
            [], [Self.id("a", "b", "c")], [Self.id("ab", "", "c")], [Self.id("a", "b", "", "c")],
            [Self.id("a", "", "bc")],
            [Self.id("a", "b", "c"), Self.id("a", "b", "d")], [Self.id("a", "b", "d"), Self.id("a", "b", "c")],
            [Self.id("a", "b", "\u{E9}")], [Self.id("a", "b", "e\u{301}")],
            [Self.id("a", "b", String(repeating: "x", count: 70_000)), Self.id("a", "b", "y")],
        ]
        let digests = lists.map(Self.digest)
        #expect(Set(digests).count == lists.count)
        #expect(digests == lists.map(Self.digest))
    }

    @Test func `a list that no run has any more is pruned`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(Self.run(1, tests: 300))
        try store.ingest(Self.run(2, tests: 250))
        #expect(try Self.count("test_list", store) == 2)
        _ = try store.prune(keeping: Retention(newest: 1), isDryRun: false)
        #expect(try Self.count("test_list", store) == 1)
        #expect(try Self.count("test", store) == 250)
        try store.ingest(Self.run(3, tests: 300))
        #expect(try store.run(SampleRuns.id(3))?.run.tests == Self.run(3, tests: 300).tests)
        #expect(try store.check() == [])
    }

    @Test func `a list that does not fit its digest is damage`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(Self.run(1, tests: 300))
        try store.ingest(Self.run(2, tests: 250))
        try store.write { connection in
            try connection.statement("UPDATE test_list SET content = (SELECT min(content) FROM test_list)").execute()
        }
        #expect(throws: StorageError.self) { try store.ingest(Self.run(3, tests: 250)) }
    }
}
