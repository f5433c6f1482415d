import Gate
import Repository

extension SettingsLoader {
    /// The bytes of a settings file of a commit or tree; `nil` when there is none.
    ///
    /// - Throws: `Problem` for a link that leads out of the tree or to nothing: its target may exist in a working
    ///   copy, but not in the tree.
    func bytes(at path: String, in tree: ObjectID, of repository: GitRepository) async throws -> [UInt8]? {
        if let bytes = try await repository.file(at: path, in: tree) { return bytes }
        guard await repository.isStrayLink(at: path, in: tree) else { return nil }
        throw Problem(
            .badConfiguration, "\(path) is a symbolic link that leads to no file of the repository",
            hint: "commit the file itself, or a link to a file of the repository")
    }
}
