public import Foundation
public import Gate
public import RunModel

/// A history that looks like one: several modules, a regression, flaky tests, gaps, a part, a quarantine, failures of every cause, and
/// much that is well. One commit of it has no run: `DemoKnownTree`.
///
/// It ends at `now`, so that pages made under that clock are the same for ever.
public struct DemoHistory: Sendable {
    /// The moment after the last run that relative times refer to: 2026-03-02T09:00:00Z.
    public static let now = Date(timeIntervalSince1970: 1_772_442_000)

    /// The machine that all its runs ran on.
    public static let machine = MachineClass(processor: "AMD EPYC 7763 64-Core Processor", cores: 4)

    /// The history of the large package: its default branch is blocked.
    public static let videoKit = DemoHistory(.videoKit, runs: 120, hoursApart: 7)
    /// The history of a small package in which nothing happens.
    public static let postcodes = DemoHistory(.postcodes, runs: 24, hoursApart: 26)

    /// How many runs there are.
    public let count: Int
    let package: DemoPackage
    private let hoursApart: Int

    private init(_ package: DemoPackage, runs: Int, hoursApart: Int) {
        self.package = package
        count = runs
        self.hoursApart = hoursApart
    }

    /// Every run with the sources that it kept, the oldest first; each is judged against the run of the default branch before
    /// it.
    public func forEach(
        _ body: (_ judged: JudgedRun, _ sources: [(path: String, bytes: [UInt8])]) throws -> Void
    ) throws {
        var base: DemoRunPlan.Base?
        var past: [TestID: [PastExecution]] = [:]
        for number in 0..<count {
            let plan = DemoRunPlan(package, number: number, of: count, startedAt: startedAt(number))
            let (judged, sources) = try plan.run(against: base, past: PastResults(past))
            let run = judged.run
            if run.revision?.isExact == true, !run.isPartial { Self.note(run, in: &past) }
            if plan.branch == "main", run.revision?.isExact == true, run.coverage != nil, !run.isPartial,
                run.gaps.isEmpty
            {
                base = DemoRunPlan.Base(change: plan.change, run: run)
            }
            try body(judged, sources)
        }
    }

    /// Puts the outcomes of a run's tests in front of those of earlier runs.
    private static func note(_ run: TestRun, in past: inout [TestID: [PastExecution]]) {
        let revision = run.revision
        let place = PastRun(
            id: run.id, startedAt: run.startedAt, branch: revision?.branch, commit: revision?.commit,
            tree: revision?.tree, author: revision?.author)
        for test in run.tests where test.outcome.wasExecuted {
            past[test.id, default: []].insert(PastExecution(outcome: test.outcome, run: place), at: 0)
        }
    }

    private func startedAt(_ number: Int) -> Date {
        let minutes = (count - 1 - number) * hoursApart * 60 + Noise.number("minute", number, below: 180) + 100
        return Self.now.addingTimeInterval(Double(-60 * minutes))
    }
}
