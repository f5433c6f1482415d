import Application
import ArgumentParser
import Evidence
import Exports

/// `kanmon judge-directory`: what a server starts for each run that it takes in.
struct JudgeDirectoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: JudgingProcess.command,
        abstract: "Judge a run directory within the budget of a delivery, store it, and print what came of it as JSON.",
        shouldDisplay: false
    )

    @Argument(help: "The run directory.") var path: String
    @Option(
        help: ArgumentHelp(
            "Move the directory there, and let what is there give way once the run is stored.", valueName: "folder"))
    var moveTo: String?
    @Flag(help: "Say when it is judged, and store it when standard input says so.") var ask = false
    @OptionGroup var place: StoreOptions

    func run() async throws {
        JudgingProcess.limitThisProcess()
        let process = ProcessContext.current
        let checkpoint = Checkpoint(process: process, home: place.home(process))
        let answer = try checkpoint.judgeDelivered(
            RunDirectory(path: path), movingTo: moveTo.map { RunDirectory(path: $0) }
        ) {
            if ask { try JudgingProcess.ask() }
        }
        StandardStreams.print(try JSONText.render(answer.short))
    }
}
