import RunModel

/// Which tests run next, and in which surroundings, while they are repeated: a value without any process.
///
/// Little time tells something of everything: each test is repeated once in every way before it is repeated again. Nothing that is drawn
/// depends on how long anything took, so that the same seed gives the same draws.
struct StressPlan: Sendable, Hashable {
    /// One repetition of tests.
    struct Step: Sendable, Hashable {
        let way: Probation.Way
        let round: TrialRequest.Round
    }

    /// Every so many repetitions there is one with one thread, and one with two: what blocks a thread does so each time.
    private static let narrowEvery = 5
    /// So many tests are drawn as company at most.
    private static let mostDrawn = 50
    /// So many bytes of a message are kept, and of the argument that it is about. With a thousand tests that is a fraction of what is read
    /// back.
    private static let (longestMessage, longestArgument) = (FailureSample.longestMessage, 500)

    /// What came of each test so far, in the order in which they were asked for.
    private(set) var entries: [Probation.Entry]
    private let company: [TestID]
    private let seed: UInt64
    private let slots: [Slot]
    private var next = 0

    /// The place of a step, whatever becomes of it.
    private struct Slot: Sendable, Hashable {
        let cycle: Int
        let way: Probation.Way
    }

    /// Plans repetitions.
    ///
    /// - Parameters:
    ///   - entries: The tests, without anything that came of them.
    ///   - all: All tests of the run, these included.
    ///   - canNarrow: Whether there can be fewer threads than usual.
    init(_ entries: [Probation.Entry], among all: [TestID], _ request: StressRequest, canNarrow: Bool) {
        self.entries = entries
        seed = request.seed
        let own = Set(entries.map(\.test))
        company = all.filter { !own.contains($0) }
        let hasCompany = all.count > 1
        var slots: [Slot] = []
        for cycle in 0..<max(0, request.runs) {
            let isNarrow = canNarrow && cycle.isMultiple(of: Self.narrowEvery)
            slots.append(Slot(cycle: cycle, way: .alone))
            if isNarrow { slots.append(Slot(cycle: cycle, way: .oneThread)) }
            if hasCompany {
                let isWhole = request.allowsWhole && cycle.isMultiple(of: 2)
                slots.append(Slot(cycle: cycle, way: isWhole ? .company : .drawnCompany))
            }
            if isNarrow { slots.append(Slot(cycle: cycle, way: .twoThreads)) }
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
            let (cycle, way) = (slots[next].cycle, slots[next].way)
            next += 1
            var draw = SeededDraw(seed: seed, series: cycle)
            let order = draw.shuffled(entries.filter { isWanted($0, way) }.map(\.test))
            guard !order.isEmpty else { continue }
            let round: TrialRequest.Round
            switch way {
            case .alone, .oneThread, .twoThreads: round = TrialRequest.Round(order, .alone, poolWidth: way.poolWidth)
            case .company: round = TrialRequest.Round(order, .inCompany(of: nil))
            case .drawnCompany:
                // A series of its own, so that the company does not depend on how many tests are left.
                var other = SeededDraw(seed: seed, series: -1 - cycle)
                let drawn = other.shuffled(company).prefix(min((company.count + 1) / 2, Self.mostDrawn))
                round = TrialRequest.Round(order, .inCompany(of: Array(drawn)))
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
                waiting: sample.outcome == .timedOut ? Array(waiting.prefix(Probation.Failure.mostWaiting)) : [])
        }
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
