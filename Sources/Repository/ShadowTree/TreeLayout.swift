/// A folder that git checks trees out into, with its own index.
struct TreeLayout: Sendable {
    let program: Git
    /// The repository that has the objects.
    let gitDirectory: String
    /// The user's own work tree of that repository, which is only read; `nil` if there is none.
    let workTree: String?
    /// The folder, absolute.
    let path: String
    /// The file of the index.
    let index: String
}

extension TreeLayout {
    /// Switches off what could make the index wrong, or change files outside of the shadow tree.
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

    /// The same; throws for any status but 0.
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
