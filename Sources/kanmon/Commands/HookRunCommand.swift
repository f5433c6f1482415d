import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import Repository
import RunModel

/// `kanmon hook run`: called by the hooks; judges the exact tree that is pushed or committed.
struct HookRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Judge a push or commit; git calls this.",
        shouldDisplay: false
    )

    @Argument(help: "The hook.") var hook: HookKind
    @Argument(help: "The arguments that git passes to the hook.") var arguments: [String] = []
    @Option(
        name: .customLong("package-path"),
        help: ArgumentHelp(
            "The folder of a package; may be repeated. By default the top of the repository.", valueName: "dir"))
    var packages: [String] = ["."]
    @OptionGroup var store: StoreOptions
    @OptionGroup var freshness: FreshOption
    @OptionGroup var verbosity: VerboseOption
    @OptionGroup var server: HookRunServerOptions

    func run() async throws {
        let process = ProcessContext.current
        let environment = GitEnvironment(process.environment)
        // Git runs hooks at the top of the work tree.
        let found = try await GitRepository.discover(
            at: process.workingDirectory, environment: environment, inHook: true)
        guard let repository = found else {
            throw Problem(
                .usage, "\(process.workingDirectory) is not in a git repository",
                hint: "run it at the top of a work tree, as git does")
        }
        let home = store.home(process)
        var delivery = RunDelivery(process: process, home: home)
        delivery.isVerbose = verbosity.isOn(process)
        let checkpoint = Checkpoint(process: process, home: home, delivery: delivery)
        var judges = packages.map { package in
            TreeJudge(
                process: process, checkpoint: checkpoint, repository: repository,
                subpath: PackageSubpath(package == "." ? "" : package), isFresh: freshness.fresh,
                isVerbose: verbosity.isOn(process))
        }
        if !freshness.fresh {
            let server = ServerVerdicts(asked(delivery), timeout: .seconds(2))
            for index in judges.indices { judges[index].server = server }
        }
        do {
            try await run(judges)
        } catch {
            // Whoever waits for the hook waits for its verdict: what is not delivered now, a later command sends.
            try await delivery.deliver(isEnding: error is SignalEnding)
            throw error
        }
        // After a commit nobody is to wait for anything.
        if hook != .postCommit { try await delivery.deliver() }
    }

    /// The server that is asked for verdicts. The hook of a server ignores variables here, because a pusher may set
    /// them.
    private func asked(_ delivery: RunDelivery) -> RunDelivery {
        guard HookKind.servers.contains(hook) else { return delivery }
        let own = delivery.process
        let process = ProcessContext(
            environment: own.environment.filter { !$0.key.hasPrefix("KANMON_") },
            workingDirectory: own.workingDirectory, arguments: own.arguments)
        return RunDelivery(process: process, home: delivery.home)
    }

    /// Runs the hook for each package.
    private func run(_ judges: [TreeJudge]) async throws {
        guard let judge = judges.first else { return }
        let refs = try await refs(judge.repository)
        guard judges.count > 1 else { return try await run(judge, refs, others: []) }
        var packages = SeveralPackages(passes: "may pass")
        for judge in judges {
            let others = judges.map(\.subpath.folder).filter { Name($0) != Name(judge.subpath.folder) }
            if hook != .postCommit { StandardStreams.tell("kanmon: \(judge.words)") }
            try await packages.judge(judge.words) {
                try await run(judge, refs, others: others)
                return nil
            }
        }
        guard hook != .postCommit else { return }
        packages.tell()
        try packages.conclude()
    }

    /// What is pushed; none for the hooks of commits. Standard input can be read only once.
    private func refs(_ repository: GitRepository) async throws -> [PushedRef] {
        switch hook {
        case .preCommit, .postCommit: return []
        case .prePush:
            var refs = try PrePush(standardInput: Self.standardInput()).refs
            if refs.isEmpty { refs = try await repository.refsFromPreCommitFramework() }
            if refs.isEmpty { refs = try await Self.unnamed(to: arguments.first, in: repository) }
            return refs
        case .preReceive, .update:
            let named =
                hook == .update
                ? [try ServerPush.ref(arguments: arguments)] : try ServerPush.refs(standardInput: Self.standardInput())
            // A push to a symbolic ref moves another one.
            return try await repository.resolvingSymbolicRefs(named)
        }
    }

    private func run(_ judge: TreeJudge, _ refs: [PushedRef], others: [String]) async throws {
        let unchanged = UnchangedPackage(judge: judge, others: others)
        switch hook {
        case .preCommit:
            if !others.isEmpty,
                let passed = try await unchanged.passed(before: TreeJudge.Subject.named(nil, in: judge.repository))
            {
                return StandardStreams.tell("kanmon: \(passed.words)")
            }
            try await CommitHook(judge: judge).run()
        case .postCommit:
            try await CommitHook(judge: judge).noteCommit()
        case .prePush:
            for commit in try await Self.commits(of: refs, by: judge) {
                let subject = TreeJudge.Subject(tree: commit.tree, revision: commit.revision, head: .pushed(commit))
                if let passed = try await unchanged.passed(before: subject) {
                    StandardStreams.tell("kanmon: \(passed.words)")
                    continue
                }
                let answer = try await judge.judge(subject)
                try judge.show(answer, of: subject)
                try answer.conclude()
            }
        case .preReceive, .update:
            let options = try server.read(home: judge.checkpoint.home.path)
            var needed: [PushedRef] = []
            for ref in refs {
                if try await judge.isProtected(ref, by: options.protected) {
                    needed.append(ref)
                } else {
                    StandardStreams.tell(
                        "kanmon: \(TerminalText.safe(ref.remoteName.description)) needs no verdict here: it is not protected"
                    )
                }
            }
            try await ServerHook(judge: judge, options: options)
                .judge(try await Self.commits(of: needed, by: judge))
        }
    }

    /// The commits of a push to judge; prints a message for the others.
    private static func commits(of refs: [PushedRef], by judge: TreeJudge) async throws -> [PushedTrees.Commit] {
        let pushed = try await judge.repository.pushedTrees(refs)
        pushed.skipped.forEach { StandardStreams.tell("kanmon: \(TerminalText.safe($0.description))") }
        var commits: [PushedTrees.Commit] = []
        for commit in pushed.commits {
            let refs = commit.refs.map { TerminalText.safe($0.remoteName.description) }.joined(separator: ", ")
            let name = "\(commit.commit.hexadecimal.prefix(12)) for \(refs)"
            if try await judge.concerns(commit) {
                StandardStreams.tell("kanmon: judging \(name)")
                commits.append(commit)
            } else {
                StandardStreams.tell(
                    "kanmon: \(name) has no package, and neither have the commits that it replaces and comes from: nothing to judge"
                )
            }
        }
        return commits
    }

    /// The commit to judge if git named no ref: the one checked out, unless the remote already has it.
    private static func unnamed(to remote: String?, in repository: GitRepository) async throws -> [PushedRef] {
        let refs = try await repository.refsOfUnnamedPush(to: remote)
        let consequence =
            refs.isEmpty
            ? "the remote already has the commit that is checked out, so there is nothing to judge"
            : "judging the commit that is checked out, which the remote does not have"
        StandardStreams.tell(
            "kanmon: git named no ref: everything is up to date, or another hook has read the list; \(consequence)")
        return refs
    }

    private static func standardInput() -> [UInt8] { Array(FileHandle.standardInput.readDataToEndOfFile()) }
}

extension TreeJudge {
    /// Words for its package, beside others of the repository.
    fileprivate var words: String {
        subpath.isTop ? "the package at the top" : "the package in \(TerminalText.safe(subpath.folder))"
    }
}
