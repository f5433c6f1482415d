import Application
import ArgumentParser
import Exports
import Gate
import Repository
import RunModel
import SettingsFile
import TestRunning

/// `kanmon build`: build once, for runs on other machines.
struct BuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Build a package and its tests as 'run' does, for 'run --skip-build' on other machines.",
        discussion: """
            The files must be exactly those of a commit. A record beside the products holds their inputs, the \
            toolchain and the paths. The folder of the products is printed: copy it to the same absolute path on \
            another machine, with the same commit at the same path as here.
            """
    )

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions

    @Option(help: ArgumentHelp("The swift to use instead of the first in PATH.", valueName: "path"))
    var swift: String?

    @Option(
        help: ArgumentHelp("How long everything may take, such as 90s or 1h30m.", valueName: "time"),
        transform: TimeLimitArgument.read)
    var timeoutRun: Duration?

    func run() async throws {
        let process = ProcessContext.current
        let flags = SettingsFlags(home: store.home, swift: swift.map(process.absolute), runTimeout: timeoutRun)
        let context = try await PackageContext.load(package.packagePath, flags: flags, process: process)
        let checkpoint = Checkpoint(process: process, home: store.home(process))
        let checkout = try await context.checkout(home: checkpoint.home)
        let subject = Checkpoint.Subject(
            package: TestedPackage(
                root: context.root, project: context.project, revision: checkout.revision, tree: checkout.tree,
                repositoryTop: GitRepository.top(around: context.root), notes: checkout.notes),
            settings: context.settings)
        let report = try await InterruptibleRun(process: process).build(subject, at: checkpoint)
        guard report.isBuilt else {
            let log = TerminalText.safeLines(String(decoding: report.log, as: UTF8.self))
            StandardStreams.tell(log.joined(separator: "\n"))
            for gap in report.gaps {
                StandardStreams.tell("kanmon: \(gap.code.meaning) \(TerminalText.safe(gap.detail))")
            }
            throw report.gaps.isEmpty ? ExitStatus.buildFailed : .undecided
        }
        StandardStreams.print(report.scratchPath)
    }
}
