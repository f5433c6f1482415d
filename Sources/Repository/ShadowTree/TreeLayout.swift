/// A folder that git lays trees out in, with an index of its own.
struct TreeLayout: Sendable {
    let program: Git
    /// The repository that has the objects.
    let gitDirectory: String
    /// The user's own work tree of that repository; `nil` when there is none. It is only looked at.
    let workTree: String?
    /// The folder, absolute.
    let path: String
    /// The file of the index.
    let index: String
}

extension TreeLayout {
    /// What could make the index lie about the files, or change files that are not the shadow tree's.
    private static let settings: [GitArgument] = [
        "core.sparseCheckout=false", "core.ignoreStat=false", "core.checkStat=default", "core.trustctime=true",
        "core.splitIndex=false", "core.untrackedCache=false", "submodule.recurse=false", "clean.requireForce=true",
    ].flatMap { ["-c", GitArgument($0)] }

    /// Runs git on the folder with its own index.
    func git(
        _ command: String,
        _ arguments: [GitArgument] = [],
        index: String? = nil,
        input: [UInt8] = []
    ) async throws(ShadowTreeError) -> GitOutput {
        do {
            return try await program.run(
                command,
                arguments,
                options: [
                    "-C", "\(path)", "--git-dir=\(gitDirectory)", "--work-tree=\(path)",
                ] + Self.settings,
                scope: .objects,
                adding: ["GIT_INDEX_FILE": index ?? self.index],
                input: input
            )
        } catch {
            throw .git(error)
        }
    }

    /// The same, where any status but 0 is an error.
    func checked(
        _ command: String,
        _ arguments: [GitArgument] = [],
        index: String? = nil,
        input: [UInt8] = []
    ) async throws(ShadowTreeError) -> GitOutput {
        let output = try await git(command, arguments, index: index, input: input)
        do {
            return try output.checked(command)
        } catch {
            throw .git(error)
        }
    }
}
