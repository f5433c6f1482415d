import RunModel

/// Which tests run next, and in which surroundings, while they are repeated: a value without any process.
///
/// Little time tells something of everything: each test is repeated once in every way before it is repeated again. Nothing that is drawn
/// depends on how long anything took, how long it may take, or which other tests are repeated, so that the same seed gives the same draws.
struct StressPlan: Sendable, Hashable {
    /// One repetition of tests.
    struct Step: Sendable, Hashable {
        let way: Probation.Way
        let round: TrialRequest.Round
    }

    /// In how many repetitions there is one with one thread, and one with two: a test that blocks a thread does so each
    /// time.
    private static let narrowEvery = 5
    /// How many tests are drawn as company at most.
    private static let mostDrawn = 50
    /// How many bytes of a message are kept, and of the argument that it is about. With a thousand tests that is a
    /// fraction of what is read back.
    private static let (longestMessage, longestArgument) = (FailureSample.longestMessage, 500)

    /// What came of each test so far, in the order in which they were requested.
    private(set) var entries: [Probation.Entry]
    private let all: [TestID]
    private let seed: UInt64
    private let isPart: Bool
    private let slots: [Slot]
    private var next = 0
    /// Whether the company of the last step lacks a test that was drawn, because it is not repeated any more: who repeats the others has it.
    private var lacksDrawn = false

    /// The place of a step, whatever becomes of it.
    private struct Slot: Sendable, Hashable {
        let way: Probation.Way
        /// What is drawn for it. The companies have series of their own, numbered from -1 down, so that they are the same whether or not all
        /// tests are the company now and then.
        let series: Int
    }

    /// Plans repetitions.
    ///
    /// - Parameters:
    ///   - entries: The tests, without anything that came of them.
    ///   - all: All tests of the run, these included.
    ///   - canNarrow: Whether there can be fewer threads than usual.
    ///   - isPart: Whether these are the tests of a shard: nobody who has them all draws the same company.
    init(
        _ entries: [Probation.Entry], among all: [TestID], _ request: StressRequest, canNarrow: Bool,
        isPart: Bool = false
    ) {
        self.entries = entries
        self.all = all
        seed = request.seed
        self.isPart = isPart
        let hasCompany = all.count > 1
        var slots: [Slot] = []
        var companies = 0
        for cycle in 0..<max(0, request.runs) {
            let isNarrow = canNarrow && cycle.isMultiple(of: Self.narrowEvery)
            slots.append(Slot(way: .alone, series: cycle))
            if isNarrow { slots.append(Slot(way: .oneThread, series: cycle)) }
            if hasCompany, request.allowsWhole, cycle.isMultiple(of: 2) {
                slots.append(Slot(way: .company, series: cycle))
            } else if hasCompany {
                companies += 1
                slots.append(Slot(way: .drawnCompany, series: -companies))
            }
            if isNarrow { slots.append(Slot(way: .twoThreads, series: cycle)) }
        }
        self.slots = slots
    }

    /// How many steps are done or passed over, and how many there are.
    var progress: (done: Int, of: Int) { (next, slots.count) }

    /// Whether there is nothing more to do.
    var isOver: Bool {
        slots[next...].allSatisfy { slot in entries.allSatisfy { !isWanted($0, slot.way) } }
    }

    /// The next step; `nil` where nothing is left to do.
    mutating func nextStep() -> Step? {
        while next < slots.count {
            let way = slots[next].way
            let draw = SeededDraw(seed: seed, series: slots[next].series)
            next += 1
            let order = draw.ordered(entries.filter { isWanted($0, way) }.map(\.test))
            guard !order.isEmpty else { continue }
            lacksDrawn = false
            let round: TrialRequest.Round
            switch way {
            case .alone, .oneThread, .twoThreads: round = TrialRequest.Round(order, .alone, poolWidth: way.poolWidth)
            case .company: round = TrialRequest.Round(order, .inCompany(of: nil))
            case .drawnCompany:
                // Among all, so that it does not depend on which tests are repeated. One of these that is not wanted any more is left out.
                let own = Set(entries.map(\.test))
                let drawn = draw.ordered(all).prefix(min(all.count / 2 + 1, Self.mostDrawn))
                lacksDrawn = !own.subtracting(order).isDisjoint(with: drawn)
                round = TrialRequest.Round(order, .inCompany(of: drawn.filter { !own.contains($0) }))
            }
            return Step(way: way, round: round)
        }
        return nil
    }

    /// Whether a test is to be repeated once more in a way.
    private func isWanted(_ entry: Probation.Entry, _ way: Probation.Way) -> Bool {
        guard let tally = entry.counts.first(where: { $0.way == way })?.tally else { return true }
        // One that hangs takes all the time there is, and what fails each time takes it from the others.
        return tally.timedOut == 0 && tally.failures < Probation.mostFailures
    }

    /// Notes down what came of a step.
    mutating func take(_ report: TrialReport.Round, of way: Probation.Way) {
        let results = Dictionary(report.entries.map { ($0.test, $0) }) { first, _ in first }
        for index in entries.indices {
            guard let result = results[entries[index].test], result.tally != TrialTally() else { continue }
            if let place = entries[index].counts.firstIndex(where: { $0.way == way }) {
                entries[index].counts[place].tally = entries[index].counts[place].tally + result.tally
            } else {
                entries[index].counts.append(Probation.Count(way, result.tally))
            }
            guard entries[index].firstFailure == nil, let sample = result.firstFailure else { continue }
            let waiting = report.waiting.filter { $0 != entries[index].test }
            entries[index].firstFailure = Probation.Failure(
                way: way, repetition: entries[index].all.executions, sample: Self.shortened(sample),
                waiting: sample.outcome == .timedOut ? Array(waiting.prefix(Probation.Failure.mostWaiting)) : [],
                fellows: fellows(of: entries[index].test, in: report, way))
        }
    }

    /// The other tests that are repeated in the same company, as the seed alone does not tell them; `nil` where they are too many, the
    /// company is not drawn from all tests, or it lacks one that was drawn.
    private func fellows(of test: TestID, in report: TrialReport.Round, _ way: Probation.Way) -> [TestID]? {
        if isPart || way == .drawnCompany && lacksDrawn { return nil }
        let others = way == .drawnCompany ? report.entries.map(\.test).filter { $0 != test } : []
        return others.count > Probation.Failure.mostFellows ? nil : others
    }

    /// The first issue alone, with how many there were.
    private static func shortened(_ sample: FailureSample) -> FailureSample {
        let issues = sample.issues.prefix(1).map { issue in
            var issue = issue
            issue.message = String(decoding: issue.message.utf8.prefix(longestMessage), as: UTF8.self)
            issue.argument = issue.argument.map { String(decoding: $0.utf8.prefix(longestArgument), as: UTF8.self) }
            return issue
        }
        return FailureSample(outcome: sample.outcome, issues: issues, count: sample.count)
    }
}
