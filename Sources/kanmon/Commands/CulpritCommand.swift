import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import Repository
import RunModel
import SettingsFile
import Storage

/// `kanmon culprit`: which commit broke a test?
struct CulpritCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "culprit",
        abstract: "Find the commit that broke a test, even a flaky one.",
        discussion: """
            Commits between the last one on which the test passed and the newest on which it failed are built in a copy of the \
            repository's tree, and the test runs with them, until one is certain. The ends are those of stored runs; both are run \
            again first. The search begins at commits that touch what the test executes, and takes the results of \
            stored runs where there are any. Without a test, earlier answers are listed.
            """
    )

    @Argument(help: ArgumentHelp("The test: Module.Suite/name or a part of it.", valueName: "test"))
    var test: String?

    @Option(help: ArgumentHelp("A commit on which it passed.", valueName: "rev"))
    var good: String?

    @Option(help: ArgumentHelp("A commit on which it failed.", valueName: "rev"))
    var bad: String?

    @Flag(help: "Search for every test that fails on the default branch and was not searched for yet.")
    var wanted = false

    @Option(
        help: ArgumentHelp("How long it may take in all, builds included; default: 10m.", valueName: "time"),
        transform: TimeLimitArgument.read)
    var budget: Duration?

    @Option(help: ArgumentHelp("The swift to use instead of the first in PATH.", valueName: "path"))
    var swift: String?

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    /// How many earlier answers are listed.
    private static let mostListed = 100

    func validate() throws {
        if wanted, test != nil || good != nil || bad != nil {
            throw ValidationError("--wanted chooses the tests and the commits by itself")
        }
        if test == nil, good != nil || bad != nil { throw ValidationError("--good and --bad are of a test: name it") }
        if test == nil, !wanted, budget != nil || swift != nil {
            throw ValidationError("--budget and --swift are of a search: name a test, or use --wanted")
        }
    }

    func run() async throws {
        let process = ProcessContext.current
        let desk = try await desk(process)
        if wanted { return try await answerWanted(desk) }
        guard let test else { return try list(desk, process) }
        let question = try await desk.question(try desk.test(named: test), good: good, bad: bad)
        let (found, signal) = try await desk.answer([question])
        for answer in found { StandardStreams.print(output.json ? try JSONText.render(answer) : answer.text) }
        if let signal { throw SignalEnding(signal: signal) }
        if !found.allSatisfy(\.isNamed) { throw ExitStatus.undecided }
    }

    private func desk(_ process: ProcessContext) async throws -> CulpritDesk {
        let home = store.home(process)
        let judge = try await package.judge(
            Checkpoint(process: process, home: home),
            flags: SettingsFlags(home: store.home, swift: swift.map(process.absolute)))
        let runs = try StoredRuns(home, process: process).open(orTry: "kanmon run --commit HEAD")
        guard let head = try await judge.repository.commit(at: "HEAD"),
            let tree = try await judge.repository.tree(of: head)
        else { throw Problem(.usage, "there is no commit yet", hint: "commit, then kanmon run --commit HEAD") }
        let project = try ProjectNames(home).current(try await judge.context(of: tree).project)
        return CulpritDesk(judge: judge, project: project, store: runs, budget: budget ?? .seconds(600))
    }

    private func list(_ desk: CulpritDesk, _ process: ProcessContext) throws {
        let culprits = try desk.store.culprits(project: desk.project, limit: Self.mostListed)
        if output.json {
            let found = culprits.map { CulpritText(culprit: $0, project: desk.project) }
            StandardStreams.print(try JSONText.render(found))
        } else if culprits.isEmpty {
            StandardStreams.print("nobody has searched for the culprit of a test of \(TerminalText.safe(desk.project))")
        } else {
            StandardStreams.print(CulpritText.list(culprits, now: process.now))
        }
    }

    private func answerWanted(_ desk: CulpritDesk) async throws {
        var questions: [CulpritDesk.Question] = []
        let wanted = try desk.wanted()
        for search in wanted {
            do {
                questions.append(try await desk.question(search))
            } catch let problem as Problem {
                StandardStreams.tell("kanmon: \(search.test): \(problem.reason)")
            }
        }
        var (found, signal): ([CulpritText], Int32?) = ([], nil)
        if !questions.isEmpty { (found, signal) = try await desk.answer(questions) }
        if output.json {
            StandardStreams.print(try JSONText.render(found))
        } else if wanted.isEmpty {
            StandardStreams.print("no search is wanted")
        } else if !found.isEmpty {
            StandardStreams.print(found.map(\.text).joined(separator: "\n\n"))
        }
        if let signal { throw SignalEnding(signal: signal) }
        if found.count < wanted.count || !found.allSatisfy(\.isNamed) { throw ExitStatus.undecided }
    }
}
