import Application
import Gate
import Repository
import SettingsFile

extension PackageOptions {
    /// What to try outside of git, where the command is about commits.
    private static let hintOutsideOfGit = "name the folder of a package in a repository with --package-path"

    /// The repository around the package, and the package's folder.
    ///
    /// - Parameter hint: What to try outside of git.
    func repository(
        _ process: ProcessContext, hint: String = Self.hintOutsideOfGit
    ) async throws -> (repository: GitRepository, root: String) {
        let root = process.real(packagePath)
        let environment = GitEnvironment(process.environment)
        guard let repository = try await GitRepository.discover(at: root, environment: environment) else {
            throw Problem(.usage, "\(root) is not in a git repository", hint: hint)
        }
        return (repository, root)
    }

    /// What judges the trees of that repository.
    ///
    /// - Parameter hint: What to try outside of git.
    func judge(
        _ checkpoint: Checkpoint, flags: SettingsFlags = SettingsFlags(), hint: String = Self.hintOutsideOfGit
    ) async throws -> TreeJudge {
        let found = try await repository(checkpoint.process, hint: hint)
        return TreeJudge(
            process: checkpoint.process, checkpoint: checkpoint, repository: found.repository,
            subpath: try await found.repository.packageSubpath(of: found.root), flags: flags)
    }
}
