extension ShadowTree {
    /// What could make the index lie about the files, or change files that are not the shadow tree's.
    private static let settings: [GitArgument] = [
        "core.sparseCheckout=false", "core.ignoreStat=false", "core.checkStat=default", "core.trustctime=true",
        "core.splitIndex=false", "core.untrackedCache=false", "submodule.recurse=false", "clean.requireForce=true",
    ].flatMap { ["-c", GitArgument($0)] }

    /// Runs git on the shadow tree with its own index.
    borrowing func git(
        _ command: String,
        _ arguments: [GitArgument] = [],
        index: String? = nil,
        input: [UInt8] = []
    ) async throws(ShadowTreeError) -> GitOutput {
        do {
            return try await repository.git.run(
                command,
                arguments,
                options: [
                    "-C", "\(path)", "--git-dir=\(repository.commonDirectory)", "--work-tree=\(path)",
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
    borrowing func checked(
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
