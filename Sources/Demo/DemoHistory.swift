public import Foundation
public import Gate
public import RunModel

/// A run of the made-up history with everything that is stored of it.
public struct DemoRun: Sendable {
    /// What happened.
    public let run: TestRun
    /// How it was judged then.
    public let verdict: Verdict
    /// The sources it kept: path and bytes.
    public let sources: [(path: String, bytes: [UInt8])]
}

/// A history that looks like one: several modules, a regression, flaky tests, gaps, a part, a quarantine, and much that is
/// well.
///
/// It ends at `now`, so that pages made under that clock are the same for ever.
public struct DemoHistory: Sendable {
    /// The moment after the last run that relative times refer to: 2026-03-02T09:00:00Z.
    public static let now = Date(timeIntervalSince1970: 1_772_442_000)

    /// What all its runs ran on.
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

    /// Every run, the oldest first; each is judged against the run of the default branch before it.
    public func forEach(_ body: (DemoRun) throws -> Void) throws {
        var base: DemoRunPlan.Base?
        for number in 0..<count {
            let plan = DemoRunPlan(package, number: number, of: count, startedAt: startedAt(number))
            let demo = try plan.run(against: base)
            if plan.branch == "main", demo.run.coverage != nil, !demo.run.isPartial, demo.run.gaps.isEmpty {
                base = DemoRunPlan.Base(change: plan.change, run: demo.run)
            }
            try body(demo)
        }
    }

    private func startedAt(_ number: Int) -> Date {
        let minutes = (count - 1 - number) * hoursApart * 60 + Noise.number("minute", number, below: 180) + 100
        return Self.now.addingTimeInterval(Double(-60 * minutes))
    }
}
