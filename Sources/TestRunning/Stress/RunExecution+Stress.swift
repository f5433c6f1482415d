import Evidence
import RunModel

extension RunExecution {
    /// Builds what is out of date as a run does, and repeats the tests that somebody named.
    mutating func stress(_ names: [String], _ stress: StressRequest) async throws(RunnerError) -> StressReport {
        var found = StressReport(
            Probation(runs: stress.runs, budget: stress.budget, seed: stress.seed, entries: []))
        let report = try await amongTests { (run, tests, report) throws(RunnerError) in
            guard let tests, let discovered = tests.discovered else {
                // That they are not listed is said as for any tests that are repeated.
                return try await run.repeatTests(TrialRequest(rounds: [], budget: .zero), tests, &report)
            }
            let all = try run.selected(discovered, tests.subject)
            var chosen: [Probation.Entry] = []
            for name in names {
                let exact = all.filter { Name($0.id.description) == Name(name) }
                let selector = try TestSelector(
                    Selection(filters: [name]), modules: tests.subject.package.modules, rerun: nil)
                let meant = exact.isEmpty ? selector.select(DiscoveredTests(entries: all)) ?? all : exact
                if meant.isEmpty { found.unknown.append(name) }
                let known = Set(chosen.map(\.test))
                chosen += meant.map(\.id).filter { !known.contains($0) }.map { Probation.Entry(test: $0) }
            }
            guard found.unknown.isEmpty else { return }
            found.probation.unlisted = max(0, chosen.count - Probation.mostTests)
            found.probation.entries = Array(chosen.prefix(Probation.mostTests))
            try await run.repeatUntilProven(&found.probation, stress, tests)
        }
        found.obstacle = report.obstacle
        return found
    }

    /// The tests of a run that runs all that its settings have it run.
    private func selected(
        _ discovered: DiscoveredTests, _ subject: Subject
    ) throws(RunnerError) -> [DiscoveredTests.Entry] {
        let selector = try TestSelector(
            selection, modules: subject.package.modules, rerun: request.tests.rerun, split: request.tests.split)
        return selector.select(discovered) ?? discovered.entries
    }

    /// Repeats tests as often as that is wanted, or until the time is over or somebody cancels it.
    private mutating func repeatUntilProven(
        _ probation: inout Probation, _ stress: StressRequest, _ tests: Tested
    ) async throws(RunnerError) {
        guard let discovered = tests.discovered else { return }
        let all = try selected(discovered, tests.subject).map(\.id)
        var plan = StressPlan(probation.entries, among: all, stress, canNarrow: tests.invocation.libraries != nil)
        let end = clock.now + stress.budget
        while !isCancelled, end - clock.now > .zero, let step = plan.nextStep() {
            progress(.repeatedTests(plan.progress.done - 1, of: plan.progress.of))
            let limit = stress.testLimit(of: step.round, atMost: request.options.limits.test)
            var report = TrialReport()
            try await repeatTests(
                TrialRequest(rounds: [step.round], budget: end - clock.now, testLimit: limit), tests, &report)
            if let round = report.rounds.first { plan.take(round, of: step.way) }
        }
        probation.isCutShort = !plan.isOver
        probation.entries = plan.entries.inOrder
    }

    /// Repeats new and changed tests, where somebody asks for it and all tests have passed. Nothing of it changes a result of the run.
    mutating func proveTests() async throws(RunnerError) {
        var part = selection
        part.shard = nil
        guard let wanted = request.probation, let tests = tested, let discovered = tests.discovered, !part.isPartial,
            gaps.isEmpty, !isCancelled
        else { return }
        let chosen = wanted.choose(tests.subject.package.modules, discovered.entries.map(\.id))
        guard !chosen.entries.isEmpty || wanted.isDemanded else { return }
        let results = try results(tests.subject)
        guard results.values.allSatisfy({ !$0.outcome.isFailure || wanted.excused.contains(Name($0.id.description)) })
        else { return }
        var stress = wanted.stress
        stress.budget = min(stress.budget, timeLeft)
        stress.durations = results.compactMapValues(\.duration)
        stress.wholeDuration = steps.filter { $0.kind == .test }.reduce(Duration.zero) { $0 + $1.duration }
        var probation = Probation(
            base: wanted.base, runs: stress.runs, budget: wanted.stress.budget, seed: stress.seed,
            // What was skipped has shown nothing that could be repeated, and what failed is excused.
            entries: chosen.entries.filter { entry in
                results[entry.test].map { $0.outcome.wasExecuted && !$0.outcome.isFailure } ?? false
            }, unlisted: chosen.unlisted)
        if !probation.entries.isEmpty {
            let count = Figures.counted(probation.entries.count, "new or changed test")
            progress(.chose("repeating \(count) for at most \(Self.seconds(stress.budget))"))
            // What is written down meanwhile is of no pass of the run.
            var copy = self
            do throws(RunnerError) {
                try await copy.repeatUntilProven(&probation, stress, tests)
            } catch {
                probation.obstacle = "\(error)"
            }
        }
        guard !probation.entries.isEmpty || wanted.isDemanded else { return }
        probationFile = wanted.file(probation)
    }

    /// How the tests of all passes ended, of several the last time.
    private func results(_ subject: Subject) throws(RunnerError) -> [TestID: TestResult] {
        var results: [TestID: TestResult] = [:]
        for number in passes.indices {
            let manifest = manifest(of: subject, artifacts: try evidence(of: passes[number]), sources: [])
            let pass = try keeping { () throws(EvidenceError) in
                try PassResults(of: number, manifest: manifest, in: RunDirectory(path: writer.path))
            }
            for result in pass.ended { results[result.id] = result }
        }
        return results
    }
}
