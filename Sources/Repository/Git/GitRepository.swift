/// A git repository as seen from one of its folders.
public struct GitRepository: Sendable {
    /// The folder of this work tree's own data, absolute: `.git`, or `.git/worktrees/NAME` of a linked one.
    public let gitDirectory: String
    /// The folder that all work trees share, absolute.
    public let commonDirectory: String
    /// The top of the work tree, absolute; `nil` in a bare repository.
    public let workTree: String?

    let git: Git
    let known = RepositoryCache()
    let objects: ObjectReader

    private init(gitDirectory: String, commonDirectory: String, workTree: String?, git: Git) {
        self.gitDirectory = gitDirectory
        self.commonDirectory = commonDirectory
        self.workTree = workTree
        self.git = git
        objects = ObjectReader(git, options: Self.options(gitDirectory, workTree))
    }

    /// Finds the repository that a folder belongs to; `nil` when there is none.
    ///
    /// - Parameters:
    ///   - path: A folder.
    ///   - environment: The variables that this process inherited.
    ///   - inHook: Whether git started this process as a hook, so that its variables name the repository.
    /// - Throws: Any other error of git, also for a repository of another user.
    public static func discover(
        at path: String,
        environment: GitEnvironment,
        inHook: Bool = false
    ) async throws(GitError) -> GitRepository? {
        let git = Git(environment: environment)
        var options: [GitArgument] = ["-C", GitArgument(path)]
        func ask(_ question: GitArgument...) async throws(GitError) -> GitOutput {
            try await git.run(
                "rev-parse",
                ["--path-format=absolute"] + question,
                options: options,
                scope: inHook ? .hook : .anywhere
            )
        }

        // Four answers of one process, one on each line. If the output has another form (a name with a line feed, a
        // bare repository, no repository), each question is asked by itself.
        let all = try await ask("--absolute-git-dir", "--git-common-dir", "--is-inside-work-tree", "--show-toplevel")
        let lines = all.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if all.status == 0, lines.count == 5, lines[4].isEmpty, lines[2].elementsEqual("true".utf8) {
            return GitRepository(
                gitDirectory: try folder(Array(lines[0])), commonDirectory: try folder(Array(lines[1])),
                workTree: try folder(Array(lines[3])), git: git)
        }
        var answer = try await ask("--absolute-git-dir")
        if answer.status != 0, answer.message.contains("safe.bareRepository") {
            // Then git takes a repository without a work tree only where somebody names it, as was done here.
            options.append("--git-dir=.")
            answer = try await ask("--absolute-git-dir")
        }
        guard answer.status == 0 else {
            // Without the parenthesis the message is about a broken `.git` file, which does not mean "outside of
            // git".
            if answer.message.hasPrefix("fatal: not a git repository (or any") {
                // Git passes over a `.git` folder that is damaged, which is not outside of git either.
                guard !answer.message.contains("up to mount point"), !environment.endsSearch,
                    let place = FileContent.real(Array(path.utf8)),
                    let top = Self.top(around: String(decoding: place, as: UTF8.self))
                else { return nil }
                throw .failed(
                    command: "rev-parse", status: answer.status,
                    message: "\(top)/.git is no git repository, or a damaged one")
            }
            if answer.message.contains("dubious ownership") {
                throw .dubiousOwnership(directory: path, message: answer.message)
            }
            throw .failed(command: "rev-parse", status: answer.status, message: answer.message)
        }
        let common = try await ask("--git-common-dir").checked("rev-parse")
        let isInside = try await ask("--is-inside-work-tree").checked("rev-parse").text == "true"
        let top = isInside ? try await ask("--show-toplevel").checked("rev-parse") : nil
        return GitRepository(
            gitDirectory: try folder(answer.line),
            commonDirectory: try folder(common.line),
            workTree: try top.map { output throws(GitError) in try folder(output.line) },
            git: git
        )
    }

    /// The folder where git looks for hooks, absolute; it need not exist. Honors `core.hooksPath` and linked work trees.
    func hooksDirectory() async throws(GitError) -> String {
        let answer = try await run(
            "rev-parse",
            ["--path-format=absolute", "--git-path", "hooks"],
            keepsHooksPath: true
        )
        return try Self.folder(answer.checked("rev-parse").line)
    }

    /// The path of a folder below the top of the work tree: empty for the top, else without a slash at its end.
    public func subpath(of folder: String) async throws(GitError) -> String {
        // The top is known.
        if folder == workTree { return "" }
        let answer = try await git.run("rev-parse", ["--show-prefix"], options: ["-C", GitArgument(folder)])
        let prefix = try Self.folder(answer.checked("rev-parse").line)
        return prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix
    }

    /// Runs a command on this repository, regardless of folder and variables.
    func run(
        _ command: String,
        _ arguments: [GitArgument] = [],
        scope: GitEnvironment.Scope = .anywhere,
        adding variables: [String: String] = [:],
        input: [UInt8] = [],
        keepsHooksPath: Bool = false
    ) async throws(GitError) -> GitOutput {
        try await git.run(
            command,
            arguments,
            options: Self.options(gitDirectory, workTree),
            scope: scope,
            adding: variables,
            input: input,
            keepsHooksPath: keepsHooksPath
        )
    }

    /// The options that name the repository.
    private static func options(_ gitDirectory: String, _ workTree: String?) -> [GitArgument] {
        ["-C", GitArgument(workTree ?? gitDirectory), "--git-dir=\(gitDirectory)"]
            + (workTree.map { ["--work-tree=\($0)"] } ?? [])
    }

    /// Ends the idle git process; the next query starts another.
    public func rest() { objects.rest() }

    private static func folder(_ bytes: [UInt8]) throws(GitError) -> String {
        let name = GitName(bytes: bytes)
        guard let text = name.text else { throw .folderNotUTF8(shown: name.description) }
        return text
    }
}
