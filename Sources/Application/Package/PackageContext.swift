import Foundation
package import Gate
package import Repository
package import RunModel
package import SettingsFile
package import TestRunning

/// A package as a command meets it: its folder, its settings, the repository around it, the project it belongs to.
package struct PackageContext: Sendable {
    /// The package's folder, links resolved.
    package let root: String
    /// The settings, with where each value came from.
    package var settings: Settings
    /// The repository around the package; `nil` outside of git.
    package let repository: GitRepository?
    /// The project's name, stable over clones.
    package let project: String

    /// Looks at the folder given.
    ///
    /// - Throws: `Problem` when there is no package, or its settings are wrong.
    package static func load(
        _ path: String, flags: SettingsFlags = SettingsFlags(), process: ProcessContext
    ) async throws -> PackageContext {
        let root = process.real(path)
        guard FileManager.default.fileExists(atPath: root + "/Package.swift") else {
            throw Problem(
                .usage, "there is no Package.swift in \(root)", hint: NestedPackages.hint(for: root))
        }
        let settings = try SettingsLoader(process: process).load(packageRoot: root, flags: flags)
        let repository = try await GitRepository.discover(
            at: root, environment: GitEnvironment(process.environment))
        let project = try await ProjectName.find(
            chosen: settings.project.value,
            manifest: FileManager.default.contents(atPath: root + "/Package.swift").map(Array.init),
            folder: root, repository: repository,
            subpath: try await repository?.packageSubpath(of: root) ?? PackageSubpath())
        return PackageContext(root: root, settings: settings, repository: repository, project: project)
    }

    /// What a run of the package as it lies there is compared with; `nil` outside of git.
    package func baseline(
        _ revision: Revision?, named base: String?, checkpoint: Checkpoint
    ) async throws -> BaselineFinder.Finding? {
        guard let repository else {
            guard let base else { return nil }
            throw Problem(
                .usage, "\(root) is not in a git repository, so that there is no '\(base)'", hint: "leave out --base")
        }
        var finder = try await self.finder(in: repository, checkpoint)
        finder.recorded = revision?.attempt == nil ? revision?.branch : nil
        return try await finder.find(head(revision), named: base)
    }

    /// The folder as it lies there, of which `revision` is known.
    private func head(_ revision: Revision?) -> BaselineFinder.Head {
        .workingCopy(folder: root, of: revision?.commit.flatMap { ObjectID($0) }, isCommit: revision?.isExact == true)
    }

    /// The revision with where its commit stands among others, and whether it is only tried against a base that somebody named.
    package func placed(_ revision: Revision?, named base: String?, checkpoint: Checkpoint) async throws -> Revision? {
        guard let repository, var revision, let commit = revision.commit.flatMap({ ObjectID($0) }), revision.isExact
        else { return revision }
        revision.history = try await repository.history(of: commit)
        if base != nil, try await finder(in: repository, checkpoint).isOnDefaultBranch(head(revision)) {
            revision.attempt = .otherBase
        }
        if settings.namesBuild { revision.attempt = .otherBuild }
        return revision
    }

    /// Which lines of a run changed since its base, where there is one.
    package func comparison(
        _ revision: Revision?, completing baseline: inout Baseline?, isNamed: Bool, checkpoint: Checkpoint
    ) async throws -> (comparison: ChangeComparison?, notes: [Note]) {
        guard let repository else { return (nil, []) }
        return try await finder(in: repository, checkpoint)
            .comparison(of: revision, completing: &baseline, by: settings.policy, isNamed: isNamed)
    }

    /// Who finds the authors of lines at which tests of the folder fail; `nil` outside of git.
    package func authors(of revision: Revision?, _ baseline: Baseline?) async throws -> AuthorFinder? {
        guard let repository else { return nil }
        return AuthorFinder(
            repository: repository, subpath: try await repository.packageSubpath(of: root), root: root,
            revision: revision, owners: baseline?.owners, policy: settings.policy)
    }

    /// Who finds out why tests of the folder fail; `nil` outside of git.
    package func causes(
        _ baseline: Baseline?, _ comparison: ChangeComparison?, checkpoint: Checkpoint
    ) async throws -> CauseFinder? {
        guard let repository else { return nil }
        return CauseFinder(
            process: checkpoint.process, home: checkpoint.home, repository: repository,
            subpath: try await repository.packageSubpath(of: root), project: project, root: root, isLaidOut: false,
            settings: settings, baseline: baseline, changes: comparison?.changes)
    }

    private func finder(in repository: GitRepository, _ checkpoint: Checkpoint) async throws -> BaselineFinder {
        BaselineFinder(
            process: checkpoint.process, home: checkpoint.home, repository: repository,
            subpath: try await repository.packageSubpath(of: root), project: project,
            swiftOverride: settings.swift.value)
    }

    /// The name and the targets of the package, as SwiftPM describes them.
    package func describe(_ process: ProcessContext, home: Home) async throws -> PackageDescription {
        try await PackageDescription.asking(
            packageRoot: root,
            scratchPath: TestRunner.scratchPath(cacheHome: home.cache, packageRoot: root),
            parentEnvironment: process.environment,
            swiftOverride: settings.swift.value
        )
    }

    /// The absolute path of the `swift` that runs use; links are kept.
    package func swift(_ process: ProcessContext) async throws -> String {
        let locator = ToolchainLocator(environment: process.environment, swiftOverride: settings.swift.value)
        return process.absolute(try await locator.findWorkingSwift())
    }
}
