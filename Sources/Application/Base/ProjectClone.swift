import Evidence
import Foundation
import Gate
import Repository
import Storage

/// Finds the clone of a project on this machine: that of the latest run that was made here and whose package still exists at its path.
///
/// A run that was delivered names a folder of another machine, or one into which its sender has put a repository: git does what the
/// configuration of a repository says.
struct ProjectClone: Sendable {
    private let store: RunStore
    private let process: ProcessContext

    /// How many runs are searched.
    private static let mostRuns = 20

    init(_ store: RunStore, process: ProcessContext) { (self.store, self.process) = (store, process) }

    /// The repository and the folder of the package in it; `nil` where no repository is left.
    func find(_ project: String) async throws -> (repository: GitRepository, package: String)? {
        // Nothing is fetched, whatever the repository says of where it comes from.
        let variables = process.environment.merging(["GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": ""]) { $1 }
        let environment = GitEnvironment(variables)
        let runs = process.real("\((store.path as NSString).deletingLastPathComponent)/runs")
        var asked: Set<String> = []
        for run in try store.ownRuns(of: project, limit: Self.mostRuns) {
            guard let folder = run.runDirectory,
                let manifest = try? RunDirectory(path: folder).manifest(),
                asked.insert(manifest.packageRoot).inserted,
                // Files that somebody else wrote lie there.
                !"\(process.real(manifest.packageRoot))/".utf8.starts(with: "\(runs)/".utf8),
                FileManager.default.fileExists(atPath: manifest.packageRoot)
            else { continue }
            if let found = try await GitRepository.discover(at: manifest.packageRoot, environment: environment) {
                return (found, manifest.packageRoot)
            }
        }
        return nil
    }
}
