public import CodeCoverage
public import Evidence
import Foundation
public import RunModel

/// Why the public declarations of a module are unknown.
public struct SymbolsUnavailable: Error, Sendable, Hashable, CustomStringConvertible {
    /// A fragment in lower case; may contain text of a tool.
    public let description: String

    init(_ reason: String) { description = reason }
}

/// Gets the public declarations of a module from the toolchain of its run.
///
/// This happens later and only on request. So it must be proven that the module is still the tested one, not written
/// since the run ended.
public struct SymbolExtraction: Sendable {
    private let run: RunManifest
    private let parentEnvironment: [String: String]

    /// Reads the paths of tools and products from the manifest of a run.
    public init(of run: RunManifest, parentEnvironment: [String: String]) {
        (self.run, self.parentEnvironment) = (run, parentEnvironment)
    }

    /// The graphs of a module: its own, and one for each other module whose types it extends.
    public func graphs(of module: Module) async throws(SymbolsUnavailable) -> [SymbolGraph] {
        if run.merge != nil { throw SymbolsUnavailable("the run is merged of shards, whose products are elsewhere") }
        guard let scratch = run.scratchPath, let tools = run.toolFolder else {
            throw SymbolsUnavailable("the run exported no coverage of a build of its own")
        }
        let compilation = try Compilation.of(module.compilerName, in: "\(scratch)/debug/description.json")
        let tool = "\(tools)/swift-symbolgraph-extract"
        guard FileManager.default.isExecutableFile(atPath: tool) else {
            throw SymbolsUnavailable("the toolchain of the run has no \(tool)")
        }
        let folder = FileManager.default.temporaryDirectory.path + "/kanmon-symbols-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do throws(RunnerError) {
            try makeDirectory(folder)
            try await extract(compilation, with: tool, into: folder)
        } catch {
            throw SymbolsUnavailable("\(error)")
        }
        // Checked last, so that a build that began meanwhile is noticed too.
        try prove(compilation.moduleOutputPath)
        return try Self.read(folder)
    }

    private func extract(_ compilation: Compilation, with tool: String, into folder: String) async throws(RunnerError) {
        let command = ChildCommand(
            executable: tool,
            arguments: compilation.extraction + ["-output-dir", folder],
            environment: ChildEnvironment(parent: parentEnvironment).variables
                .merging(["LLVM_PROFILE_FILE": "/dev/null"]) { $1 },
            workingDirectory: folder
        )
        let captured = CapturedOutput(limit: 1 << 20)
        let outcome = try await ChildProcess(command, limits: .init(run: .seconds(60)), mergesStreams: false)
            .run(captured)
        if outcome.cause == .cancelled { throw .interrupted }
        guard outcome.termination.isSuccess else {
            throw .toolchainUnreadable(
                tool: tool, detail: CoverageComplaints.summary(captured.errorText, outcome.termination))
        }
    }

    /// Proves that the module is the one of the run.
    private func prove(_ path: String) throws(SymbolsUnavailable) {
        var info = stat()
        guard stat(path, &info) == 0 else { throw SymbolsUnavailable("\(path) is gone, which the run built") }
        let written = TimeInterval(info.st_mtim.tv_sec) + TimeInterval(info.st_mtim.tv_nsec) / 1e9
        let end = run.startedAt.timeIntervalSince1970 + run.duration / .seconds(1)
        guard written <= end else {
            throw SymbolsUnavailable("\(path) was written after the run: run it again")
        }
    }

    private static func read(_ folder: String) throws(SymbolsUnavailable) -> [SymbolGraph] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".symbols.json") }
                .sorted().map { name in
                    try SymbolGraph(json: Data(contentsOf: URL(filePath: "\(folder)/\(name)")), file: name)
                }
        } catch {
            throw SymbolsUnavailable("\(error)")
        }
    }
}

extension RunManifest {
    /// The folder of the build products.
    fileprivate var scratchPath: String? {
        for arguments in self.steps.map(\.arguments) {
            guard let flag = arguments.firstIndex(of: "--scratch-path"), flag + 1 < arguments.count else { continue }
            return arguments[flag + 1]
        }
        // A run without a build and with the engine `direct` names the folder only in its list of objects.
        return objectList.map { (($0 as NSString).deletingLastPathComponent as NSString).deletingLastPathComponent }
    }

    /// The list of the object files, in a folder below the build products.
    private var objectList: String? {
        if let coverage = self.coverage { return coverage.objects }
        let word = self.steps.first { $0.kind == .export }?.arguments.first { $0.hasPrefix("@") }
        return word.map { String($0.dropFirst()) }
    }

    /// The folder of the toolchain's programs.
    fileprivate var toolFolder: String? {
        self.coverage?.tools
            ?? self.steps.first { $0.kind == .export }?.arguments.first.map {
                ($0 as NSString).deletingLastPathComponent
            }
    }
}

/// The compilation of a module, from the records of SwiftPM's native build system.
struct Compilation: Sendable, Hashable, Decodable {
    /// The module as others import it.
    let moduleOutputPath: String
    private let moduleName: String
    private let importPath: String
    private let otherArguments: [String]

    /// Finds the compilation of a module in a build's `description.json`.
    static func of(_ module: String, in path: String) throws(SymbolsUnavailable) -> Compilation {
        struct Description: Decodable { let swiftCommands: [String: Compilation] }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw SymbolsUnavailable("\(path) is gone, in which the build of the run is described")
        }
        guard let description = try? JSONDecoder().decode(Description.self, from: bytes) else {
            throw SymbolsUnavailable("\(path) describes the build in no way that is known")
        }
        // Modules for macros and plugins are compiled a second time for the host; their public names are the same.
        let found = description.swiftCommands.sorted { $0.key < $1.key }.map(\.value)
            .filter { Name($0.moduleName) == Name(module) }
        guard let own = found.first(where: { !$0.importPath.hasSuffix("-tool") }) ?? found.first else {
            throw SymbolsUnavailable("\(path) has no module '\(module)'")
        }
        return own
    }

    /// The arguments to extract symbols of the module: only its imports must be found.
    var extraction: [String] {
        var arguments = ["-module-name", moduleName, "-I", importPath]
        var rest = otherArguments[...]
        while let flag = rest.popFirst() {
            if Self.kept.contains(flag), let value = rest.popFirst() { arguments += [flag, value] }
        }
        return arguments + ["-minimum-access-level", "public", "-skip-synthesized-members"]
    }

    /// Search paths of headers and modules.
    private static let kept: Set<String> = [
        "-F", "-Fsystem", "-I", "-Isystem", "-Xcc", "-module-cache-path", "-resource-dir", "-sdk", "-swift-version",
        "-target",
    ]
}
