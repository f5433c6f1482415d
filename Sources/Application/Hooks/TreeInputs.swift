import Evidence
import Foundation
import Repository
import RunModel
import SettingsFile
import TestRunning

/// Determines the inputs of a run of a tree, without starting a compiler.
struct TreeInputs: Sendable {
    let process: ProcessContext
    let home: Home
    /// The repository around the package; `nil` outside of git.
    let repository: GitRepository?

    /// The inputs of a run that would begin now.
    ///
    /// - Parameter tree: `nil` for files that are no exact tree, whose dependencies are known only after the build.
    func inputs(of tree: ObjectID?, subpath: PackageSubpath, settings: Settings) async throws -> RunInputs {
        let toolchain = try await ToolchainLocator(
            environment: process.environment, swiftOverride: settings.swift.value
        ).recall(keeping: home.cache + "/kanmon").toolchain.building(settings.build, by: settings.buildSystem.value)
        let variables = TestVariables(
            ChildEnvironment.passed(
                from: process.environment, passing: settings.environment.map { $0.value.entry }))
        let limits = [settings.runTimeout, settings.testTimeout, settings.silenceTimeout]
            .map(\.value.timeLimitDescription)
        return RunInputs(
            toolchain: toolchain,
            package: subpath.folder.isEmpty ? nil : subpath.folder,
            platform: "\(toolchain.target) \(process.operatingSystem)",
            dependencies: try await dependencies(of: tree, subpath: subpath),
            checkout: Digest.sha256(try await repository?.checkoutRules() ?? []),
            environment: variables.environment,
            places: variables.places,
            settings: "engine \(settings.engine.value.rawValue), retries \(settings.retries.value), "
                + "interop \(settings.interop.value.rawValue), undiscovered \(settings.undiscoveredTests.value.rawValue), "
                + "jobs \(settings.jobs.value), limits \(limits.joined(separator: " "))"
        )
    }

    /// The versions that the tree pins, else those that were resolved here the last time.
    private func dependencies(of tree: ObjectID?, subpath: PackageSubpath) async throws -> [String]? {
        guard let repository, let tree else { return nil }
        if let bytes = try await repository.file(at: subpath.path("Package.resolved"), in: tree) {
            return ResolvedVersions(packageResolved: bytes)?.lines
        }
        let root = process.real(subpath.folder(in: ShadowTree.path(in: repository)))
        let scratch = TestRunner.scratchPath(cacheHome: home.cache, packageRoot: root)
        return ResolvedVersions(scratchPath: scratch, packageRoot: root)?.lines
    }
}
