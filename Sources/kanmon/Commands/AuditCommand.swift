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
            A commit has passed if the newest full run of its tree in the store passes when it is compared with the base of this \
            commit; it may be a run of another commit with the same tree, and must be of the package in this folder. Exits with 2 \
            if a commit has not passed, with 4 if the history of the clone is cut within the range.
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
        let audits = CommitAudits(judge: judge, store: home.hasStore ? try RunStore.reading(home.database) : nil)
        var audit = Audit()
        let commits = try await repository.commits(in: range)
        audit.isCut = try await repository.isCut(at: commits)
        for commit in commits { audit.entries.append(try await audits.entry(of: commit)) }
        StandardStreams.print(output.json ? try JSONText.render(audit.report) : audit.text)
        if audit.isCut {
            StandardStreams.tell("kanmon: the history of this clone is cut: commits of the range may be missing")
            StandardStreams.tell("Try: git fetch --unshallow")
            throw ExitStatus.undecided
        }
        if !audit.uncleared.isEmpty { throw ExitStatus.gateFailed }
    }
}

/// The commits of a range with their verdicts.
package struct Audit: Sendable {
    /// One commit.
    package struct Entry: Sendable, Encodable {
        let commit: String
        let tree: String
        let subject: String
        /// What the newest full run of the tree says of the commit; `nil` if there is none.
        let decision: String?
        let run: String?
        /// Why nothing can be said of the commit, such as invalid settings; `nil` if something can.
        let fault: String?

        init(_ commit: ListedCommit, run: RunID? = nil, decision: Decision? = nil, fault: String? = nil) {
            self.fault = fault
            self.commit = commit.commit.hexadecimal
            tree = commit.tree.hexadecimal
            subject = commit.subject
            self.decision = decision?.rawValue
            self.run = run?.description
        }
    }

    /// For a program.
    package struct Report: Encodable {
        let commits: Int
        let cleared: Int
        let isCut: Bool
        let entries: [Entry]
    }

    package var entries: [Entry] = []
    /// Whether the history of the clone ends within the range, so that commits may be missing.
    package var isCut = false

    /// What is wrong with the settings of a commit; `nil` for other errors.
    static func fault(of error: any Error) -> String? {
        if case SettingsError.badEnvironment = error { return nil }
        guard let problem = Problem(explaining: error), problem.status == .badConfiguration else { return nil }
        return problem.reason
    }

    /// The commits whose tree has not passed.
    package var uncleared: [Entry] { entries.filter { $0.decision != Decision.passed.rawValue } }

    package var report: Report {
        Report(commits: entries.count, cleared: entries.count - uncleared.count, isCut: isCut, entries: entries)
    }

    /// For a terminal: the commits that have not passed, then how many have.
    package var text: String {
        let lines = uncleared.map { entry in
            let state =
                if let fault = entry.fault { "no verdict (\(TerminalText.safe(fault)))" } else {
                    entry.state
                }
            return "✕ \(entry.commit.prefix(12)) \(state): \(TerminalText.safe(entry.subject))"
        }
        let count = Figures.counted(entries.count, "commit")
        return (lines + ["\(entries.count - uncleared.count) of \(count) passed"]).joined(separator: "\n")
    }
}

extension Audit.Entry {
    /// Why it has not passed, in words.
    fileprivate var state: String {
        let place = "in run \(run?.suffix(12) ?? "")"
        return switch decision {
        case nil: "no verdict"
        case Decision.undecided.rawValue: "undecided \(place)"
        default: "blocked \(place)"
        }
    }
}
