import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct LineHistoryTests {
    /// A run of the same sources as all others, with so many lines of its second file covered.
    private static func run(_ number: Int, covered: Int) throws -> TestRun {
        var run = SampleRuns.passing(number)
        run.sourceDigest = String(repeating: "a", count: 64)
        run.revision?.commit = String(repeating: "\(number)", count: 40)
        run.revision?.tree = String(repeating: "\(number)", count: 40)
        let lines = try #require(run.coverage?.files[1].lines.count)
        run.coverage?.files[1].lines = SampleRuns.lines(lines, covered: covered)
        return run
    }

    private static func unstable(
        _ earlier: [TestRun], _ run: TestRun, decision: Decision = .passed
    ) throws -> [UnstableFile] {
        let place = try TemporaryStore()
        for run in earlier {
            _ = try place.open().ingest(run, verdict: .sample(for: run, decision: decision), runDirectory: nil)
        }
        return try Verdict(judging: run, by: Policy(), history: place.open().lineHistory(before: run)).unstable
    }

    @Test func `runs of the same sources are found in any commit`() throws {
        let run = try Self.run(3, covered: 4)
        let path = try #require(run.coverage?.files[1].path)
        let earlier = [try Self.run(1, covered: 4), try Self.run(2, covered: 3)]
        #expect(try Self.unstable(earlier, run) == [UnstableFile(path: path, lines: [4...4])])
        #expect(try Self.unstable([earlier[0]], run) == [])
        #expect(try Self.unstable([], run) == [])
        // A run that misses a floor is as good a witness.
        let agreeing = try Self.run(3, covered: 3)
        #expect(try Self.unstable(earlier, agreeing) == [UnstableFile(path: path, lines: [4...4])])
    }

    @Test(arguments: [
        "sources", "none", "toolchain", "part", "project", "later", "disabled", "undecided", "failed", "coverage",
    ])
    func `other runs are no history`(what: String) throws {
        let run = try Self.run(3, covered: 4)
        var other = try Self.run(what == "later" ? 4 : 2, covered: 3)
        switch what {
        case "sources": other.sourceDigest = String(repeating: "b", count: 64)
        case "none": other.sourceDigest = nil
        case "toolchain": other.toolchain?.swiftVersion += "x"
        case "part": other.selection = Selection(filters: ["x"])
        case "project": other.project = "another"
        case "disabled": other.selection.disabledTargets = ["X"]
        case "undecided": other.gaps = [Gap(.coverageMissing, detail: "x")]
        case "failed":
            other.tests[0].outcome = .failed
            other.tests[0].attempts = [TestAttempt(outcome: .failed)]
        case "coverage": other.coverage = nil
        default: break
        }
        let decision: Decision = what == "undecided" ? .undecided : what == "failed" ? .failed : .passed
        #expect(try Self.unstable([other], run, decision: decision) == [])
    }

    @Test func `only the latest runs are compared`() throws {
        let path = try TemporaryStore()
        let last = RunStore.mostRunsOfSources + 2
        for number in 1..<last {
            let run = try Self.run(number, covered: number == 1 ? 3 : 4)
            _ = try path.open().ingest(run, verdict: .sample(for: run, decision: .passed), runDirectory: nil)
        }
        #expect(try path.open().lineHistory(before: Self.run(last, covered: 4)) == LineHistory())
        #expect(try path.open().lineHistory(before: Self.run(last - 1, covered: 4)) != LineHistory())
    }

    @Test func `the question is answered from its index`() throws {
        let place = try TemporaryStore()
        let plan = try place.open().plan(of: PageQuery.earlierRunsOfSources.rawValue)
        #expect(plan.contains { $0.hasPrefix("SEARCH run USING INDEX run_by_sources") }, "\(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(plan)")
    }

    @Test func `the digest and the unstable lines are read back`() throws {
        let place = try TemporaryStore()
        let run = try Self.run(1, covered: 4)
        var verdict = Verdict.sample(for: run, decision: .passed)
        verdict.unstable = [UnstableFile(path: "Sources/Core/A.swift", lines: [1...2, 4...4])]
        _ = try place.open().ingest(run, verdict: verdict, runDirectory: nil)
        let stored = try #require(try place.open().run(run.id))
        #expect(stored.run.sourceDigest == run.sourceDigest)
        #expect(stored.verdict == verdict)
    }
}
