import Application
import ArgumentParser
import Exports
import Gate
import Repository
import Storage

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
        let process = ProcessContext.current
        let home = store.home(process)
        let judge = try await package.judge(Checkpoint(process: process, home: home))
        let audits = CommitAudits(judge: judge, store: home.hasStore ? try RunStore.reading(home.database) : nil)
        var audit = Audit()
        let commits = try await judge.repository.commits(in: range)
        audit.isCut = try await judge.repository.isCut(at: commits)
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
