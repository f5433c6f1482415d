import Foundation
import RunModel

extension RunExecution {
    /// The local packages that a package depends on, directly or indirectly, ordered by path.
    ///
    /// Their descriptions are cached like that of the package itself. A package that SwiftPM cannot describe is
    /// listed without modules, because a run should not fail for code that it does not measure.
    mutating func findLocalPackages(
        of package: PackageDescription, _ tools: ToolPaths
    ) async -> [LocalPackage] {
        var seen: Set<String> = [request.package.root]
        var rest = package.localDependencies
        var found: [LocalPackage] = []
        while let folder = rest.popLast() {
            guard seen.insert(folder).inserted, !isCancelled else { continue }
            let description = await describe(localPackage: folder, tools)
            rest += description?.localDependencies ?? []
            found.append(
                LocalPackage(
                    path: LocalPackage.relativePath(of: folder, to: request.package.root),
                    modules: description.map(Self.codeModules)))
        }
        return found.sorted { Name($0.path) < Name($1.path) }
    }

    private static func codeModules(of package: PackageDescription) -> [String] {
        package.modules.filter { module in
            switch module.kind {
            case .library, .executable, .macro: !module.sources.isEmpty
            case .test, .plugin, .snippet, .binary, .systemLibrary: false
            }
        }.map(\.name)
    }

    private mutating func describe(localPackage folder: String, _ tools: ToolPaths) async -> PackageDescription? {
        let scratchPath = "\(request.scratchPath)/kanmon-local"
        let isEvaluated = await evaluateManifest(in: folder, tools)
        let command = TestInvocation.describe(
            tools: tools, packageRoot: folder, scratchPath: scratchPath, environment: environment.buildVariables,
            manifestMark: manifestDigests[Name(folder)])
        var name = PiecewiseHash()
        name.add(folder.utf8)
        try? FileManager.default.createDirectory(atPath: scratchPath, withIntermediateDirectories: true)
        let memory = PackageCache(
            scratchPath: scratchPath, packageRoot: folder, command: command, fileName: "\(name.hexadecimal).json")
        let key = isEvaluated ? memory.key() : nil
        if let known = key.flatMap(memory.recall) { return known }
        let captured = CapturedOutput()
        let limits = Supervision.Limits(
            run: min(.seconds(120), timeLeft), silence: nil, grace: request.options.limits.grace)
        let outcome = try? await ChildProcess(command, limits: limits, mergesStreams: false, isolation: isolation)
            .run(captured)
        guard outcome?.termination.isSuccess == true,
            let description = try? PackageDescription(json: captured.output)
        else { return nil }
        if let key { memory.remember(captured.output, description, key: key) }
        return description
    }
}
