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
            // A link leads to a source that is listed itself, or to a file of somebody else.
            guard isNoLink(file), let bytes = FileManager.default.contents(atPath: file) else { continue }
            var found: MutatedSource?
            // What a slash begins depends on the version; a target's own is not told.
            for version in ["6", "5"] where found == nil {
                let captured = CapturedOutput()
                let command = TestInvocation.syntax(
                    of: file, version: version, tools: tools, packageRoot: request.package.root,
                    environment: environment.variables)
                let outcome = try await step(.describe, command, limit: .seconds(60), captured)
                if outcome.cause == .cancelled { throw .interrupted }
                guard outcome.termination.isSuccess, !captured.isCut else { continue }
                found = MutatedSource(path: path.text, source: Array(bytes), changed: lines, syntax: captured.output)
            }
            guard var source = found else {
                report.unreadable.append(path.text)
                continue
            }
            number = source.number(from: number)
            sources.append(source)
        }
        return sources
    }

    private func isNoLink(_ file: String) -> Bool {
        guard let real = realpath(file, nil) else { return false }
        defer { free(real) }
        return Name(String(cString: real)) == Name(file)
    }

    /// Builds with all mutants that compile: what the compiler complains of is taken away.
    private mutating func build(
        _ sources: inout [MutatedSource], _ mutation: MutationRequest, _ modules: [Module],
        _ invocation: TestInvocation,
        _ report: inout MutationReport
    ) async throws(RunnerError) {
        progress(.began(.build))
        let begin = clock.now
        let marking = Set(modules.filter(marksImports).flatMap(\.sourcePaths).map { Name($0) })
        var log = ""
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
            log = String(decoding: captured.output, as: UTF8.self)
            let errors = CompilerErrors(output: log).lines
            var found = false
            for index in sources.indices {
                let file = "\(request.package.root)/\(sources[index].path)"
                let lines = errors.first { Name($0.key) == Name(file) }?.value ?? []
                let suspects = sources[index].suspects(of: lines)
                found = found || !suspects.isEmpty
                remove(suspects, from: &sources[index], &report)
            }
            if found { continue }
            // The compiler does not say which of them it is.
            guard sources.contains(where: { !$0.mutants.isEmpty }) else { break }
            for index in sources.indices {
                remove(Set(sources[index].mutants.map(\.number)), from: &sources[index], &report)
            }
        }
        progress(.buildFailed(clock.now - begin))
        throw .notMutable(reason: "the package does not build", detail: Self.lastLines(log))
    }

    private func remove(_ numbers: Set<Int>, from source: inout MutatedSource, _ report: inout MutationReport) {
        report.entries += source.mutants.filter { numbers.contains($0.number) }.map { mutant in
            MutationReport.Entry(mutant: mutant, outcome: .notCompiled)
        }
        source.remove(numbers)
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
            if isCancelled { throw .interrupted }
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
            if number == passes.indices.last { failing.formUnion(report.unfinished) }
        }
        return failing
    }

    private mutating func tryInOrder(
        _ trials: [MutantTrial], _ mutation: MutationRequest, _ invocation: TestInvocation,
        _ report: inout MutationReport
    ) async throws(RunnerError) {
        let end = clock.now + mutation.budget
        var innocent = InnocentCommands()
        for (index, trial) in MutantTrial.inOrder(trials).enumerated() {
            var entry = MutationReport.Entry(mutant: trial.mutant, outcome: .notTried, tests: trial.tests.count)
            if !isCancelled, clock.now < end {
                progress(.triedMutants(index, of: trials.count))
                try setMutant(trial.mutant.number, mutation)
                entry.outcome = try await outcome(of: trial, mutation, invocation, &innocent)
                try setMutant(0, mutation)
                if entry.outcome == .survived { progress(.mutantSurvived(trial.mutant)) }
            }
            report.entries.append(entry)
        }
        report.failing += innocent.guilty.map { $0.joined(separator: " ") }.sorted()
    }

    /// Which commands pass without a mutant, so that it is the mutant that made one fail.
    private struct InnocentCommands {
        /// By their arguments.
        var known: [[String]: Bool] = [:]

        /// Those that fail anyway: tests that pass only among others, or a process that does not end in order.
        var guilty: [[String]] { known.filter { !$0.value }.map(\.key) }
    }

    private func outcome(
        of trial: MutantTrial, _ mutation: MutationRequest, _ invocation: TestInvocation,
        _ innocent: inout InnocentCommands
    ) async throws(RunnerError) -> MutationReport.Outcome {
        var hasPassed = false
        for part in trial.parts(mutation.tests.duration) {
            let expected = part.reduce(Duration.zero) { $0 + mutation.tests.duration(of: $1.id) }
            for plan in PassPlan.plans(.first, part) {
                for command in invocation.testOfMutant(plan) where innocent.known[command.arguments] != false {
                    let outcome = try await run(command, expected)
                    if outcome != .survived, outcome != .notTried, innocent.known[command.arguments] == nil {
                        try setMutant(0, mutation)
                        let without = try await run(command, expected)
                        try setMutant(trial.mutant.number, mutation)
                        if without == .notTried { return .notTried }
                        innocent.known[command.arguments] = without == .survived
                        if without != .survived { continue }
                    }
                    if outcome != .survived { return outcome }
                    hasPassed = true
                }
            }
        }
        return hasPassed ? .survived : .undecided
    }

    /// Runs a process with tests; `.survived` where it ends in order, `.notTried` where somebody cancels it.
    private func run(
        _ command: ChildCommand, _ expected: Duration
    ) async throws(RunnerError) -> MutationReport.Outcome {
        // A condition that is negated may never end.
        let limits = Supervision.Limits(run: .seconds(10) + expected * 4, grace: .seconds(1))
        let outcome = try await ChildProcess(command, limits: limits, mergesStreams: true, isolation: isolation)
            .run(CapturedOutput(limit: 0))
        if outcome.cause == .cancelled { return .notTried }
        if outcome.wasTimedOut { return .timedOut }
        return switch outcome.termination {
        case .exited(0): .survived
        case .exited: .failed
        case .signaled: .crashed
        }
    }

    /// Says which mutant is in effect in every process that begins from now on; 0 for none.
    private func setMutant(_ number: Int, _ mutation: MutationRequest) throws(RunnerError) {
        try onFileSystem("write", mutation.switchFile) {
            try Data("\(number)".utf8).write(to: URL(filePath: mutation.switchFile), options: .atomic)
        }
    }
}
