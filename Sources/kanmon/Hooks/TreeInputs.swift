import Evidence
import Foundation
import Repository
import RunModel
import SettingsFile
import TestRunning

/// Determines the inputs of a run of a tree, without starting a compiler.
struct TreeInputs: Sendable {
    let surroundings: Surroundings
    let home: Home
    let repository: GitRepository

    /// The inputs of a run that would begin now.
    func inputs(of tree: ObjectID, subpath: PackageSubpath, settings: Settings) async throws -> RunInputs {
        let toolchain = try await ToolchainLocator(
            environment: surroundings.environment, swiftOverride: settings.swift.value
        ).recall(keeping: home.cache + "/kanmon").toolchain
        // Separated by NUL, which no value can contain.
        let passed = settings.environment.map(\.value).filter { $0.value == nil }.map { variable in
            "\(variable.name)=\(surroundings.environment[variable.name] ?? "\0")"
        }
        let limits = [settings.runTimeout, settings.testTimeout, settings.silenceTimeout]
            .map(\.value.timeLimitDescription)
        return RunInputs(
            toolchain: toolchain,
            package: subpath.folder.isEmpty ? nil : subpath.folder,
            platform: "\(toolchain.target) \(surroundings.operatingSystem)",
            dependencies: try await dependencies(of: tree, subpath: subpath),
            checkout: Digest.sha256(try await repository.checkoutRules()),
            environment: Digest.sha256(Array(passed.joined(separator: "\0").utf8)),
            settings: "engine \(settings.engine.value.rawValue), retries \(settings.retries.value), "
                + "interop \(settings.interop.value.rawValue), undiscovered \(settings.undiscoveredTests.value.rawValue), "
                + "jobs \(settings.jobs.value), limits \(limits.joined(separator: " "))"
        )
    }

    /// The versions that the tree pins, else those that were resolved here the last time.
    private func dependencies(of tree: ObjectID, subpath: PackageSubpath) async throws -> [String]? {
        if let bytes = try await repository.file(at: subpath.path("Package.resolved"), in: tree) {
            return ResolvedVersions(packageResolved: bytes)?.lines
        }
        let root = surroundings.real(subpath.folder(in: ShadowTree.path(in: repository)))
        let scratch = TestRunner.scratchPath(cacheHome: home.cache, packageRoot: root)
        return ResolvedVersions(scratchPath: scratch, packageRoot: root)?.lines
    }
}
