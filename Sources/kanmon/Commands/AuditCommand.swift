import ArgumentParser
import Exports
import Gate
import Repository
import RunModel
import SettingsFile
import Storage
import Wording

/// `kanmon audit`: commits whose tree has not passed.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract:
            "List the commits of a range whose tree has not passed: bypassed hooks, other clients, missing hooks.",
        discussion: """
            A commit has passed if a full run of its tree in the store has passed, also a run of another commit with \
            the same tree; the run must be of the package in this folder. Exits with 2 if a commit has not passed.
            """
    )

    @Argument(help: ArgumentHelp("A git range of commits, such as v1.2..main.", valueName: "range"))
    var range: String

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
        let surroundings = Surroundings.current
        let root = surroundings.real(package.packagePath)
        let environment = GitEnvironment(surroundings.environment)
        guard let repository = try await GitRepository.discover(at: root, environment: environment) else {
            throw Problem(.usage, "\(root) is not in a git repository")
        }
        let home = store.home(surroundings)
        let judge = TreeJudge(
            surroundings: surroundings, checkpoint: Checkpoint(surroundings: surroundings, home: home),
            repository: repository, subpath: try await repository.packageSubpath(of: root))
        let commits = try await repository.commits(in: range)
        let store = home.hasStore ? try RunStore.reading(home.database) : nil
        var audit = Audit()
        for commit in commits {
            // The name of the project may change between commits.
            let project: String
            do {
                project = try await judge.context(of: commit.tree).project
            } catch {
                // A commit with invalid settings cannot have passed; the other commits are still checked.
                guard let fault = Audit.fault(of: error) else { throw error }
                audit.entries.append(Audit.Entry(commit, runs: [], fault: fault))
                continue
            }
            let runs =
                try store?.runs(
                    ofTree: commit.tree.hexadecimal, at: judge.subpath.folder, project: project, limit: 50) ?? []
            audit.entries.append(Audit.Entry(commit, runs: runs))
        }
        StandardStreams.print(output.json ? try JSONText.render(audit.report) : audit.text)
        if !audit.uncleared.isEmpty { throw ExitStatus.gateFailed }
    }
}

/// The commits of a range with their verdicts.
struct Audit: Sendable {
    /// One commit.
    struct Entry: Sendable, Encodable {
        let commit: String
        let tree: String
        let subject: String
        /// The verdict of the newest full run of the tree; `nil` if there is none.
        let decision: String?
        let run: String?
        /// What is wrong with the commit's settings; `nil` if they are valid.
        let fault: String?

        /// The newest full run counts.
        init(_ commit: ListedCommit, runs: [RunSummary], fault: String? = nil) {
            self.fault = fault
            let run = Self.judged(runs)
            self.commit = commit.commit.hexadecimal
            tree = commit.tree.hexadecimal
            subject = commit.subject
            decision = run?.decision.rawValue
            self.run = run?.id.description
        }

        /// The run that answers for a tree, of all its runs.
        static func judged(_ runs: [RunSummary]) -> RunSummary? {
            runs.first(where: \.answersForTree)
        }
    }

    /// For a program.
    struct Report: Encodable {
        let commits: Int
        let cleared: Int
        let entries: [Entry]
    }

    var entries: [Entry] = []

    /// What is wrong with the settings of a commit; `nil` for other errors.
    static func fault(of error: any Error) -> String? {
        if case SettingsError.badEnvironment = error { return nil }
        guard let problem = Problem(explaining: error), problem.status == .badConfiguration else { return nil }
        return problem.reason
    }

    /// The commits whose tree has not passed.
    var uncleared: [Entry] { entries.filter { $0.decision != Decision.passed.rawValue } }

    var report: Report {
        Report(commits: entries.count, cleared: entries.count - uncleared.count, entries: entries)
    }

    /// For a terminal: the commits that have not passed, then how many have.
    var text: String {
        let lines = uncleared.map { entry in
            let state =
                if let fault = entry.fault { "no verdict (\(TerminalText.safe(fault)))" } else {
                    entry.decision == nil ? "no verdict" : "blocked in run \(entry.run?.suffix(12) ?? "")"
                }
            return "✕ \(entry.commit.prefix(12)) \(state): \(TerminalText.safe(entry.subject))"
        }
        let count = Figures.counted(entries.count, "commit")
        return (lines + ["\(entries.count - uncleared.count) of \(count) passed"]).joined(separator: "\n")
    }
}
