import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct TreeTests {
    private static let inputs = RunInputs(
        toolchain: SampleRuns.passing().toolchain, platform: "x86_64 ID=debian", dependencies: ["yams u 1", "zip u 2"],
        checkout: "c0", environment: "e0", settings: "engine swift-test")
    private static let tree = String(repeating: "41d0e77a", count: 5)

    private static func run(_ number: Int = 1) -> TestRun {
        var run = SampleRuns.passing(number)
        run.inputs = inputs
        return run
    }

    private func known(
        _ store: RunStore, tree: String = Self.tree, project: String = "example/video-kit",
        inputs: RunInputs = Self.inputs, since: Date = .distantPast,
        until latest: Date = SampleRuns.moment.addingTimeInterval(86_400 * 365)
    ) throws -> RunID? {
        try store.reusableRun(ofTree: tree, project: project, inputs: inputs, since: since, until: latest)?.id
    }

    @Test func `what a run depends on is read back as it was stored`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(Self.run())
        #expect(try store.run(SampleRuns.id(1))?.run.inputs == Self.inputs)
        #expect(try store.ownVerdict(of: SampleRuns.id(1)) == .sample(for: Self.run(), decision: .passed))
        #expect(try store.ownVerdict(of: SampleRuns.id(2)) == nil)
    }

    @Test func `the newest run of the same inputs answers for a tree`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for number in 1...3 { try store.ingest(Self.run(number)) }
        #expect(try known(store) == SampleRuns.id(3))
        let newest = try store.runs(ofTree: Self.tree, at: "", project: "example/video-kit", limit: 2)
        #expect(newest.map(\.id) == [3, 2].map(SampleRuns.id))
        #expect(try store.runs(ofTree: Self.tree, at: "", project: "another", limit: 2) == [])
    }

    @Test func `a run answers for the package in its folder of the tree, and one of an unknown folder for none`() throws
    {
        let place = try TemporaryStore()
        let store = try place.open()
        var runs = (1...3).map(Self.run)
        runs[1].revision?.folder = "App"
        runs[2].revision?.folder = nil
        for run in runs { try store.ingest(run) }
        func found(_ folder: String?, _ project: String?) throws -> [RunID] {
            try store.runs(ofTree: Self.tree, at: folder, project: project, limit: 9).map(\.id)
        }
        for project in ["example/video-kit", nil] {
            #expect(try found("", project) == [SampleRuns.id(1)])
            #expect(try found("App", project) == [SampleRuns.id(2)])
            #expect(try found("app", project) == [])
            #expect(try found(nil, project) == [3, 2, 1].map(SampleRuns.id))
        }
        func covered(_ folder: String) throws -> [RunID]? {
            try store.knownCoverage(ofTree: Self.tree, at: folder, project: "example/video-kit")?.runs
        }
        #expect(try covered("") == [SampleRuns.id(1)])
        #expect(try covered("App") == [SampleRuns.id(2)])
        #expect(try covered("Tools") == nil)
        #expect(try store.run(SampleRuns.id(2))?.run.revision?.folder == "App")
    }

    @Test func `a run that began later than it is now is not reused`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(Self.run())
        let start = Self.run().startedAt
        #expect(try known(store, until: start) == SampleRuns.id(1))
        #expect(try known(store, until: start.addingTimeInterval(-1)) == nil)
    }

    @Test func `a failed run answers as well`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(Self.run(), decision: .failed)
        #expect(try known(store) == SampleRuns.id(1))
    }

    @Test func `a difference in any part of the inputs is another run`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(Self.run())
        let changes: [(inout RunInputs) -> Void] = [
            { $0.evidenceVersion += 1 }, { $0.toolchain?.swiftVersion += "." }, { $0.toolchain?.llvmVersion += "." },
            { $0.toolchain?.target += "." }, { $0.toolchain = nil }, { $0.platform += "." },
            { $0.dependencies?[1] += "." }, { $0.dependencies?.removeLast() }, { $0.dependencies?.append("z") },
            { $0.dependencies = nil }, { $0.checkout += "." }, { $0.environment += "." }, { $0.settings += "." },
        ]
        for change in changes {
            var inputs = Self.inputs
            change(&inputs)
            #expect(try known(store, inputs: inputs) == nil)
        }
        #expect(try known(store, tree: String(repeating: "41d0e77b", count: 5)) == nil)
        #expect(try known(store, project: "example/video-kit2") == nil)
        #expect(try known(store, since: Self.run().startedAt.addingTimeInterval(1)) == nil)
        #expect(try known(store, since: Self.run().startedAt) == SampleRuns.id(1))
    }

    @Test func `a run that is not whole never answers`() throws {
        let changes: [(inout TestRun) -> Void] = [
            { $0.inputs = nil }, { $0.inputs?.dependencies = nil }, { $0.selection = Selection(filters: ["a"]) },
            { $0.gaps = [Gap(.reportMissing, detail: "no report")] }, { $0.revision?.isDirty = true },
            { $0.notes = [Note(.submoduleMissing, detail: "")] }, { $0.notes = [Note(.lfsPointer, detail: "")] },
            {
                $0.tests[0].outcome = .notRun
                $0.tests[0].attempts = []
            },
        ]
        for change in changes {
            let place = try TemporaryStore()
            let store = try place.open()
            var run = Self.run()
            change(&run)
            try store.ingest(run)
            #expect(try known(store, inputs: run.inputs ?? Self.inputs) == nil)
        }
        let place = try TemporaryStore()
        let store = try place.open()
        var broken = Self.run()
        broken.steps[0].termination = .exited(1)
        let verdict = Verdict(
            decision: .failed, violations: [.buildFailed(errors: 1, first: nil)], gaps: [], modules: [],
            policy: Policy())
        _ = try store.ingest(broken, verdict: verdict, runDirectory: nil)
        #expect(try known(store) == nil)
    }
}
