import Foundation
import Gate
import RunModel

/// One run of the made-up history before it has happened: what is tested, and what goes wrong.
struct DemoRunPlan {
    /// What the run is compared with.
    struct Base {
        let change: Int
        let run: TestRun
    }

    /// What goes wrong in a run, besides single tests.
    enum Accident {
        case brokenBuild
        case truncatedReport
        case onlyThumbnails
        case uncommitted
    }

    let package: DemoPackage
    let number: Int
    /// How many changes the tree holds; a run in ten tests the tree of the run before again.
    let change: Int
    let branch: String
    let startedAt: Date
    let accident: Accident?

    init(_ package: DemoPackage, number: Int, of count: Int, startedAt: Date) {
        self.package = package
        self.number = number
        self.startedAt = startedAt
        change = number % 10 == 7 ? number - 1 : number
        let branches = ["feature/thumbnails", "fix/décodeur", "topic/検索"]
        let isSide = change % 6 == 4 && change > 10 && change < 112 && count > 50
        branch = isSide ? branches[change / 6 % branches.count] : "main"
        accident =
            count < 50
            ? nil : [60: .brokenBuild, 75: .truncatedReport, 82: .onlyThumbnails, 105: .uncommitted][number]
    }

    /// The policy of that day: it became stricter twice.
    var policy: Policy {
        guard package.files.count > 1 else { return Policy() }
        let floor = { (thousandths: Int) in Percentage(thousandths: thousandths) ?? .zero }
        var policy = Policy(
            modules: [
                ModuleRule(pattern: "VideoKit", floors: Floors(line: floor(75_000), function: floor(80_000))),
                ModuleRule(pattern: "videotool", floors: Floors(line: floor(60_000))),
            ],
            excludes: [
                Exclusion(pattern: "Sources/VideoKit/Generated/**", reason: "made by scripts/generate.sh")
            ],
            minimumTests: 30, budgets: [BudgetRule(pattern: "PerformanceTests", bound: .seconds(2))])
        if number >= 20 { policy.patch = PatchRule(line: floor(70_000)) }
        if number >= 50, let day = CalendarDay("2026-12-31") {
            policy.quarantine = [
                QuarantineEntry(
                    test: "YoutubeAPITests.SearchTests/testTimeoutWithoutNetwork", owner: "@network",
                    reason: "the clock of the stub server drifts", expires: day)
            ]
        }
        return policy
    }

    /// The run as it happened, its verdict, and the sources it kept.
    ///
    /// - Parameter past: How the tests ended in the runs before.
    func run(
        against base: Base?, past: PastResults
    ) throws(PolicyError) -> (judged: JudgedRun, sources: [(path: String, bytes: [UInt8])]) {
        let tests = present
        let files = package.files.filter { $0.exists(at: change) }
        var sources = files.map { (path: $0.path, bytes: Self.bytes($0.state(at: change).lines)) }
        var lineOf: [TestID: Int] = [:]
        for (path, group) in Dictionary(grouping: tests, by: \.path).sorted(by: { $0.key < $1.key }) {
            let text = DemoTest.text(of: group)
            sources.append((path, Self.bytes(text.lines)))
            lineOf.merge(text.lineOf) { first, _ in first }
        }
        var run = event(
            tests: tests.map { $0.result(run: number, change: change, line: lineOf[$0.id] ?? 1) }, files: files)
        run.selection.disabledTargets = waived == nil ? [] : ["EndToEndTests"]
        apply(to: &run)
        run.testMap = run.coverage.map { TestMap(of: $0.files, tests: run.tests) }
        run.trial = base.flatMap { trial(of: run, against: $0.run) }
        var verdict = try Verdict(judging: run, by: policy, changed: comparison(base, files))
        verdict.failureOrigins = FailureOrigin.all(of: run, past: past, against: base.flatMap { baseline($0) })
        if number == DemoTrouble.run, let base, let commit = baseCommit(base) {
            verdict.causes = DemoTrouble.causes(of: run, against: commit.commit, base.run.id)
        }
        if let waived, let base, let commit = baseCommit(base) {
            verdict.base = BaseReview(
                commit: commit, run: base.run.id, waivers: [WaiverStatus(waived, .standing)])
        }
        if let weakening {
            verdict.decision = .failed
            verdict.violations.append(.gateChange(weakening))
            verdict.base?.changes = [weakening]
        }
        return (JudgedRun(run: run, verdict: verdict), sources)
    }

    /// The waiver that lets a test target stay switched off, in force from its own change on.
    private var waived: Waiver? {
        let first = 91
        guard package.files.count > 1, change > first, let day = CalendarDay("2026-03-31") else { return nil }
        return Waiver(
            subject: "EndToEndTests", until: day, reason: "the staging server moves to another host",
            commit: Noise.hash("commit \(package.name) main", first), line: 3)
    }

    /// What makes the gate of one branch laxer. Its commit has no waiver for that; the one that replaces it has (`DemoKnownTree`).
    private var weakening: GateChange? {
        guard package.files.count > 1, change == 100 else { return nil }
        return GateChange(.runTimeoutRaised, subject: "tests.timeouts.run", before: "10m", after: "30m")
    }

    private var present: [DemoTest] {
        package.tests.filter { $0.since <= change && change < $0.until }.sorted { $0.id < $1.id }
    }

    private func event(tests: [TestResult], files: [DemoFile]) -> TestRun {
        let seed = "\(package.name) \(branch)"
        let inTests = tests.reduce(Duration.zero) { $0 + ($1.duration ?? .zero) }
        let building = Duration.milliseconds(14_000 + 60 * change + Noise.number("build", number, below: 5000))
        let testing = inTests + .milliseconds(2800 + Noise.number("test", number, below: 900))
        let head = RunHead(
            id: RunID(
                milliseconds: UInt64(startedAt.timeIntervalSince1970 * 1000),
                random: (Noise.number(seed, number), Noise.number("low \(seed)", number))),
            project: package.project, package: package.name,
            revision: Revision(
                commit: Noise.hash("commit \(seed)", change), tree: Noise.hash("tree \(package.name)", change),
                branch: branch, subject: subject, author: author, isDirty: false),
            startedAt: startedAt, duration: building + testing + .milliseconds(700), engine: .swiftTest)
        let facts = RunFacts(
            toolchain: Toolchain(
                swiftVersion: "Swift version 6.3.1 (swift-6.3.1-RELEASE)", llvmVersion: "LLVM version 21.0.0",
                target: "x86_64-unknown-linux-gnu"),
            machine: DemoHistory.machine,
            inputs: RunInputs(platform: "x86_64-unknown-linux-gnu", checkout: "", environment: "", settings: ""),
            steps: [
                RunStep(
                    kind: .build, arguments: ["swift", "build", "--build-tests", "--enable-code-coverage"],
                    duration: building, termination: .exited(0)),
                RunStep(
                    kind: .test, arguments: ["swift", "test", "--skip-build"], duration: testing,
                    termination: .exited(tests.contains { $0.outcome.isFailure } ? 1 : 0)),
            ],
            modules: package.modules)
        return TestRun(
            head, facts, notMeasurable: package.notMeasurable, tests: tests,
            coverage: Coverage(
                files: files.map { coverage(of: $0) }.sorted { Name($0.path) < Name($1.path) })
        )
    }

    /// What a selection would have left out: some tests, fewer where more changed.
    private func trial(of run: TestRun, against base: TestRun) -> SelectionTrial? {
        guard let map = base.testMap, !map.tests.isEmpty else { return nil }
        let unsteady = Set(base.failures.map(\.id))
        let left = map.tests.filter { test in
            !unsteady.contains(test) && Noise.number("\(test)", change, below: 4) > 0
                && run.failures.allSatisfy { $0.id != test }
        }
        return SelectionTrial(of: run, without: Set(left), unsteady: unsteady, by: base.id)
    }

    private var author: String {
        let authors = ["Ana Souza", "山田 花子", "Zoë Żak", "Kofi Mensah"]
        return authors[Noise.number("author \(package.name)", change, below: authors.count)]
    }

    private var subject: String {
        if package.files.count > 1, change == 116 { return "Decode thumbnails without width" }
        return package.subjects[change % package.subjects.count]
    }

    private func coverage(of file: DemoFile) -> FileCoverage {
        let state = file.state(at: change)
        let covered = state.counts.count { $0.count.isCovered }
        return FileCoverage(
            path: file.path, module: file.module, lines: state.counts,
            regions: CoverageTally(covered: covered / 3, total: state.counts.count / 3), functions: state.functions)
    }

    private func comparison(_ base: Base?, _ files: [DemoFile]) -> ChangeComparison? {
        guard let base, let commit = baseCommit(base) else { return nil }
        return ChangeComparison(
            base: commit,
            changes: files.compactMap { $0.difference(from: base.change, to: change) },
            coverage: KnownCoverage(
                runs: [base.run.id], swiftVersion: base.run.toolchain?.swiftVersion,
                files: (base.run.coverage?.files ?? []).map { KnownLines($0) }))
    }

    /// A base that only tells whether a test failed before; no rule is judged by it.
    private func baseline(_ base: Base) -> Baseline? {
        baseCommit(base).map { commit in
            Baseline(
                commit: commit, head: GateSettings(),
                run: BaseRun(id: base.run.id, modules: [], targets: [], tests: base.run.tests))
        }
    }

    private func baseCommit(_ base: Base) -> BaseCommit? {
        base.run.revision?.commit.map {
            BaseCommit(commit: $0, kind: branch == "main" ? .parent : .mergeBase, name: "main")
        }
    }

    private static func bytes(_ lines: [String]) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }
}
