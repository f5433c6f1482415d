import RunModel
import TestSupport
import Testing

@testable import Gate
@testable import Storage

/// What pages ask of a project.
@Suite struct ProjectTests {
    private static func run(_ number: Int, on branch: String?) -> TestRun {
        var run = SampleRuns.passing(number)
        run.revision?.branch = branch
        return run
    }

    private static func part(_ number: Int, on branch: String) -> TestRun {
        var part = run(number, on: branch)
        part.selection = Selection(filters: ["x"])
        return part
    }

    private static func ingest(
        _ run: TestRun, against kind: BaseCommit.Kind, of name: String, _ store: RunStore
    ) throws {
        var verdict = try Verdict(judging: run, by: Policy())
        verdict.base = BaseReview(commit: BaseCommit(commit: "0a", kind: kind, name: name))
        _ = try store.ingest(run, verdict: verdict, runDirectory: nil)
    }

    private static func ingest(_ runs: [TestRun], into store: RunStore) throws {
        for run in runs {
            _ = try store.ingest(run, verdict: try Verdict(judging: run, by: Policy()), runDirectory: nil)
        }
    }

    @Test func `the branches of a project come with their latest run, the newest first, by their bytes`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let names: [String?] = ["main", "\u{E9}", "e\u{301}", nil, "main", "a\u{0}b"]
        try Self.ingest(names.enumerated().map { Self.run($0 + 1, on: $1) }, into: store)
        let project = SampleRuns.passing().project
        #expect(
            try store.branches(project: project, limit: 10).map(\.id)
                == [6, 5, 3, 2].map { SampleRuns.id($0) })
        #expect(try store.branches(project: project, limit: 1).map(\.id) == [SampleRuns.id(6)])
        #expect(try store.branches(project: "other", limit: 10) == [])
        #expect(
            try store.wholeRuns(project: project, branch: "main", limit: 10).map(\.id)
                == [5, 1].map { SampleRuns.id($0) })
    }

    @Test func `of many branches those with the newest runs are listed`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try Self.ingest(["a", "b", "a", "c"].enumerated().map { Self.run($0 + 1, on: $1) }, into: store)
        #expect(
            try store.branches(project: SampleRuns.passing().project, limit: 2).map(\.id)
                == [4, 3].map { SampleRuns.id($0) })
    }

    @Test func `the default branch is the one that the newest run was compared with`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let project = SampleRuns.passing().project
        #expect(try store.defaultBranch(of: project) == nil)
        try Self.ingest([Self.run(1, on: "topic"), Self.part(2, on: "master")], into: store)
        #expect(try store.defaultBranch(of: project) == nil)
        try Self.ingest([Self.run(3, on: "trunk"), Self.run(4, on: "master")], into: store)
        #expect(try store.defaultBranch(of: project) == ProjectBranch(name: "master", hasRuns: true))

        try Self.ingest(Self.run(6, on: "topic"), against: .mergeBase, of: "origin/a/b", store)
        #expect(try store.defaultBranch(of: project) == ProjectBranch(name: "a/b", hasRuns: false))
        // An older run, and one of which somebody chose the base, change nothing.
        try Self.ingest(Self.run(5, on: "topic"), against: .parent, of: "main", store)
        try Self.ingest(Self.run(7, on: "topic"), against: .named, of: "HEAD~3", store)
        #expect(try store.defaultBranch(of: project) == ProjectBranch(name: "a/b", hasRuns: false))
        try Self.ingest(Self.run(8, on: "trunk"), against: .pushed, of: "trunk", store)
        #expect(try store.defaultBranch(of: project) == ProjectBranch(name: "trunk", hasRuns: true))
        #expect(try store.defaultBranch(of: "other") == nil)
        #expect(try store.check() == [])
    }

    @Test func `runs of a part of the tests are passed over`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try Self.ingest(
            [Self.run(1, on: "main"), Self.part(2, on: "main"), Self.run(3, on: "topic"), Self.part(4, on: "topic")],
            into: store)
        let project = SampleRuns.passing().project
        let ids = { (numbers: [Int]) in numbers.map { SampleRuns.id($0) } }
        #expect(try store.wholeRuns(project: project, branch: "main", limit: 9).map(\.id) == ids([1]))
        #expect(try store.wholeRuns(project: project, branch: nil, limit: 9).map(\.id) == ids([3, 1]))
        #expect(try store.wholeRuns(project: project, branch: nil, limit: 1).map(\.id) == ids([3]))
        #expect(try store.wholeRuns(project: "other", branch: nil, limit: 9) == [])
        #expect(
            try store.modules(project: project, branch: "topic", runs: 9).map(\.run) == ids([3, 3]))
    }

    @Test func `the lines of the modules are those of the runs of one branch, or of all`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try Self.ingest([Self.run(1, on: "main"), Self.run(2, on: nil), Self.run(3, on: "main")], into: store)
        let project = SampleRuns.passing().project
        let modules = [("Core", 19, 20), ("tool", 8, 10)]
        let floor = Policy().defaultFloors.line
        let rows = { (numbers: [Int]) in
            numbers.flatMap { number in
                modules.map { name, covered, total in
                    ModuleInRun(
                        run: SampleRuns.id(number), module: name, lines: CoverageTally(covered: covered, total: total),
                        floor: floor)
                }
            }
        }
        #expect(try store.modules(project: project, branch: "main", runs: 10) == rows([1, 3]))
        #expect(try store.modules(project: project, branch: "main", runs: 1) == rows([3]))
        #expect(try store.modules(project: project, branch: nil, runs: 10) == rows([1, 2, 3]))
    }

    @Test func `the violations of a run are counted by their kind as the verdict has them`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let run = SampleRuns.passing()
        let missed = MissedCoverage(tally: CoverageTally(), floor: .zero, shortfall: 1, files: [])
        var verdict = try Verdict(judging: run, by: Policy())
        verdict.decision = .failed
        verdict.violations += [
            .floorMissed(module: "A", missed), .floorMissed(module: "A", missed), .patchMissed(missed),
            .projectMissed(missed), .projectDropped(missed), .fileMissed("a", missed), .fileMissed("b", missed),
            .tooFewTests(executed: 1, minimum: 2), .testFlaky(id: run.tests[0].id, attempts: 2),
        ]
        _ = try store.ingest(run, verdict: verdict, runDirectory: nil)
        let expected = [
            "floor": 1, "patch": 1, "project": 1, "project-drop": 1, "file": 2, "minimum-tests": 1, "flaky": 1,
        ]
        #expect(try store.summary(of: run.id)?.broken == expected)
    }

    @Test func `the files of a project are those of its latest run of all tests`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        var part = SampleRuns.passing(9)
        part.selection = Selection(filters: ["x"])
        try Self.ingest([SampleRuns.passing(1), part], into: store)
        let found = try store.files(project: part.project)
        #expect(found?.run == SampleRuns.id(1))
        #expect(
            found?.paths == ["Sources/Core/Core.swift", "Sources/Core/URLRule.swift", "Sources/tool/main.swift"])
        #expect(try store.files(project: "other") == nil)
    }
}
