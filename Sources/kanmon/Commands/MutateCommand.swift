import Application
import ArgumentParser
import Exports
import Gate
import Mutation
import SettingsFile

/// `kanmon mutate`: would the tests notice if the change were wrong?
struct MutateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mutate",
        abstract: "Change the functions of a change one at a time, and list what no test notices.",
        discussion: """
            A function returns at once, a condition is negated, a constant has another value: each of these mutants \
            should make a test fail. One that survives is a gap in the tests, or makes no difference. All of them are \
            built at once, into a copy of the repository's tree, and for each only the tests that execute it run, by \
            the per-test coverage of the newest run that has it. Nothing is stored, and nothing is blocked without \
            --fail-on-survivors.
            """
    )

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    @Option(help: ArgumentHelp("The change of this commit instead of HEAD.", valueName: "rev"))
    var commit: String?

    @Flag(help: "The change that is staged.")
    var staged = false

    @Option(
        help: ArgumentHelp(
            "The change since this revision, instead of the one that a run compares with.", valueName: "rev"))
    var base: String?

    @Option(
        help: ArgumentHelp("How long the tests may take in all; default: 10m.", valueName: "time"),
        transform: TimeLimitArgument.read)
    var budget: Duration?

    @Option(help: ArgumentHelp("The swift to use instead of the first in PATH.", valueName: "path"))
    var swift: String?

    @Flag(help: "Exit with 2 if a mutant survives.")
    var failOnSurvivors = false

    func validate() throws {
        try TreeOptions.validate(commit: commit, staged: staged)
    }

    func run() async throws {
        let process = ProcessContext.current
        let judge = try await package.judge(
            Checkpoint(process: process, home: store.home(process)),
            flags: SettingsFlags(home: store.home, swift: swift.map(process.absolute)),
            hint: "mutants are those of a commit or of what is staged")
        var subject = try await TreeJudge.Subject.named(staged ? nil : commit ?? "HEAD", in: judge.repository)
        subject.base = base
        let (tried, signal) = try await judge.mutate(subject, budget: budget ?? .seconds(600))
        StandardStreams.print(output.json ? try JSONText.render(tried) : tried.text)
        if let signal { throw SignalEnding(signal: signal) }
        if failOnSurvivors, tried.report.entries.contains(where: \.outcome.isSurvivor) { throw ExitStatus.gateFailed }
    }
}
