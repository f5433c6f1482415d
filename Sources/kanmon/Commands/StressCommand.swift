import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import Repository
import RunModel
import SettingsFile
import Storage
import TestRunning

/// `kanmon stress`: how often does a test fail?
struct StressCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stress",
        abstract: "Repeat tests alone, in company and on few threads, and say how often they fail at most.",
        discussion: """
            Each test runs in a process of its own, then among others, and now and then with one or two threads for all tasks of \
            Swift, where a test that blocks a thread hangs at once. A seed draws the order of the processes and the company; the \
            same seed draws the same for the same tests. The order within a process is that of its library. Nothing is stored.

            The exit status is 0 if no repetition failed, 1 if one did, 3 if the package does not build, and 4 if a test was never \
            repeated to its end.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The tests: Module.Suite/name, or expressions as 'kanmon run --filter' takes them.", valueName: "test"))
    var tests: [String]

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    @Option(help: ArgumentHelp("Repeat the tests of this commit, not of the working copy.", valueName: "rev"))
    var commit: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long the repetitions may take in all; default: 5m.", valueName: "time"),
        transform: TimeLimitArgument.read)
    var budget: Duration?

    @Option(
        help: ArgumentHelp(
            "How often each test runs alone, and as often in company, as far as there is time; default: 1000.",
            valueName: "n"))
    var runs: Int?

    @Option(help: ArgumentHelp("Draw by this seed of an earlier run; default: another one each time.", valueName: "n"))
    var seed: UInt64?

    @Flag(help: "Let them run among all tests every second time, however long these take.")
    var amongAll = false

    @Option(help: ArgumentHelp("The swift to use instead of the first in PATH.", valueName: "path"))
    var swift: String?

    /// How often each test is repeated if there is time.
    private static let (defaultRuns, mostRuns) = (1_000, 100_000)

    func validate() throws {
        guard !tests.isEmpty else { throw ValidationError("name at least one test") }
        guard runs.map((1...Self.mostRuns).contains) ?? true else {
            throw ValidationError("--runs takes a number from 1 to \(Self.mostRuns)")
        }
        guard seed.map({ $0 <= Probation.largestSeed }) ?? true else {
            throw ValidationError("--seed takes a number from 0 to \(Probation.largestSeed)")
        }
    }

    func run() async throws {
        let process = ProcessContext.current
        let checkpoint = Checkpoint(process: process, home: store.home(process))
        let (report, signal) = try await stress(checkpoint, process)
        if let signal, report.obstacle != nil { throw SignalEnding(signal: signal) }
        try report.checkObstacle()
        let text = StressText(report.probation, commit: commit)
        StandardStreams.print(
            output.json ? try JSONText.render(JSONReport.ProbationRow(report.probation, commit: commit)) : text.text)
        if let signal { throw SignalEnding(signal: signal) }
        if text.exitStatus != .passed { throw text.exitStatus }
    }

    private func stress(
        _ checkpoint: Checkpoint, _ process: ProcessContext
    ) async throws -> (report: StressReport, signal: Int32?) {
        let flags = SettingsFlags(home: store.home, swift: swift.map(process.absolute))
        guard let commit else {
            let context = try await PackageContext.load(package.packagePath, flags: flags, process: process)
            context.repository?.rest()
            let tested = TestedPackage(
                root: context.root, project: context.project, repositoryTop: GitRepository.top(around: context.root))
            return try await InterruptibleRun(process: process).stress(
                Checkpoint.Subject(package: tested, settings: context.settings),
                try request(of: context.project, checkpoint, process), of: tests, at: checkpoint)
        }
        let judge = try await package.judge(checkpoint, flags: flags, hint: "leave out --commit")
        let subject = try await TreeJudge.Subject.named(commit, in: judge.repository)
        return try await judge.stress(subject, tests) { project in
            try request(of: project, checkpoint, process)
        }
    }

    private func request(
        of project: String, _ checkpoint: Checkpoint, _ process: ProcessContext
    ) throws -> StressRequest {
        let database = checkpoint.home.database
        let durations =
            checkpoint.home.hasStore ? try RunStore.reading(database).latestDurations(project: project) : [:]
        let known = durations.isEmpty ? nil : durations.values.reduce(Duration.zero, +)
        return StressRequest(
            runs: runs ?? Self.defaultRuns, budget: budget ?? .seconds(300),
            seed: seed ?? ProbationFinder.seed(nonce: process.makeNonce()), durations: durations,
            wholeDuration: amongAll ? Duration.zero : known)
    }
}

extension StressReport {
    /// Says why nothing was repeated.
    ///
    /// - Throws: `Problem` with the status that fits.
    fileprivate func checkObstacle() throws {
        switch obstacle {
        case .scriptsFailed(let detail)?:
            throw Problem(.undecided, "the scripts before the build failed: \(detail)", hint: "kanmon run shows more")
        case .notBuilt(let lines)?: throw Problem(.buildFailed, "the package does not build:\n\(lines)")
        case .noTests?:
            throw Problem(.noTests, "the package has no test target", hint: "add a .testTarget to Package.swift")
        case .notListed(let reason)?: throw Problem(.undecided, "the tests were not listed: \(reason)")
        case nil: break
        }
        guard unknown.isEmpty else {
            throw Problem(
                .usage, "no test is called \(unknown.map { "'\($0)'" }.joined(separator: ", "))",
                hint: "name one as reports do, such as CoreTests.URLTests/testHost")
        }
    }
}
