import Evidence
import Foundation
import Gate
import RunModel
import SettingsFile
import TestRunning
import TestSupport
import Testing

@testable import Application

/// What a run is asked to repeat, and what is made of a file that says what came of it.
@Suite struct ProbationFinderTests {
    private static let base = BaseCommit(
        commit: String(repeating: "0a", count: 20), kind: .mergeBase, name: "origin/main")
    private static let demand = ProbationDemand(runs: 20, budget: .seconds(30))
    private static let source = "Tests/CoreTests/A.swift"
    private static let tests = ["one()", "two()"].map { TestID(module: "CoreTests", suite: "", name: $0) }

    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// A base whose settings demand something, and whose run had the tests.
    private func baseline(_ demand: ProbationDemand? = nil, isThere: Bool = true) -> Baseline {
        let policy = Policy(probation: demand)
        let results = Self.tests.map { TestResult(id: $0, library: .swiftTesting, outcome: .passed) }
        return Baseline(
            commit: isThere ? Self.base : nil, settings: GateSettings(policy: policy, file: "f"),
            head: GateSettings(policy: Policy(), file: "f"),
            run: BaseRun(id: SampleRuns.id(1), modules: [], targets: [], tests: results))
    }

    private func settings(_ probation: String) -> String { "tests: { probation: { \(probation) } }" }

    private func comparison(_ changes: [FileChange] = []) -> ChangeComparison {
        ChangeComparison(base: Self.base, changes: changes)
    }

    private func request(
        settings text: String = "", _ baseline: Baseline, _ comparison: ChangeComparison?,
        until deadline: SuspendingClock.Instant? = nil
    ) throws -> ProbationRequest? {
        ProbationFinder(
            settings: try Settings.read(text: text, file: "f"), root: folder.work, baseline: baseline,
            comparison: comparison, deadline: deadline
        ).request(nonce: "n")
    }

    @Test func `a run is asked unless the settings want nothing, or a base is not compared`() throws {
        let deadline = SuspendingClock.now
        let found = try #require(
            try request(settings: settings("runs: 5, budget: 1m"), baseline(), comparison(), until: deadline))
        #expect(
            found.stress
                == StressRequest(runs: 5, budget: .seconds(60), seed: ProbationFinder.seed(nonce: "n")))
        #expect(found.base == Self.base.commit)
        #expect(found.deadline == deadline)
        #expect(!found.isDemanded)
        let blocking = try request(settings: settings("on-failure: block"), baseline(), comparison())
        #expect(blocking?.isDemanded == true)
        // What the base demands is demanded of a run whose own settings do not.
        #expect(try request(baseline(Self.demand), comparison())?.isDemanded == true)

        var both = baseline()
        both.others = [Baseline.OtherBase(baseline(Self.demand), changed: comparison())]
        #expect(try request(both, comparison())?.base == "\(Self.base.commit) \(Self.base.commit)")
        #expect(try request(both, comparison())?.isDemanded == true)
        both.others?[0].comparison = nil
        let others = [
            try request(settings: settings("budget: off"), baseline(), comparison()),
            try request(baseline(), nil), try request(baseline(isThere: false), comparison()),
            try request(both, comparison()),
        ]
        #expect(others.map { $0 != nil } == [false, false, false, false])
    }

    @Test func `only sources of test targets with a change are read, once the tests have run`() throws {
        let change = FileChange(
            path: Self.source, basePath: Self.source, changes: [ChangedLines(base: 5..<6, head: 5..<6)])
        let found = try #require(try request(baseline(), comparison([change])))
        // It was not there when the run was asked, and of the other target there is no source at all.
        try folder.write(
            "import Testing\n\n@Test func one() {}\n\n@Test func two() {}\n", to: "work/\(Self.source)")
        let other = TestID(module: "MoreTests", suite: "", name: "other()")
        let modules = ["CoreTests", "MoreTests"].map { name in
            Module(
                name: name, compilerName: name, kind: .test, isSwift: true, path: "Tests/\(name)",
                sources: ["A.swift"], dependencies: [])
        }
        #expect(found.choose(modules, Self.tests) == [Probation.Entry(test: Self.tests[1], reason: .changed)])
        #expect(
            found.choose(modules, Self.tests + [other]) == [
                Probation.Entry(test: other, reason: .new), Probation.Entry(test: Self.tests[1], reason: .changed),
            ])
        // Of a source that is gone nothing is known.
        try FileManager.default.removeItem(atPath: "\(folder.work)/\(Self.source)")
        #expect(
            found.choose(modules, Self.tests) == Self.tests.map { Probation.Entry(test: $0, reason: .file) })
        let nothing = try #require(try request(baseline(), comparison()))
        #expect(nothing.choose(modules, Self.tests) == [])
    }

    /// Targets with a test target that uses two others, the second of which makes a server.
    private static func targets(_ helper: String, in folder: String, usedBy others: [String] = []) -> [Module] {
        func module(_ name: String, _ kind: Module.Kind, _ path: String, _ dependencies: [String]) -> Module {
            Module(
                name: name, compilerName: name, kind: kind, isSwift: true, path: path, sources: ["A.swift"],
                dependencies: dependencies)
        }
        return [
            module("CoreTests", .test, "Tests/CoreTests", ["Core", "MoreTestSupport"]),
            module("MoreTests", .test, "Tests/MoreTests", ["Core"]), module("Core", .library, "Sources/Core", []),
            module("MoreTestSupport", .library, "Sources/MoreTestSupport", [helper]),
            module(helper, .library, folder, ["Core"]),
        ] + others.map { module($0, .executable, "Sources/\($0)", [helper]) }
    }

    @Test func `a helper in a target that only tests depend on puts those on probation that use it`() throws {
        try folder.write(
            "import Testing\n\n@Test func one() {}\n\n@Test func two() { makeServer() }\n", to: "work/\(Self.source)")
        func chosen(_ helper: String, in place: String, usedBy others: [String] = []) throws -> [Probation.Entry] {
            let path = "\(place)/A.swift"
            try folder.write("public func makeServer() {\n    start(80)\n}\n", to: "work/\(path)")
            let change = FileChange(path: path, basePath: path, changes: [ChangedLines(base: 2..<3, head: 2..<3)])
            let found = try #require(try request(baseline(), comparison([change])))
            return found.choose(Self.targets(helper, in: place, usedBy: others), Self.tests)
        }
        let two = [Probation.Entry(test: Self.tests[1], reason: .uses("makeServer"))]
        #expect(try chosen("CoreTestSupport", in: "Sources/CoreTestSupport") == two)
        #expect(try chosen("Support", in: "Tests/Support") == two)
        // What else depends on it has it tested, and so may what is called otherwise be tested itself.
        #expect(try chosen("CoreTestSupport", in: "Sources/CoreTestSupport", usedBy: ["tool"]) == [])
        #expect(try chosen("Support", in: "Sources/Support") == [])
        let targets = Self.targets("Support", in: "Tests/Support")
        #expect(targets.testHelpers(of: targets[0]).map(\.name) == ["MoreTestSupport", "Support"])
        #expect(targets.testHelpers(of: targets[1]) == [])
    }

    @Test func `what came of it is kept as far as it can be read back`() throws {
        let found = try #require(try request(baseline(), comparison()))
        var probation = Probation(
            base: "0a", runs: 20, budget: .seconds(30), seed: 7, entries: [Probation.Entry(test: Self.tests[0])])
        let file = try #require(found.file(probation))
        #expect(file.role == .probation)
        #expect(try JSONDecoder().decode(Probation.self, from: file.bytes) == probation)
        probation.unlisted = -1
        #expect(found.file(probation) == nil)
    }

    @Test(arguments: [
        "{", "[]", #"{"base":"","budget":1,"entries":[],"isCutShort":false,"runs":-1,"seed":1,"unlisted":0}"#,
    ])
    func `a file that cannot be read has proven nothing, and ends no judgement`(text: String) throws {
        let run = SampleRuns.passing()
        var baseline = baseline()
        baseline.run = nil
        func verdict(_ policy: Policy, in name: String) throws -> Verdict {
            let writer = try RunDirectory.Writer(creating: "\(folder.path)/\(name)")
            var manifest = RunManifest(
                run.head, run.facts, RunManifest.Contents(kanmonVersion: "1", packageRoot: "/p", arguments: []))
            for file in [
                try KeptJSON.policy.givenFile(policy), try KeptJSON.baseline.givenFile(baseline),
                try KeptJSON.comparison.givenFile(comparison()),
            ] {
                manifest.artifacts.append(try writer.write(Array(file.bytes), as: file.role, to: file.fileName))
            }
            manifest.artifacts.append(try writer.write(Array(text.utf8), as: .probation, to: "probation.json"))
            return try Verdict(judging: run, in: try writer.finish(manifest)) { _ in PastResults() }
        }
        let reported = try verdict(Policy(), in: "report")
        #expect(reported.decision == .passed)
        #expect(reported.probation == nil)
        let demanded = try verdict(Policy(probation: Self.demand), in: "block")
        #expect(demanded.gaps.map(\.code) == [.testsUnproven])
    }
}
