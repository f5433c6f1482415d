import Evidence
import Mutation
import RunModel
import TestResults

extension RunExecution {
    /// Runs the tests of each mutant in rounds: the first part of each, then the next part of those that nothing noticed.
    mutating func tryMutants(
        of sources: [MutatedSource], _ mutation: MutationRequest, _ invocation: TestInvocation,
        _ installation: ToolchainInstallation, _ package: PackageDescription, _ report: inout MutationReport
    ) async throws(RunnerError) {
        var watched = invocation
        watched.isProfiled = false
        watched.libraries = await preloaded(installation)
        guard let discovered = try await list(watched, ownMain: ownMain(of: package.modules), package.modules) else {
            if isCancelled { throw .interrupted }
            throw .notMutable(reason: "the tests were not listed", detail: notes.last?.detail ?? "")
        }
        testIDs = Dictionary(
            discovered.entries.map { (Name($0.name), $0.id) }, uniquingKeysWith: { first, _ in first })
        let entries = Dictionary(discovered.entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let (modules, there) = (package.modules, discovered.entries.map(\.id))
        let undeclared = self.undeclared(modules)
        let trials = sources.flatMap(\.mutants).map { mutant in
            let tests = mutation.tests.tests(of: mutant, in: modules, undeclared: undeclared, among: there)
            let all = mutation.tests.allTests(of: mutant, in: modules, undeclared: undeclared, among: there)
            return MutantTrial(
                mutant, tests: tests.compactMap { entries[$0] }, all: all.compactMap { entries[$0] },
                duration: mutation.tests.duration)
        }
        var heard = invocation
        heard.libraries = watched.libraries
        var rounds = MutantRounds(trials: MutantTrial.inOrder(trials), mutation: mutation, invocation: heard)
        ownDeadline = clock.now + mutation.budget
        let subject = Subject(package: package, toolchain: installation.toolchain)
        while !isCancelled, timeLeft > .zero {
            let round = rounds.trials.indices.filter { !rounds.trials[$0].isOver }
            guard !round.isEmpty else { break }
            let new = rounds.newTests(of: round)
            let isFirst = rounds.known.isEmpty
            if isFirst {
                progress(.began(.test))
                progress(.discovered(new.count))
            }
            let begin = clock.now
            guard let failing = try await failing(new, watched, discovered, subject) else { break }
            rounds.failing.formUnion(failing)
            rounds.known.formUnion(new.map(\.id))
            if isFirst {
                progress(.ended(.test, clock.now - begin))
                progress(.triedMutants(rounds.over, of: trials.count))
            }
            for index in round where !isCancelled && timeLeft > .zero { try await tryPart(of: index, in: &rounds) }
        }
        for index in rounds.trials.indices where rounds.trials[index].wantsAll && !isCancelled && timeLeft > .zero {
            try await tryAll(of: index, in: &rounds)
        }
        for trial in rounds.trials where trial.entry.outcome.isSurvivor { progress(.mutantSurvived(trial.mutant)) }
        report.entries += rounds.trials.map(\.entry)
        report.discovered = there.count
        report.failing = rounds.failing.sorted().map(\.description) + rounds.failingProcesses
    }

    /// The tests that fail without any mutant; `nil` if somebody cancelled them, or the time was over.
    private mutating func failing(
        _ tests: [DiscoveredTests.Entry], _ invocation: TestInvocation, _ discovered: DiscoveredTests,
        _ subject: Subject
    ) async throws(RunnerError) -> Set<TestID>? {
        guard !tests.isEmpty else { return [] }
        let first = passes.endIndex
        var queue = PassQueue(PassPlan.plans(.first, tests), discovered: discovered, retries: 0)
        try await run(&queue, invocation, discovered, subject)
        guard !isCancelled, timeLeft > .zero else { return nil }
        var failing: Set<TestID> = []
        for number in passes.indices.dropFirst(first) {
            let report = try report(of: number, subject)
            failing.formUnion(report.failed + report.ended)
            if number == passes.indices.last { failing.formUnion(report.unfinished) }
        }
        return failing
    }

    /// Runs the next part of a mutant's tests.
    private func tryPart(of index: Int, in rounds: inout MutantRounds) async throws(RunnerError) {
        let mutant = rounds.trials[index].mutant
        let tests = rounds.trials[index].parts[0].filter { !rounds.failing.contains($0.id) }
        var ran = 0
        for plan in PassPlan.plans(.first, tests) {
            for (command, tests) in rounds.invocation.testsOfMutants(plan)
            where rounds.repeated[command.arguments]?.passes != false {
                let expected = rounds.duration(of: tests)
                switch try await run(command, under: mutant.number, expected, rounds) {
                case .cutShort: return rounds.trials[index].wasCutShort(ran: ran)
                case .passed: ran += tests.count
                case .noticed(let outcome):
                    if rounds.repeated[command.arguments] == nil {
                        // Nobody knows yet whether it is the mutant that makes it fail.
                        let without = try await run(command, under: 0, expected, rounds)
                        if without == .cutShort { return rounds.trials[index].wasCutShort(ran: 0) }
                        rounds.repeated[command.arguments] = MutantRounds.RepeatedProcess(
                            tests: tests.map(\.id), passes: without == .passed)
                        if without != .passed { continue }
                    }
                    rounds.trials[index].wasNoticed(outcome)
                    return progress(.triedMutants(rounds.over, of: rounds.trials.count))
                }
            }
        }
        rounds.trials[index].endedPart(ran: ran)
        guard rounds.trials[index].isOver else { return }
        progress(.triedMutants(rounds.over, of: rounds.trials.count))
    }

    /// Runs all tests that sources connect with a mutant together, as a full run does: what the map does not see may
    /// notice it.
    private func tryAll(of index: Int, in rounds: inout MutantRounds) async throws(RunnerError) {
        let tests = rounds.trials[index].all.filter { !rounds.failing.contains($0.id) }
        var isSure = !tests.isEmpty
        for plan in PassPlan.plans(.first, tests) {
            for (command, tests) in rounds.invocation.testsOfMutants(plan) {
                guard rounds.repeated[command.arguments]?.passes != false else {
                    isSure = false
                    continue
                }
                let expected = rounds.duration(of: tests)
                switch try await run(command, under: rounds.trials[index].mutant.number, expected, rounds) {
                case .cutShort: return
                case .passed: break
                case .noticed(let outcome):
                    if rounds.repeated[command.arguments] == nil {
                        let without = try await run(command, under: 0, expected, rounds)
                        if without == .cutShort { return }
                        rounds.repeated[command.arguments] = MutantRounds.RepeatedProcess(
                            tests: tests.map(\.id), passes: without == .passed)
                    }
                    if rounds.repeated[command.arguments]?.passes == true {
                        return rounds.trials[index].wasNoticed(outcome)
                    }
                    isSure = false
                }
            }
        }
        rounds.trials[index].endedAll(isSure: isSure)
    }

    /// How a process with tests ended.
    private enum TestsEnd: Equatable {
        /// In order.
        case passed
        /// Something was noticed.
        case noticed(MutationReport.Outcome)
        /// Somebody cancelled it, or the time was over.
        case cutShort
    }

    /// Runs a process with tests.
    ///
    /// - Parameter number: The mutant that is in effect; 0 for none.
    private func run(
        _ command: ChildCommand, under number: Int, _ expected: Duration, _ rounds: MutantRounds
    ) async throws(RunnerError) -> TestsEnd {
        guard timeLeft > .zero else { return .cutShort }
        try setMutant(number, rounds.mutation)
        // A condition that is negated may never end.
        let limits = Supervision.Limits(run: min(timeLeft, .seconds(10) + expected * 4), grace: .seconds(1))
        let outcome = try await ChildProcess(command, limits: limits, mergesStreams: true, isolation: isolation)
            .run(CapturedOutput(limit: 0))
        try setMutant(0, rounds.mutation)
        if outcome.cause == .cancelled { return .cutShort }
        if outcome.wasTimedOut { return timeLeft > .zero ? .noticed(.timedOut) : .cutShort }
        return switch outcome.termination {
        case .exited(0): .passed
        case .exited: .noticed(.failed)
        case .signaled: .noticed(.crashed)
        }
    }
}
