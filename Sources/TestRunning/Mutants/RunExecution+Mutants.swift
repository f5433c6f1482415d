import Foundation
import Mutation
import RunModel

extension RunExecution {
    /// Builds the package with all mutants of a change, and runs for each the tests that execute it.
    ///
    /// The sources in the package's folder are changed, so it is none that anybody else uses.
    mutating func mutate(_ mutation: MutationRequest) async throws(RunnerError) -> MutationReport {
        guard request.options.buildSystem == .native else {
            let system = request.options.buildSystem.rawValue
            throw .notMutable(
                reason: "build.system is \(system), and mutants are tried with SwiftPM's own build system", detail: "")
        }
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
        let scripts = Set(measured.flatMap { $0.sourcePaths.filter($0.mayHaveTopLevelCode) }.map { Name($0) })
        var sources: [MutatedSource] = []
        var number = 1
        for (path, lines) in mutation.changed.sorted(by: { $0.key < $1.key }) where known.contains(path) {
            let file = "\(request.package.root)/\(path.text)"
            // A link leads to a source that is listed itself, or to a file of somebody else.
            guard isNoLink(file), let bytes = FileManager.default.contents(atPath: file) else { continue }
            // Its statements may be executed in their order, and the switch that stands at the end would be set by none of them.
            if scripts.contains(path), !bytes.contains(Data("@main".utf8)) { continue }
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

    /// Says which mutant is in effect in every process that begins from now on; 0 for none.
    func setMutant(_ number: Int, _ mutation: MutationRequest) throws(RunnerError) {
        try onFileSystem("write", mutation.switchFile) {
            try Data("\(number)".utf8).write(to: URL(filePath: mutation.switchFile), options: .atomic)
        }
    }
}
