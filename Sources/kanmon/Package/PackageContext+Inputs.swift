import Repository
import RunModel

extension PackageContext {
    /// What a run of the folder as it lies there depends on besides its tree; `nil` unless it holds exactly a tree of git.
    func inputs(of revision: Revision?, home: Home, surroundings: Surroundings) async throws -> RunInputs? {
        guard let repository, revision?.isExact == true, let tree = revision?.tree.flatMap({ ObjectID($0) }) else {
            return nil
        }
        return try await TreeInputs(surroundings: surroundings, home: home, repository: repository)
            .inputs(of: tree, subpath: try await repository.packageSubpath(of: root), settings: settings)
    }
}
