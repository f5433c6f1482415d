import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct PastTests {
    @Test func `the past of a test is what full runs before say, the newest first`() throws {
        let store = try TemporaryStore()
        let machine = MachineClass(processor: "P", cores: 2)
        var runs = (1...6).map { SampleRuns.passing($0) }
        runs[0].machine = machine
        runs[1].tests[0].outcome = .failed
        runs[1].tests[0].attempts = [TestAttempt(outcome: .failed)]
        runs[2].selection = Selection(shard: Shard(index: 1, count: 2))
        runs[3].tests[0].outcome = .skipped
        runs[3].tests[0].attempts = []
        for run in runs { try store.open().ingest(run) }
        let test = runs[0].tests[0].id
        let known = try store.open().past(of: [test, TestID(module: "A", suite: "", name: "b")], before: runs[4])
        func past(_ run: TestRun) -> PastRun {
            PastRun(
                id: run.id, startedAt: run.startedAt, branch: run.revision?.branch, commit: run.revision?.commit,
                tree: run.revision?.tree, author: run.revision?.author)
        }
        #expect(
            known
                == PastResults([
                    test: [
                        PastExecution(outcome: .failed, run: past(runs[1])),
                        PastExecution(
                            outcome: .passed, duration: runs[0].tests[0].duration, machine: machine, run: past(runs[0])),
                    ]
                ]))
        #expect(try store.open().past(of: [test], before: runs[0]) == PastResults([test: []]))
        var other = runs[4]
        other.project = "another"
        #expect(try store.open().past(of: [test], before: other) == PastResults())
    }

    @Test func `durations of full runs are listed for one machine, the newest first`() throws {
        let store = try TemporaryStore()
        let machine = MachineClass(processor: "P", cores: 2)
        var runs = (1...6).map { SampleRuns.passing($0) }
        for index in runs.indices {
            runs[index].machine = machine
            runs[index].duration = .seconds(10 + index)
        }
        runs[1].machine = MachineClass(processor: "P", cores: 4)
        runs[2].selection = Selection(shard: Shard(index: 1, count: 2))
        runs[3].machine = nil
        for run in runs { try store.open().ingest(run) }
        let project = runs[0].project
        let opened = try store.open()
        #expect(
            try opened.durationsOfFullRuns(project: project, on: machine, limit: 5)
                == [.seconds(15), .seconds(14), .seconds(10)])
        #expect(
            try opened.durationsOfFullRuns(project: project, on: machine, limit: 2) == [.seconds(15), .seconds(14)])
        #expect(try opened.durationsOfFullRuns(project: "another", on: machine, limit: 5) == [])
    }

    @Test func `the machine and the build of a run are read back as they were stored`() throws {
        let store = try TemporaryStore()
        var run = SampleRuns.unsteady()
        run.origin = RunHost(
            host: "agent-3", build: .init(url: "https://ci.example.com/1/", job: "kit/main", node: nil),
            repository: ForgeRepository(url: "https://github.com/acme/kit"))
        try store.open().ingest(run)
        #expect(try store.open().run(run.id)?.run.machine == MachineClass(processor: "Sample Processor 1", cores: 2))
        #expect(try store.open().run(run.id)?.run.origin == run.origin)
        #expect(try store.open().run(run.id)?.run.tests == run.tests.sorted { $0.id < $1.id })
    }
}
