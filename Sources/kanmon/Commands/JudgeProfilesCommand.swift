import Application
import ArgumentParser
import Repository
import RunModel
import TestRunning

/// `kanmon judge-profiles`: for `scripts/check-export` and `scripts/bench`.
struct JudgeProfilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge-profiles",
        abstract: "Do what a run does after its tests, and print how many lines were covered.",
        discussion: "The package must be built as a run builds it. Without --base there is no base.",
        shouldDisplay: false
    )
    @Argument(help: "A folder of raw profiles of the package's test binary.") var profiles: String
    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @Option(help: "The revision that the coverage is compared with.") var base: String?

    func run() async throws {
        let process = ProcessContext.current
        let context = try await PackageContext.load(package.packagePath, process: process)
        let checkpoint = Checkpoint(process: process, home: store.home(process))
        var subject = Checkpoint.Subject(
            package: TestedPackage(root: context.root, project: context.project), settings: context.settings)
        if let base {
            let revision = try await context.repository?.revision()
            subject.package.revision = revision
            subject.baseline = try await context.baseline(revision, named: base, checkpoint: checkpoint)?.baseline
            subject.comparison = try await context.comparison(
                revision, completing: &subject.baseline, isNamed: true, checkpoint: checkpoint
            ).comparison
            context.repository?.rest()
        }
        let judgement = try await checkpoint.judge(subject, profiles: process.absolute(profiles))
        let lines = judgement.run.coverage?.files.flatMap(\.lines) ?? []
        StandardStreams.print("\(lines.count) lines, \(lines.count { $0.count.isCovered }) covered")
    }
}
