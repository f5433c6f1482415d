import Application
import ArgumentParser
import Exports
import Gate
import Repository
import RunModel
import SettingsFile
import TestRunning

/// `kanmon run`: build, test with coverage, collect, store, judge.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Build and test a package with coverage, store the run, and judge it.",
        discussion: """
            The package is built into a separate scratch path, so that your .build folder and your editor are not \
            affected. The exit status is that of the verdict; 'kanmon --help' lists them.

            With --commit or --staged a tree of the repository is tested instead of the working copy, in a separate \
            work tree. A tree that was tested before with the same dependencies, toolchain, settings and platform is \
            answered from the store, and the answer says so, unless --fresh is given. A tree that only the server of \
            'kanmon login' knows is answered by it, without --json and --out.
            """
    )

    @OptionGroup var package: PackageOptions

    @Flag(
        help: """
            Run every package below --package-path, one after the other: each outermost folder with a Package.swift. \
            --out has a folder for each, and the most serious exit status counts. With --commit or --staged, one that \
            passed and for which only other packages have changed since is not judged again, unless --fresh is given.
            """)
    var allPackages = false

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption
    @OptionGroup var sending: DeliveryOptions

    @OptionGroup var exact: TreeOptions
    @OptionGroup var freshness: FreshOption

    @OptionGroup var verbosity: VerboseOption

    @OptionGroup var choice: SelectionOptions
    @OptionGroup var part: ShardOptions

    @Flag(
        help: """
            Run only the tests that execute the changed functions, by the per-test coverage of the newest run that has \
            it; where functions do not decide, those of the affected targets. Needs --commit or --staged.
            """)
    var affected = false

    @Flag(help: "Build nothing: use the products of 'kanmon build' for this commit and folder.")
    var skipBuild = false

    @Flag(
        help: "Build in a new folder, and say whether the code differs from what the incremental build made.")
    var clean = false

    @OptionGroup var build: BuildOptions

    @Option(help: "How the tests are started; default: direct.")
    var engine: Engine?

    @Option(
        help: ArgumentHelp(
            "How many test processes run at a time; XCTest classes are distributed across them. More than 1 needs the engine direct.",
            valueName: "n"))
    var jobs: Int?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Whether to map the tests of Swift Testing: to run them once more, one at a time in each of several processes, so that it \
            is known which code each executes ('kanmon who'). XCTest needs no second run. Without this flag, tests that took at \
            most one second together, and of which none failed, are mapped where all tests run.
            """)
    var map: Bool?

    @Option(help: ArgumentHelp("The swift to use instead of the first in PATH.", valueName: "path"))
    var swift: String?

    @Option(
        help: ArgumentHelp("How long the whole run may take, such as 90s or 1h30m.", valueName: "time"),
        transform: TimeLimitArgument.read)
    var timeoutRun: Duration?

    @Option(
        help: ArgumentHelp("How long one test may take.", valueName: "time"),
        transform: TimeLimitArgument.read)
    var timeoutTest: Duration?

    @Option(
        help: ArgumentHelp("How long the tests may give no sign of life.", valueName: "time"),
        transform: TimeLimitArgument.read)
    var timeoutSilence: Duration?

    @Option(
        help: ArgumentHelp(
            "Compare with the merge base of this revision instead of the default branch.", valueName: "rev"))
    var base: String?

    @OptionGroup var recording: BranchOption

    @Option(help: ArgumentHelp("How often a failed test is run again.", valueName: "n"))
    var retries: Int?

    @Option(
        help: ArgumentHelp(
            "How long tests that failed may be repeated to find out why; 0s for not at all.", valueName: "time"),
        transform: TimeLimitArgument.readOrNone)
    var causesBudget: Duration?

    @Option(help: ArgumentHelp("Wipe this folder and publish reports into it.", valueName: "dir"))
    var out: String?

    @Flag(help: "Always exit with 0; the verdict is still stored and printed.")
    var exitZero = false

    func validate() throws {
        // What all shards together have to be is known of everything, not of what an expression picks.
        if part.shard != nil, !choice.filter.isEmpty || !choice.skip.isEmpty || choice.rerunFailed != nil {
            throw ValidationError("--shard needs all tests: leave out --filter, --skip and --rerun-failed")
        }
        if allPackages, output.json || choice.rerunFailed != nil {
            throw ValidationError("--all-packages makes several runs: leave out --json and --rerun-failed")
        }
        if freshness.fresh, !exact.isGiven {
            throw ValidationError("the tests of the working copy always run: --fresh needs --commit or --staged")
        }
        if affected, !exact.isGiven {
            throw ValidationError("--affected compares exact trees: add --staged or --commit")
        }
        if skipBuild, exact.isGiven {
            throw ValidationError("--skip-build tests the files in this folder: leave out --commit and --staged")
        }
        if skipBuild, clean { throw ValidationError("--skip-build builds nothing: leave out --clean") }
        guard retries.map((0...10).contains) ?? true else {
            throw ValidationError("--retries takes a number from 0 to 10")
        }
        guard jobs.map(Settings.jobsAllowed.contains) ?? true else {
            throw ValidationError("--jobs takes a number from 1 to 64")
        }
        if map == true, engine == .swiftTest {
            throw ValidationError("--map needs the engine direct: leave out --map or --engine swift-test")
        }
        if let jobs, jobs > 1, engine == .swiftTest {
            throw ValidationError(
                "--jobs \(jobs) needs the engine direct: leave out --jobs or --engine swift-test")
        }
    }

    func run() async throws {
        let process = ProcessContext.current
        if allPackages { return try await runAll(process) }
        try await runPackage(process, beside: [])
    }

    /// Runs one package.
    ///
    /// - Parameter others: The folders of the packages that are run with it.
    /// - Returns: The commit for which it passed, where it was not judged again.
    @discardableResult
    private func runPackage(
        _ process: ProcessContext, beside others: [String]
    ) async throws -> UnchangedPackage.Passed? {
        let flags = SettingsFlags(
            home: store.home, engine: engine, swift: swift.map(process.absolute), runTimeout: timeoutRun,
            testTimeout: timeoutTest, silenceTimeout: timeoutSilence, retries: retries, jobs: jobs,
            clean: clean ? .always : nil, traits: build.traitList, sanitizer: build.sanitize,
            causesBudget: causesBudget)
        if exact.isGiven { return try await runTree(flags, process, beside: others) }
        let context = try await PackageContext.load(package.packagePath, flags: flags, process: process)
        if verbosity.isOn(process) { context.settings.tellWithheld(process) }
        let publication = try out.map { try Publication(folder: process.absolute($0)) }
        let checkpoint = try checkpoint(process)
        let checkout = try await context.checkout(home: checkpoint.home, reports: out.map(process.absolute))
        var recorded = checkout.revision
        if let revision = recorded {
            recorded = try await recording.recorded(
                revision, built: process.build?.branch, in: context.repository)
        }
        let revision = try await context.placed(recorded, named: base, checkpoint: checkpoint)
        let finding = try await context.baseline(revision, named: base, checkpoint: checkpoint)
        var baseline = finding?.baseline
        let (comparison, notes) = try await context.comparison(
            revision, completing: &baseline, isNamed: base != nil, checkpoint: checkpoint)
        let inputs = try await context.inputs(of: revision, home: checkpoint.home, process: process)
        let forge = try await context.repository?.forge()
        context.repository?.rest()
        let tested = TestedPackage(
            root: context.root, project: context.project, revision: revision, tree: checkout.tree, inputs: inputs,
            repositoryTop: GitRepository.top(around: context.root),
            notes: checkout.notes + (finding?.notes ?? []) + notes)
        var subject = Checkpoint.Subject(
            package: tested, settings: context.settings, baseline: baseline, comparison: comparison,
            forge: forge)
        (subject.tests.selection, subject.tests.rerun) = try await choice.read(
            in: StoredRuns(checkpoint.home, process: process), project: context.project, package: package)
        subject.tests.selection.shard = part.shard
        subject.skipsBuild = skipBuild
        subject.authors = try await context.authors(of: revision, baseline)
        if !skipBuild { subject.causes = try await context.causes(baseline, comparison, checkpoint: checkpoint) }
        subject.trial = try await trial(of: subject, context, checkpoint)
        subject.mapping = mapping(process)
        subject.tests.split = try part.split(
            in: StoredRuns(checkpoint.home, process: process), project: context.project)

        let watched = try await InterruptibleRun(process: process).judge(subject, at: checkpoint)

        try publication?.publish(watched.judgement.judged, at: checkpoint)
        try Presentation(process: process).show(watched.judgement, json: output.json)
        try await ExitStatus.conclude {
            try await checkpoint.delivery?.deliver(isEnding: watched.signal != nil)
        } _: {
            try watched.conclude(exitZero: exitZero)
        }
        return nil
    }

    private func mapping(_ process: ProcessContext) -> TestMapping {
        map == false
            ? .none : TestMapping(processes: process.processors, limit: map == true ? nil : .seconds(1))
    }

    private func checkpoint(_ process: ProcessContext) throws -> Checkpoint {
        let home = store.home(process)
        var delivery = try sending.delivery(process, home: home)
        delivery.isVerbose = verbosity.isOn(process)
        return Checkpoint(process: process, home: home, delivery: delivery)
    }
}

extension RunCommand {
    /// Runs every package below a folder.
    private func runAll(_ process: ProcessContext) async throws {
        let root = process.real(package.packagePath)
        let paths = try NestedPackages.all(in: root)
        if let out { try ReportFolder(process.absolute(out)).make() }
        var packages = SeveralPackages(passes: "passed")
        let folders = paths.map { process.real(PackageSubpath($0).folder(in: root)) }
        for (path, folder) in zip(paths, folders) {
            var one = self
            one.allPackages = false
            one.exitZero = false
            one.package.packagePath = folder
            one.out = out.map { PackageSubpath(path).folder(in: $0) }
            let name = path.isEmpty ? "." : TerminalText.safe(path)
            StandardStreams.tell("kanmon: \(name)")
            let (run, others) = (one, folders.filter { Name($0) != Name(folder) })
            try await packages.judge(name) {
                try await run.runPackage(process, beside: others)
                    .map { "not judged again: it passed at \($0.commit.prefix(12))" }
            }
        }
        packages.tell()
        try packages.conclude(exitZero: exitZero)
    }

    /// What a selection would leave out of a full run of an exact tree.
    private func trial(
        of subject: Checkpoint.Subject, _ context: PackageContext, _ checkpoint: Checkpoint
    ) async throws -> DeselectedTests? {
        guard !subject.tests.isPartial, let tree = subject.package.revision?.tree.flatMap({ ObjectID($0) }),
            subject.package.revision?.isExact == true, let repository = context.repository
        else { return nil }
        // Nothing depends on it.
        return try? await DeselectedTestsFinder(
            process: checkpoint.process, home: checkpoint.home, repository: repository,
            subpath: try await repository.packageSubpath(of: context.root)
        ).find(for: tree, project: context.project)?.tests
    }

    /// Judges a tree of the repository instead of the working copy.
    ///
    /// - Parameter others: The folders of the packages that are run with it.
    /// - Returns: The commit for which the package passed, where it was not judged again.
    private func runTree(
        _ flags: SettingsFlags, _ process: ProcessContext, beside others: [String]
    ) async throws -> UnchangedPackage.Passed? {
        let (repository, root) = try await package.repository(process, hint: "leave out --commit and --staged")
        let publication = try out.map { try Publication(folder: process.absolute($0)) }
        let checkpoint = try checkpoint(process)
        var judge = TreeJudge(
            process: process, checkpoint: checkpoint, repository: repository,
            subpath: try await repository.packageSubpath(of: root), flags: flags,
            isFresh: freshness.fresh || map == true || clean,
            isVerbose: verbosity.isOn(process))
        // Reports are made from evidence, which the server keeps.
        if out == nil, !output.json {
            judge.server = checkpoint.delivery.flatMap { ServerVerdicts($0, timeout: .seconds(5)) }
        }
        var subject = try await exact.subject(in: repository, recording: recording, built: process.build?.branch)
        subject.base = base
        subject.mapping = mapping(process)
        let project = try await judge.context(of: subject.tree).project
        if affected { try await judge.deselect(in: &subject, project: project) }
        let stored = StoredRuns(checkpoint.home, process: process)
        (subject.tests.selection, subject.tests.rerun) = try await choice.read(
            in: stored, project: project, package: package)
        subject.tests.selection.shard = part.shard
        subject.tests.split = try part.split(in: stored, project: project)
        let unchanged = UnchangedPackage(judge: judge, others: repository.subpaths(of: others))
        // Reports are made from the evidence of the run for which it passed.
        if let passed = try await unchanged.passed(before: subject), publication == nil || passed.known.hasDirectory {
            StandardStreams.tell("kanmon: \(passed.words)")
            try publication?.publish(try judge.judgedRun(behind: .known(passed.known)), at: checkpoint)
            try await checkpoint.delivery?.deliver()
            return passed
        }
        var answer = try await judge.judge(subject)
        if let publication {
            if case .known(let known) = answer, !known.hasDirectory {
                // Reports are made from the evidence, which is gone.
                judge.isFresh = true
                answer = try await judge.judge(subject)
            }
            try publication.publish(try judge.judgedRun(behind: answer), at: checkpoint)
        }
        try judge.show(answer, of: subject, json: output.json)
        try await ExitStatus.conclude {
            try await checkpoint.delivery?.deliver(isEnding: answer.watched?.signal != nil)
        } _: {
            try answer.conclude(exitZero: exitZero)
        }
        return nil
    }
}

extension GitRepository {
    /// The paths, below the top of the work tree, of those folders that lie in it; links in them must be resolved.
    fileprivate func subpaths(of folders: [String]) -> [String] {
        guard let workTree else { return [] }
        return folders.filter { $0.utf8.starts(with: "\(workTree)/".utf8) }
            .map { String(Substring($0.utf8.dropFirst(workTree.utf8.count + 1))) }
    }
}
