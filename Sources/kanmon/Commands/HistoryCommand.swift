import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import RunModel
import Storage

/// `kanmon history`: the latest runs.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List the latest runs of a project, the newest first.")

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    @OptionGroup var project: ProjectOption

    @Flag(help: "Every project.")
    var all = false

    @Flag(help: "List the verdicts that were reused from a server instead of running the tests.")
    var reused = false

    @Option(help: "How many runs at most; default: 20, with --json 50.")
    var limit: Int?

    func validate() throws {
        if let limit { try CountArgument.check(limit, of: "--limit") }
    }

    func run() async throws {
        let process = ProcessContext.current
        let stored = StoredRuns(store.home(process), process: process)
        let project = all ? nil : try await stored.project(project.project, package: package.packagePath)
        if reused { return try listReused(of: project, in: stored) }
        let runs = try stored.open().runs(project: project, limit: length)
        if output.json {
            StandardStreams.print(try RunList(runs: runs).json())
        } else {
            StandardStreams.print(RunList(runs: runs).text(now: process.now))
        }
    }

    private var length: Int { ListLength.of(limit, json: output.json) }

    private func listReused(of project: String?, in stored: StoredRuns) throws {
        let all = try ReusedVerdicts(stored.home).all()
        let verdicts = all.filter { verdict in project.map { Name($0) == Name(verdict.project) } ?? true }
        let list = ReusedVerdictList(verdicts: Array(verdicts.prefix(length)))
        StandardStreams.print(output.json ? try list.json() : list.text(now: stored.process.now))
    }
}
