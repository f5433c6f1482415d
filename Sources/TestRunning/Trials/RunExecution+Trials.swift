import Evidence
import Foundation
import RunModel
import TestResults

extension RunExecution {
    /// Builds what is out of date as a run does, and repeats the tests that were requested, without coverage.
    mutating func trial(_ trial: TrialRequest) async throws(RunnerError) -> TrialReport {
        try await amongTests { (run, tests, report) throws(RunnerError) in
            try await run.repeatTests(trial, tests, &report)
        }
    }

    /// Builds what is out of date as a run does, lists the tests, and calls `body` with them, unless something kept them from being built.
    mutating func amongTests(
        _ body: (inout RunExecution, Tested?, inout TrialReport) async throws(RunnerError) -> Void
    ) async throws(RunnerError) -> TrialReport {
        measuresCoverage = false
        let installation = try await toolchain()
        return try await amongScripts { (run, isPrepared) throws(RunnerError) in
            var report = TrialReport()
            let begin = run.clock.now
            guard isPrepared else {
                report.obstacle = .scriptsFailed(run.gaps.last?.detail ?? "they were not run to their end")
                return report
            }
            let (package, described) = try await run.prepare(installation)
            let isBuilt = try await run.haveProducts(package, installation, described)
            guard isBuilt, !run.isCancelled else {
                report.obstacle = .notBuilt(run.lastLinesOfBuild)
                report.preparing = run.clock.now - begin
                return report
            }
            guard package.hasTests else {
                report.obstacle = .noTests
                return report
            }
            var invocation = described
            invocation.products = try await run.findProducts(of: package, invocation)
            let subject = Subject(package: package, toolchain: installation.toolchain)
            let tests = try await run.discover(invocation, installation, subject)
            report.preparing = run.clock.now - begin
            // What may not be listed is not missing.
            if let gap = run.gaps.last(where: { [.listUnavailable, .ownMain].contains($0.code) }) {
                report.obstacle = .notListed(gap.detail)
                return report
            }
            try await body(&run, tests, &report)
            return report
        }
    }

    /// The last lines of the log of the build; where a time limit ended it, what is known of that.
    private var lastLinesOfBuild: String {
        if isCancelled { return "it was cancelled" }
        if let gap = gaps.last(where: { $0.code == .timedOut }) { return gap.detail }
        let log = FileManager.default.contents(atPath: files.buildLog) ?? Data()
        return String(decoding: log, as: UTF8.self).split(separator: "\n").suffix(20).joined(separator: "\n")
    }

    /// Repeats tests with what is built, round by round, until the time for them is over.
    mutating func repeatTests(
        _ trial: TrialRequest, _ tests: Tested?, _ report: inout TrialReport
    ) async throws(RunnerError) {
        guard let tests, let discovered = tests.discovered else {
            let reason = notes.last { $0.code == .listUnavailable }?.detail
            report.obstacle = .notListed(reason ?? "nothing is known of them")
            return
        }
        let budgetEnd = clock.now + trial.budget
        ownDeadline = trial.deadline.map { min($0, budgetEnd) } ?? budgetEnd
        let entries = Dictionary(discovered.entries.map { ($0.id, $0) }) { first, _ in first }
        let names = Set(discovered.entries.map(\.id.withoutDiscriminator))
        var seen: Set<TestID> = []
        report.missing = trial.rounds.flatMap(\.tests).filter { test in
            !names.contains(test.withoutDiscriminator) && seen.insert(test).inserted
        }
        report.rounds = trial.rounds.map { _ in TrialReport.Round() }
        for (number, round) in trial.rounds.enumerated() {
            seen = []
            let wanted = round.isOfFailing ? round.tests.filter { report.hasOnlyFailed($0) } : round.tests
            let own = wanted.filter { seen.insert($0).inserted }.compactMap { entries[$0] }
            report.rounds[number].entries = own.map { TrialReport.Entry(test: $0.id) }
            let begin = clock.now
            let isComplete = try await run(round, own, tests, discovered, trial, &report.rounds[number])
            report.rounds[number].isComplete = isComplete
            report.rounds[number].duration = clock.now - begin
        }
    }

    /// Repeats the tests of one round; returns whether the time was enough.
    private mutating func run(
        _ round: TrialRequest.Round, _ own: [DiscoveredTests.Entry], _ tests: Tested, _ discovered: DiscoveredTests,
        _ trial: TrialRequest, _ report: inout TrialReport.Round
    ) async throws(RunnerError) -> Bool {
        var invocation = tests.invocation
        (invocation.isProfiled, invocation.recordsTests) = (false, false)
        invocation.lastVariables = round.variables
        if let width = round.poolWidth {
            guard invocation.libraries != nil else { return false }
            invocation.lastVariables[TestInvocation.poolWidthVariable] = "\(width)"
        }
        for repetition in 0..<max(0, round.repetitions) {
            let open = own.indices.filter { !round.stop.isReached(by: report.entries[$0].tally) }
            guard !open.isEmpty else { break }
            if round.repetitions > 1 { progress(.repeatedTests(repetition, of: round.repetitions)) }
            let plans = try plans(of: round, open.map { own[$0] }, discovered, tests)
            let usual = invocation.environment.merging(round.variables) { $1 }
            let home: EmptyHome? = try round.hasEmptyHome ? EmptyHome(instead: usual) : nil
            defer { home?.remove() }
            if let home { invocation.lastVariables.merge(home.variables) { $1 } }
            for plan in plans {
                guard !isCancelled, timeLeft > .zero else { return false }
                let (results, waiting, isCutShort) = try await runOnce(
                    plan, invocation, trial.testLimit, tests.subject)
                report.waiting += waiting
                let planned = Set((plan.tests ?? []).map(\.id))
                for index in open where planned.contains(own[index].id) {
                    let result = results.first { $0.id == own[index].id }
                    if result == nil, isCutShort { continue }
                    report.entries[index].tally.count(result?.outcome ?? .notRun)
                    if report.entries[index].firstFailure == nil {
                        report.entries[index].firstFailure = result.flatMap { FailureSample($0) }
                    }
                }
                if isCutShort { return false }
            }
        }
        return true
    }

    /// The processes of one repetition.
    private func plans(
        of round: TrialRequest.Round, _ tests: [DiscoveredTests.Entry], _ discovered: DiscoveredTests, _ tested: Tested
    ) throws(RunnerError) -> [PassPlan] {
        let plans: [PassPlan]
        switch round.way {
        case .alone: plans = tests.map { PassPlan(reason: .retry, tests: [$0]) }
        case .together: plans = PassPlan.plans(.retry, tests)
        case .inCompany(let others):
            // Each library has a process of its own, in which nothing of the other one is company.
            let libraries = Set(tests.map(\.library))
            let all = discovered.entries.filter { libraries.contains($0.library) }
            let company: Set<TestID>
            if let others {
                company = Set(others)
            } else {
                let selector = try TestSelector(
                    selection, modules: tested.subject.package.modules, rerun: request.tests.rerun,
                    split: request.tests.split)
                company = Set((selector.select(discovered) ?? discovered.entries).map(\.id))
            }
            let wanted = company.union(tests.map(\.id))
            let chosen = all.filter { wanted.contains($0.id) }
            plans =
                chosen.count == all.count
                ? [PassPlan(reason: .retry, tests: chosen, isWhole: true)] : PassPlan.plans(.retry, chosen)
        }
        let own = Set(tests.map(\.id))
        return plans.flatMap { tested.invocation.products?.split($0) ?? [$0] }.filter { plan in
            plan.tests?.contains { own.contains($0.id) } ?? true
        }
    }
}

extension TrialRequest.Stop {
    /// Whether a test needs no further repetition.
    fileprivate func isReached(by tally: TrialTally) -> Bool {
        switch self {
        case .never: false
        case .atFailure: tally.failures > 0
        case .atDisagreement: tally.failures > 0 && tally.passed > 0
        }
    }
}
