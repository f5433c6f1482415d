import Evidence
import RunModel
import TestResults

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
                let meant = try Self.tests(called: name, among: all, tests.subject)
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

    /// The test of exactly this identity, or else those that an expression finds.
    private static func tests(
        called name: String, among all: [DiscoveredTests.Entry], _ subject: Subject
    ) throws(RunnerError) -> [DiscoveredTests.Entry] {
        let exact = all.filter { Name($0.id.description) == Name(name) }
        // An identity need not be an expression.
        guard exact.isEmpty else { return exact }
        let selector = try TestSelector(Selection(filters: [name]), modules: subject.package.modules, rerun: nil)
        return selector.select(DiscoveredTests(entries: all)) ?? all
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
    ///
    /// - Parameter probation: Says at any time what is known by then, also where this throws.
    private mutating func repeatUntilProven(
        _ probation: inout Probation, _ stress: StressRequest, _ tests: Tested
    ) async throws(RunnerError) {
        guard let discovered = tests.discovered else { return }
        let all = try selected(discovered, tests.subject).map(\.id)
        var plan = StressPlan(
            probation.entries, among: all, stress, canNarrow: tests.invocation.libraries != nil,
            isPart: selection.shard != nil)
        let end = clock.now + stress.budget
        probation.isCutShort = true
        var isComplete = true
        while !isCancelled, end - clock.now > .zero, let step = plan.nextStep() {
            progress(.repeatedTests(plan.progress.done - 1, of: plan.progress.of))
            let limit = stress.testLimit(of: step.round, atMost: request.options.limits.test)
            var report = TrialReport()
            try await repeatTests(
                TrialRequest(rounds: [step.round], budget: end - clock.now, testLimit: limit), tests, &report)
            guard let round = report.rounds.first else { continue }
            plan.take(round, of: step.way)
            probation.entries = plan.entries.inOrder
            isComplete = isComplete && round.isComplete
        }
        probation.isCutShort = !isComplete || !plan.isOver
        probation.entries = plan.entries.inOrder
    }

    /// Repeats new and changed tests, where somebody asks for it and all tests have passed.
    ///
    /// Nothing of it changes a result of the run, adds to its evidence or ends it: what goes wrong is told as what came of it.
    mutating func proveTests() async {
        guard let wanted = request.probation, let tests = tested, let discovered = tests.discovered, hasAllTests,
            !isCancelled
        else { return }
        let chosen = wanted.choose(tests.subject.package.modules, discovered.entries.map(\.id))
        guard !chosen.isEmpty || wanted.isDemanded else { return }
        var probation = Probation(
            base: wanted.base, runs: wanted.stress.runs, budget: wanted.stress.budget, seed: wanted.stress.seed,
            entries: [])
        // Where nothing is to be repeated, that all steps have passed says enough.
        if !chosen.isEmpty || !steps.allSatisfy(\.isOfPassingTests) {
            do throws(RunnerError) {
                let results = try results(tests.subject)
                let failed = results.values.filter(\.outcome.isFailure).map { Name($0.id.description) }
                guard wanted.excused.isSuperset(of: failed) else { return }
                probation.list(
                    chosen.filter { entry in
                        // What was skipped has shown nothing that could be repeated, and what failed is excused.
                        results[entry.test].map { $0.outcome.wasExecuted && !$0.outcome.isFailure } ?? false
                    })
                await prove(&probation, wanted, tests, results)
            } catch {
                probation.list(chosen)
                probation.obstacle = Self.obstacle(error)
            }
        }
        guard !probation.entries.isEmpty || wanted.isDemanded else { return }
        probationFile = wanted.file(probation)
    }

    /// Repeats the tests that are listed, in a copy of the run.
    private func prove(
        _ probation: inout Probation, _ wanted: ProbationRequest, _ tests: Tested, _ results: [TestID: TestResult]
    ) async {
        guard !probation.entries.isEmpty else { return }
        var stress = wanted.stress
        // A test that hangs at the end of the time is still given the time to end, and a moment is left to judge the run.
        let reserve = request.options.limits.grace + .seconds(1)
        let left = wanted.deadline.map { $0 - clock.now - reserve } ?? stress.budget
        stress.budget = max(.zero, min(stress.budget, timeLeft, left))
        probation.budget = stress.budget
        stress.durations = results.compactMapValues(\.duration)
        stress.wholeDuration = steps.filter { $0.kind == .test }.reduce(Duration.zero) { $0 + $1.duration }
        let count = Figures.counted(probation.entries.count, "new or changed test")
        progress(.chose("repeating \(count) for at most \(Self.seconds(stress.budget))"))
        // What is written down meanwhile is of no pass of the run.
        var copy = self
        do throws(RunnerError) {
            try await copy.repeatUntilProven(&probation, stress, tests)
        } catch {
            probation.obstacle = Self.obstacle(error)
        }
        // The folder of a pass that came to no end.
        for folder in copy.passes.dropFirst(passes.count).compactMap(\.folder) {
            try? removeIfPresent("\(files.evidence)/\(folder)")
        }
    }

    private static func obstacle(_ error: RunnerError) -> String { String("\(error)".prefix(500)) }

    /// Whether all tests that there are were to run, of a shard all that fall to it, and nothing is missing.
    private var hasAllTests: Bool {
        var part = selection
        part.shard = nil
        // That no test falls to a shard is no fault of it.
        let hasNone = selection.shard != nil && passes.allSatisfy { $0.tests?.isEmpty == true }
        return !part.isPartial && gaps.allSatisfy { hasNone && $0.code == .noTests }
    }

    /// How the tests of all passes ended, of several the last time.
    private func results(_ subject: Subject) throws(RunnerError) -> [TestID: TestResult] {
        var results: [TestID: TestResult] = [:]
        for number in passes.indices where passes[number].tests?.isEmpty != true {
            let manifest = manifest(of: subject, artifacts: try evidence(of: passes[number]), sources: [])
            let pass = try keeping { () throws(EvidenceError) in
                try PassResults(of: number, manifest: manifest, in: RunDirectory(path: writer.path))
            }
            for result in pass.ended { results[result.id] = result }
        }
        return results
    }
}

extension Probation {
    /// Lists tests, as many as may be.
    fileprivate mutating func list(_ tests: [Entry]) {
        entries = Array(tests.prefix(Self.mostTests))
        unlisted = tests.count - entries.count
    }
}

extension RunStep {
    /// Whether it is none of the tests', or one in which no test failed. 69 is Swift Testing's status for "no tests".
    fileprivate var isOfPassingTests: Bool {
        kind != .test || termination.isSuccess || termination == .exited(69)
    }
}
