import RunModel
import TestResults
import Testing

@testable import TestRunning

@Suite struct TestSelectorTests {
    private let tests = DiscoveredTests(
        entries: [("CoreTests", "Math", "testAdd"), ("CoreTests", "Math/Deep", "adds()"), ("UITests", "", "draws()")]
            .map { module, suite, name in
                DiscoveredTests.Entry(
                    id: TestID(module: module, suite: suite, name: name), library: .xctest, name: name)
            }
    )
    private let modules = [
        Module(
            name: "UI-Tests", compilerName: "UITests", kind: .test, isSwift: true, path: "", sources: [],
            dependencies: [])
    ]

    private func chosen(_ selection: Selection, rerun: [TestID]? = nil) throws -> [String]? {
        try TestSelector(selection, modules: modules, rerun: rerun).select(tests)?.map(\.id.path)
    }

    @Test func `what leaves nothing out is everything`() throws {
        #expect(try chosen(Selection()) == nil)
        #expect(try chosen(Selection(filters: ["."])) == nil)
        #expect(try chosen(Selection(disabledTargets: ["CoreTests2"])) == nil)
    }

    @Test func `one of the filters is found and none of the skips`() throws {
        #expect(
            try chosen(Selection(filters: ["^CoreTests\\.", "draws"], skips: ["Deep"])) == [
                "CoreTests.Math/testAdd", "UITests.draws()",
            ])
        #expect(try chosen(Selection(filters: ["^CoreTests.Math/Deep/adds\\(\\)$"])) == ["CoreTests.Math/Deep/adds()"])
        #expect(try chosen(Selection(filters: ["nothing"])) == [])
    }

    @Test func `an expression that matches no identity is matched with display names, and this is reported`() throws {
        let named = [("f()", "counts が (all)"), ("g()", "draws a flag"), ("draws()", nil)].map { name, title in
            DiscoveredTests.Entry(
                id: TestID(module: "M", suite: "", name: name), library: .swiftTesting, name: name, title: title)
        }
        let tests = DiscoveredTests(entries: named)
        func chosen(_ selection: Selection) throws -> (names: [String]?, words: [String]) {
            let selector = try TestSelector(selection, modules: [], rerun: nil)
            return (selector.select(tests)?.map(\.id.name), selector.titleWords(tests))
        }
        // As it is written, though it is an expression of something else, and in the other normal form.
        let literal = try chosen(Selection(filters: ["counts か\u{3099} (all)"]))
        #expect(literal.names == ["f()"])
        #expect(
            literal.words == ["'counts か\u{3099} (all)' matches no identity, but the display name of M.f()"])
        let expression = try chosen(Selection(filters: ["^(counts|draws a)"]))
        #expect(expression.names == ["f()", "g()"])
        #expect(
            expression.words == ["'^(counts|draws a)' matches no identity, but the display name of M.f() and 1 more"]
        )
        // An identity goes before a name.
        let identity = try chosen(Selection(filters: ["draws"]))
        #expect(identity.names == ["draws()"])
        #expect(identity.words == [])
        #expect(try chosen(Selection(skips: ["a flag"])).names == ["f()", "draws()"])
        #expect(try chosen(Selection(filters: ["nothing"])).names == [])
        #expect(try chosen(Selection(filters: ["nothing"])).words == [])
    }

    @Test func `a target is switched off by its name in the manifest`() throws {
        #expect(
            try chosen(Selection(disabledTargets: ["UI-Tests"])) == [
                "CoreTests.Math/testAdd", "CoreTests.Math/Deep/adds()",
            ])
    }

    @Test func `what failed before is run again, as far as it is still there`() throws {
        let run = RunID(milliseconds: 1, random: (1, 2))
        let gone = TestID(module: "CoreTests", suite: "Math", name: "testGone")
        #expect(try chosen(Selection(rerunOf: run), rerun: [gone, tests.entries[0].id]) == ["CoreTests.Math/testAdd"])
        #expect(try chosen(Selection(rerunOf: run), rerun: nil) == [])
    }

    @Test func `every test falls to one of the shards, as the split has it`() throws {
        for split in [ShardAssignment.byHash, .byDurations([tests.entries[1].id: .seconds(9)])] {
            let shards = try (1...2).map { index in
                try TestSelector(
                    Selection(shard: Shard(index: index, count: 2)), modules: modules, rerun: nil, split: split
                ).select(tests)?.map(\.id) ?? []
            }
            let ids = tests.entries.map(\.id)
            let expected = try (1...2).map { split.tests(of: try #require(Shard(index: $0, count: 2)), among: ids) }
            #expect(shards == expected)
            #expect(shards.flatMap { $0 }.sorted() == ids.sorted())
        }
        let rest = Selection(disabledTargets: ["UI-Tests"], shard: Shard(index: 1, count: 1))
        #expect(try chosen(rest) == ["CoreTests.Math/testAdd", "CoreTests.Math/Deep/adds()"])
    }

    @Test func `what is no regular expression is refused before anything is built`() {
        let error = #expect(throws: RunnerError.self) { try Selection(filters: ["a("]).checkFilters() }
        #expect(error?.description.hasPrefix("'a(' is not a regular expression: ") == true)
    }
}
