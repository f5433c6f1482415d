import Evidence
import Foundation
import Mutation
import RunModel

extension RunExecution {
    /// Builds the package with all mutants of a change, and runs for each the tests that execute it.
    ///
    /// The sources in the package's folder are changed, so it is none that anybody else uses.
    mutating func mutate(_ mutation: MutationRequest) async throws(RunnerError) -> MutationReport {
        let installation = try await toolchain()
        return try await amongScripts { (run, isPrepared) throws(RunnerError) in
            guard isPrepared else {
                throw .notMutable(reason: "the scripts before the build failed", detail: run.gaps.first?.detail ?? "")
            }
            let (package, invocation) = try await run.prepare(installation)
            var report = MutationReport()
            var sources = try await run.mutatedSources(mutation, package.modules, installation.tools, &report)
            guard sources.contains(where: { !$0.mutants.isEmpty }), !run.isCancelled else { return report }
            try run.setMutant(0, mutation)
            let begin = run.clock.now
            try await run.choosingVersions { (run) throws(RunnerError) in
                try await run.build(&sources, mutation, package.modules, invocation, &report)
            }
            report.building = run.clock.now - begin
            try await run.tryMutants(of: sources, mutation, invocation, installation, package, &report)
            report.testing = run.clock.now - begin - report.building
            report.entries.sort { ($0.mutant.number) < ($1.mutant.number) }
            return report
        }
    }

    /// Finds the mutants of the changed sources.
    private mutating func mutatedSources(
        _ mutation: MutationRequest, _ modules: [Module], _ tools: ToolPaths, _ report: inout MutationReport
    ) async throws(RunnerError) -> [MutatedSource] {
        let measured = modules.filter { $0.isSwift && [.library, .executable].contains($0.kind) }
        let known = Set(measured.flatMap(\.sourcePaths).map { Name($0) })
        var sources: [MutatedSource] = []
        var number = 1
        for (path, lines) in mutation.changed.sorted(by: { $0.key < $1.key }) where known.contains(path) {
            let file = "\(request.package.root)/\(path.text)"
            guard let bytes = FileManager.default.contents(atPath: file) else { continue }
            let captured = CapturedOutput()
            let command = TestInvocation.syntax(
                of: file, tools: tools, packageRoot: request.package.root, environment: environment.variables)
            let outcome = try await step(.describe, command, limit: .seconds(60), captured)
            guard outcome.termination.isSuccess, !captured.isCut,
                var source = MutatedSource(
                    path: path.text, source: Array(bytes), changed: lines, syntax: captured.output)
            else {
                report.unreadable.append(path.text)
                continue
            }
            number = source.number(from: number)
            sources.append(source)
        }
        return sources
    }

    /// Builds with all mutants that compile: what the compiler complains of is taken away.
    private mutating func build(
        _ sources: inout [MutatedSource], _ mutation: MutationRequest, _ modules: [Module],
        _ invocation: TestInvocation,
        _ report: inout MutationReport
    ) async throws(RunnerError) {
        progress(.began(.build))
        let marking = Set(modules.filter(marksImports).flatMap(\.sourcePaths).map { Name($0) })
        for _ in 1...Self.mostBuilds {
            for source in sources {
                let file = "\(request.package.root)/\(source.path)"
                try onFileSystem("write", file) {
                    let text = source.text(
                        switchedBy: mutation.switchFile, marksImports: marking.contains(Name(source.path)))
                    try Data(text).write(to: URL(filePath: file))
                }
            }
            let captured = CapturedOutput()
            let outcome = try await step(.build, invocation.buildOfMutants, mergesStreams: true, captured)
            if outcome.cause == .cancelled { throw .interrupted }
            guard !outcome.termination.isSuccess else {
                progress(.ended(.build, outcome.duration))
                return
            }
            let log = String(decoding: captured.output, as: UTF8.self)
            let errors = CompilerErrors(output: log).lines
            var found = false
            for index in sources.indices {
                let file = "\(request.package.root)/\(sources[index].path)"
                let lines = errors.first { Name($0.key) == Name(file) }?.value ?? []
                let suspects = sources[index].suspects(of: lines)
                guard !suspects.isEmpty else { continue }
                found = true
                let mutants = sources[index].mutants.filter { suspects.contains($0.number) }
                report.entries += mutants.map { MutationReport.Entry(mutant: $0, outcome: .notCompiled) }
                sources[index].remove(suspects)
            }
            guard found else {
                progress(.buildFailed(outcome.duration))
                throw .notMutable(reason: "the package does not build", detail: Self.lastLines(log))
            }
        }
        throw .notMutable(reason: "the package does not build with its mutants", detail: "")
    }

    private func marksImports(_ module: Module) -> Bool {
        module.sourcePaths.contains { path in
            let bytes = FileManager.default.contents(atPath: "\(request.package.root)/\(path)")
            return MutatedSource.marksImport(Array(bytes ?? Data()))
        }
    }

    private static let mostBuilds = 12

    private static func lastLines(_ log: String) -> String {
        log.split(separator: "\n").suffix(20).joined(separator: "\n")
    }

    /// Runs the tests, first without any mutant, then for each one after the other.
    private mutating func tryMutants(
        of sources: [MutatedSource], _ mutation: MutationRequest, _ invocation: TestInvocation,
        _ installation: ToolchainInstallation, _ package: PackageDescription, _ report: inout MutationReport
    ) async throws(RunnerError) {
        var watched = invocation
        watched.isProfiled = false
        watched.libraries = await preloaded(installation)
        guard let discovered = try await list(watched) else {
            throw .notMutable(reason: "the tests were not listed", detail: notes.last?.detail ?? "")
        }
        testIDs = Dictionary(
            discovered.entries.map { (Name($0.name), $0.id) }, uniquingKeysWith: { first, _ in first })
        let entries = Dictionary(discovered.entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let mutants = sources.flatMap(\.mutants)
        var trials = mutants.map { mutant in
            let tests = mutation.tests.tests(of: mutant, in: package.modules, among: discovered.entries.map(\.id))
            return MutantTrial(mutant: mutant, tests: tests.compactMap { entries[$0] })
        }
        let subject = Subject(package: package, toolchain: installation.toolchain)
        let wanted = Set(trials.flatMap { $0.tests.map(\.id) })
        let failing = try await failing(
            discovered.entries.filter { wanted.contains($0.id) }, watched, discovered, subject)
        report.failing = failing.sorted().map(\.description)
        for index in trials.indices { trials[index].tests.removeAll { failing.contains($0.id) } }
        let untested = trials.filter(\.tests.isEmpty).map { trial in
            MutationReport.Entry(mutant: trial.mutant, outcome: .notExecuted)
        }
        report.entries += untested
        try await tryInOrder(trials.filter { !$0.tests.isEmpty }, mutation, invocation, &report)
    }

    /// The tests that fail without any mutant.
    private mutating func failing(
        _ tests: [DiscoveredTests.Entry], _ invocation: TestInvocation, _ discovered: DiscoveredTests,
        _ subject: Subject
    ) async throws(RunnerError) -> Set<TestID> {
        guard !tests.isEmpty, !isCancelled else { return [] }
        progress(.began(.test))
        progress(.discovered(tests.count))
        let begin = clock.now
        var queue = PassQueue(PassPlan.plans(.first, tests), discovered: discovered, retries: 0)
        try await run(&queue, invocation, discovered, subject)
        progress(.ended(.test, clock.now - begin))
        var failing: Set<TestID> = []
        for number in passes.indices {
            let report = try report(of: number, subject)
            failing.formUnion(report.failed + report.ended)
        }
        return failing
    }

    private mutating func tryInOrder(
        _ trials: [MutantTrial], _ mutation: MutationRequest, _ invocation: TestInvocation,
        _ report: inout MutationReport
    ) async throws(RunnerError) {
        let end = clock.now + mutation.budget
        for (index, trial) in MutantTrial.inOrder(trials).enumerated() {
            var entry = MutationReport.Entry(mutant: trial.mutant, outcome: .notTried, tests: trial.tests.count)
            if !isCancelled, clock.now < end {
                progress(.triedMutants(index, of: trials.count))
                try setMutant(trial.mutant.number, mutation)
                entry.outcome = try await outcome(of: trial, mutation, invocation)
                try setMutant(0, mutation)
                if entry.outcome == .survived { progress(.mutantSurvived(trial.mutant)) }
            }
            report.entries.append(entry)
        }
    }

    private mutating func outcome(
        of trial: MutantTrial, _ mutation: MutationRequest, _ invocation: TestInvocation
    ) async throws(RunnerError) -> MutationReport.Outcome {
        for part in trial.parts(mutation.tests.duration) {
            let expected = part.reduce(Duration.zero) { $0 + mutation.tests.duration(of: $1.id) }
            for plan in PassPlan.plans(.first, part) {
                for command in invocation.testOfMutant(plan) {
                    // A condition that is negated may never end.
                    let limits = Supervision.Limits(run: .seconds(10) + expected * 4, grace: .seconds(1))
                    let outcome = try await ChildProcess(
                        command, limits: limits, mergesStreams: true, isolation: isolation
                    ).run(CapturedOutput(limit: 0))
                    if outcome.cause == .cancelled { return .notTried }
                    if outcome.wasTimedOut { return .timedOut }
                    switch outcome.termination {
                    case .exited(0): continue
                    case .exited: return .failed
                    case .signaled: return .crashed
                    }
                }
            }
        }
        return .survived
    }

    /// Says which mutant is in effect in every process that begins from now on; 0 for none.
    private func setMutant(_ number: Int, _ mutation: MutationRequest) throws(RunnerError) {
        try onFileSystem("write", mutation.switchFile) {
            try Data("\(number)".utf8).write(to: URL(filePath: mutation.switchFile), options: .atomic)
        }
    }
}
