import Foundation
import RunModel

/// Finds the toolchain: `swift` in PATH, all other tools in the same installation.
///
/// LLVM tools in PATH are usually those of the Linux distribution, which cannot read the profiles of this compiler.
public struct ToolchainLocator: Sendable {
    /// The environment that PATH is taken from.
    public var environment: [String: String]
    /// The `swift` to use instead of the first in PATH, an absolute path.
    public var swiftOverride: String?

    package init(environment: [String: String], swiftOverride: String? = nil) {
        (self.environment, self.swiftOverride) = (environment, swiftOverride)
    }

    /// Finds the toolchain and asks it for its versions.
    public func locate() async throws(RunnerError) -> ToolchainInstallation {
        let swift = try findSwift()
        let target = try await targetInformation(of: swift)
        let tools = try tools(of: swift, target)
        return ToolchainInstallation(
            tools: tools,
            toolchain: Toolchain(
                swiftVersion: target.compilerVersion,
                llvmVersion: try await llvmVersion(of: tools.llvmCov),
                target: target.target.triple,
                buildSystem: try await knowsNative(tools.swift) ? .native : nil
            )
        )
    }

    /// Whether SwiftPM takes its own build system by name. Another one has another layout of products, and is the default of later
    /// versions.
    private func knowsNative(_ swift: String) async throws(RunnerError) -> Bool {
        do throws(RunnerError) {
            let help = String(decoding: try await output(of: swift, ["build", "--help-hidden"]), as: UTF8.self)
            return Self.buildSystems(inHelp: help).contains(BuildSystem.native.rawValue)
        } catch .toolchainUnreadable {
            // One that does not explain itself is not asked.
            return false
        }
    }

    /// The words that may follow `--build-system`: those up to the next option.
    static func buildSystems(inHelp help: String) -> Set<String> {
        let lines = help.split(whereSeparator: \.isNewline).drop { !$0.contains("--build-system <") }
        let own = lines.prefix(1) + lines.dropFirst().prefix { !$0.drop { $0 == " " }.hasPrefix("-") }
        let words = own.flatMap { $0.split { !$0.isLetter && !$0.isNumber } }
        return Set(words.map(String.init))
    }

    /// The first `swift` in PATH, with links not resolved, because a proxy depends on the name it is called by.
    public func findSwift() throws(RunnerError) -> String {
        if let swiftOverride {
            guard Self.isProgram(swiftOverride) else { throw .swiftGone(path: swiftOverride) }
            return swiftOverride
        }
        let path = environment["PATH"] ?? ""
        for folder in path.split(separator: ":") where folder.hasPrefix("/") {
            let candidate = "\(folder)/swift"
            if Self.isProgram(candidate) { return candidate }
        }
        throw .swiftNotFound(searched: path)
    }

    /// The same, of a toolchain that works: what is written down for later is a name that an upgrade leads elsewhere, a link or a proxy, and
    /// not the place to which it leads today.
    public func findWorkingSwift() async throws(RunnerError) -> String {
        let swift = try findSwift()
        _ = try await locate()
        return swift
    }

    /// The programs of the installation that `swift` belongs to.
    ///
    /// First the compiler is asked for its resource folder: a `swift` in PATH may be swiftly's proxy or a script,
    /// with no tools or those of the system beside it.
    func tools(of swift: String, _ target: TargetInformation) throws(RunnerError) -> ToolPaths {
        let resources = "\(target.paths.runtimeResourcePath)/../../bin"
        let neighbors = realPath(swift).map { ($0 as NSString).deletingLastPathComponent }
        let folders = [realPath(resources), neighbors].compactMap(\.self)
        var missing = "swift"
        for folder in folders {
            let tools = ToolPaths(directory: folder)
            guard let absent = (tools.all + ["\(folder)/swift-frontend"]).first(where: { !Self.isProgram($0) }) else {
                return tools
            }
            missing = (absent as NSString).lastPathComponent
        }
        throw .toolNotFound(name: missing, directories: folders)
    }

    /// The needed part of the output of `swift -print-target-info`.
    struct TargetInformation: Decodable, Sendable, Hashable {
        struct Target: Decodable, Sendable, Hashable { var triple: String }
        struct Paths: Decodable, Sendable, Hashable { var runtimeResourcePath: String }
        var compilerVersion: String
        var target: Target
        var paths: Paths
    }

    private func targetInformation(of swift: String) async throws(RunnerError) -> TargetInformation {
        let output = try await output(of: swift, ["-print-target-info"])
        do {
            return try JSONDecoder().decode(TargetInformation.self, from: output)
        } catch {
            throw .toolchainUnreadable(tool: swift, detail: "swift -print-target-info printed no target information")
        }
    }

    private func llvmVersion(of tool: String) async throws(RunnerError) -> String {
        let text = String(decoding: try await output(of: tool, ["--version"]), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.contains("LLVM version") }
        guard let line else { throw .toolchainUnreadable(tool: tool, detail: "it told no version") }
        return line.trimmingCharacters(in: .whitespaces)
    }

    private func output(of tool: String, _ arguments: [String]) async throws(RunnerError) -> Data {
        let command = ChildCommand(
            executable: tool, arguments: arguments,
            environment: ChildEnvironment(parent: environment).variables, workingDirectory: "/"
        )
        let captured = CapturedOutput(limit: 1 << 20)
        let outcome = try await ChildProcess(command, limits: .init(run: .seconds(60)), mergesStreams: false).run(
            captured)
        if outcome.cause == .cancelled { throw .interrupted }
        guard outcome.termination.isSuccess else {
            let said = captured.errorText.trimmingCharacters(in: .whitespacesAndNewlines)
            throw .toolchainUnreadable(tool: tool, detail: said.isEmpty ? "\(outcome.termination)" : said)
        }
        return captured.output
    }

    private static func isProgram(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
