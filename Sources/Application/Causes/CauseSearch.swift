import Gate
import RunModel
import TestRunning

/// One search for the causes of failures while it goes on: what was seen so far, and what is left of the time.
struct CauseSearch: Sendable {
    let finder: CauseFinder
    let failed: FailedRun
    /// The failed tests that are looked at.
    let tests: [TestResult]
    private let begin = SuspendingClock.now
    private let budget: Duration
    var seen: [TestID: FailureObservation]
    private var obstacle: String?
    private var isCutShort = false

    /// How many tests are repeated one by one; further ones are repeated in one process.
    private static let mostAlone = 8
    /// For how many tests Kanmon searches for the other tests in whose company they fail.
    private static let mostOfOrder = 2

    init(_ finder: CauseFinder, _ failed: FailedRun, _ tests: [TestResult], budget: Duration) {
        (self.finder, self.failed, self.tests, self.budget) = (finder, failed, tests, budget)
        seen = Dictionary(tests.map { ($0.id, FailureObservation(test: $0.id)) }) { first, _ in first }
    }

    /// What is left of the time.
    private var timeLeft: Duration { max(.zero, budget - (SuspendingClock.now - begin)) }

    /// Looks until everything is known or the time is over.
    mutating func observations() async -> FailureObservations {
        await readStore()
        let open = undecided
        if !open.isEmpty {
            let count = Figures.counted(open.count, "failed test")
            failed.tell(.chose("repeating \(count) to find out why, for at most \(Figures.duration(budget))"))
            await repeatHere(open)
            await askBase()
            await repeatWhatIsFlakyOnBase()
            for test in open.filter(mayDependOnOrder).prefix(Self.mostOfOrder) { await findFellows(of: test) }
        }
        var observations = FailureObservations(
            base: finder.baseline?.commit?.commit, obstacle: obstacle, isWholeChange: finder.subpath.isTop,
            isLaidOut: finder.isLikeBase, tests: tests.compactMap { seen[$0.id] })
        observations.nanoseconds = (SuspendingClock.now - begin).nanosecondCount
        observations.isCutShort = isCutShort
        return observations
    }

    /// The tests of which what is stored does not say everything.
    private var undecided: [TestID] {
        let observations = FailureObservations(
            isLaidOut: finder.isLikeBase, tests: tests.compactMap { seen[$0.id] })
        let kinds = FailureCauses(of: failed.run, observations, changes: nil).byTest
        return tests.map(\.id).filter { test in
            guard let kind = kinds[test]?.kind else { return true }
            return kind != .broken && kind != .new
        }
    }

    // MARK: Here

    /// Repeats the first tests one by one and the rest together; what passes alone runs among all others, and what is flaky more often.
    private mutating func repeatHere(_ tests: [TestID]) async {
        let (first, rest) = (Array(tests.prefix(Self.mostAlone)), Array(tests.dropFirst(Self.mostAlone)))
        let all = timeLeft
        await runRounds(
            [.init(first, .alone, repetitions: 3), .init(rest, .together, repetitions: 2)], for: all * 0.25)
        let passing = first.filter { test in
            seen[test].map { $0.alone.passed >= 2 && $0.alone.failures == 0 } ?? false
        }
        if !passing.isEmpty { await runRounds([.init(passing, .inCompany(of: nil), repetitions: 2)], for: all * 0.25) }
        let flaky = first.filter(mayBeFlaky)
        if !flaky.isEmpty { await runRounds([.init(flaky, .alone, repetitions: 12)], for: all * 0.2) }
    }

    /// Whether it passed here, and nothing shows that it fails for the company of others.
    private func mayBeFlaky(_ test: TestID) -> Bool {
        guard let observation = seen[test], observation.alone.passed > 0 else { return false }
        return observation.alone.failures > 0 || observation.company.failures == 0
    }

    /// Whether it passed here alone each time, and failed among others each time.
    private func mayDependOnOrder(_ test: TestID) -> Bool {
        guard let observation = seen[test] else { return false }
        return observation.alone.passed >= 2 && observation.alone.failures == 0 && observation.company.failures > 0
            && observation.company.passed == 0
    }

    /// Repeats rounds of tests here and counts how they ended.
    private mutating func runRounds(_ rounds: [TrialRequest.Round], for limit: Duration) async {
        let rounds = rounds.filter { !$0.tests.isEmpty }
        guard !rounds.isEmpty, let report = await trial(rounds, for: limit) else { return }
        for (round, result) in zip(rounds, report.rounds) {
            for entry in result.entries {
                guard var observation = seen[entry.test] else { continue }
                if round.way == .alone {
                    observation.alone = observation.alone + entry.tally
                } else {
                    observation.company = observation.company + entry.tally
                }
                seen[entry.test] = observation
            }
        }
    }

    /// Repeats rounds of tests here; `nil` where that cannot be done any more.
    private mutating func trial(_ rounds: [TrialRequest.Round], for limit: Duration) async -> TrialReport? {
        let limit = min(limit, timeLeft)
        guard limit > .zero, !Task.isCancelled else {
            isCutShort = true
            return nil
        }
        guard let report = try? await failed.trial(TrialRequest(rounds: rounds, budget: limit)),
            report.obstacle == nil
        else { return nil }
        if report.rounds.contains(where: { !$0.isComplete }) { isCutShort = true }
        return report
    }

    // MARK: The base

    /// Runs on the base what is not known to depend on the order.
    private mutating func askBase() async {
        let open = undecided.filter { !mayDependOnOrder($0) }
        guard !open.isEmpty else { return }
        let rounds = roundsOnBase(of: open).filter { !$0.tests.isEmpty }
        let reserve = seen.keys.contains(where: mayDependOnOrder) ? timeLeft * 0.3 : .zero
        switch await finder.trial(onBase: rounds, within: timeLeft - reserve, beside: failed) {
        case .obstacle(let reason): obstacle = String(reason.prefix(500))
        case .report(let report): takeOnBase(report, of: rounds)
        }
    }

    /// How tests run on the base: the first ones alone, flaky ones more often, the rest together, and at last those
    /// that failed among all others, and so with an empty home folder, too: the change may have left something outside of
    /// the tree that fails the base as well.
    private func roundsOnBase(of tests: [TestID]) -> [TrialRequest.Round] {
        let first = Array(tests.prefix(Self.mostAlone))
        let flaky = first.filter(mayBeFlaky)
        var rounds = [
            TrialRequest.Round(
                first.filter { !flaky.contains($0) }, .alone, repetitions: 3, stop: .atDisagreement),
            TrialRequest.Round(flaky, .alone, repetitions: 10),
            TrialRequest.Round(Array(tests.dropFirst(Self.mostAlone)), .together, repetitions: 2),
        ]
        if finder.isLikeBase {
            // What fails without the others may need them, and so fail for another reason than in the run.
            let others = failed.run.isPartial ? failed.run.tests.filter(\.outcome.wasExecuted).map(\.id) : nil
            rounds.append(TrialRequest.Round(tests, .inCompany(of: others), isOfFailing: true))
            rounds.append(TrialRequest.Round(tests, .inCompany(of: others), isOfFailing: true, hasEmptyHome: true))
        } else {
            // By no more than a stored run of this folder is known that it failed before; that one may have come after the change, too.
            let known = tests.filter { test in
                seen[test]?.stored.contains { $0.isHere && $0.outcome.isFailure } ?? false
            }
            let alone = Array(known.prefix(Self.mostAlone))
            rounds.append(TrialRequest.Round(alone, .alone, isOfFailing: true, hasEmptyHome: true))
            let rest = Array(known.dropFirst(Self.mostAlone))
            rounds.append(TrialRequest.Round(rest, .together, isOfFailing: true, hasEmptyHome: true))
        }
        return rounds
    }

    /// Counts how tests ended on the base, and which of them it does not have.
    private mutating func takeOnBase(_ report: TrialReport, of rounds: [TrialRequest.Round]) {
        for test in report.missing { seen[test]?.base = FailureObservation.OnBase(isMissing: true) }
        for (round, result) in zip(rounds, report.rounds) {
            for entry in result.entries {
                var base = seen[entry.test]?.base ?? FailureObservation.OnBase()
                if round.hasEmptyHome {
                    base.emptied = entry.tally
                    base.emptiedFailure = entry.firstFailure
                    seen[entry.test]?.base = base
                    continue
                }
                if case .inCompany = round.way {
                    base.company = base.company + entry.tally
                } else {
                    base.alone = base.alone + entry.tally
                }
                if let failure = entry.firstFailure { base.failures.append(failure) }
                seen[entry.test]?.base = base
            }
            if !result.isComplete { isCutShort = true }
        }
    }

    /// Repeats once more what passed and failed on the base and only failed here: it may be flaky here, too. Where it is, it is repeated on
    /// the base as well, as a few executions do not tell how often it fails there.
    private mutating func repeatWhatIsFlakyOnBase() async {
        let tests = self.tests.map(\.id).filter { test in
            guard let observation = seen[test], let base = observation.base?.tally else { return false }
            return base.passed > 0 && base.failures > 0 && observation.alone.passed == 0
        }
        guard !tests.isEmpty else { return }
        await runRounds([.init(tests, .alone, repetitions: 12)], for: timeLeft * 0.5)
        let flaky = tests.filter { seen[$0].map { $0.alone.passed > 0 } ?? false }
        guard !flaky.isEmpty else { return }
        let rounds = [TrialRequest.Round(flaky, .alone, repetitions: 10)]
        switch await finder.trial(onBase: rounds, within: timeLeft * 0.5, beside: failed) {
        case .obstacle: isCutShort = true
        case .report(let report): takeOnBase(report, of: rounds)
        }
    }

    // MARK: Order

    /// Looks for the fewest tests in whose company a test fails that passes alone, by halving.
    private mutating func findFellows(of test: TestID) async {
        guard let library = tests.first(where: { $0.id == test })?.library else { return }
        var fellows = failed.run.tests.filter {
            $0.library == library && $0.id != test && $0.outcome.wasExecuted
        }.map(\.id)
        while fellows.count > 1 {
            let half = fellows.count / 2
            let halves = [Array(fellows[..<half]), Array(fellows[half...])]
            var failing: [TestID]?
            for part in halves where failing == nil {
                guard let isFailing = await fails(test, beside: part, times: 1) else { return }
                if isFailing { failing = part }
            }
            // It needs some of both.
            guard let failing else { break }
            fellows = failing
        }
        guard fellows.count <= FailureObservation.mostFellows, await fails(test, beside: fellows, times: 2) == true,
            await fails(test, beside: [], times: 2) == false
        else { return }
        seen[test]?.fellows = fellows
    }

    /// Whether a test fails each time in some company, or passes each time; `nil` where neither is so, or there is no time.
    private mutating func fails(_ test: TestID, beside others: [TestID], times: Int) async -> Bool? {
        let round = TrialRequest.Round([test], .inCompany(of: others), repetitions: times)
        guard let tally = await trial([round], for: timeLeft)?.entry(of: test, inRound: 0)?.tally else { return nil }
        if tally.failures == times { return true }
        return tally.passed == times ? false : nil
    }
}
