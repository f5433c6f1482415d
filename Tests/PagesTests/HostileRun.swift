import Gate
import Pages
import RunModel
import TestSupport

/// A run in which every text is one and the same payload, and all pages of it.
enum HostileRun {
    static func run(_ text: String) -> TestRun {
        var run = SampleRuns.passing(5)
        let place = SourceLocation(path: text, line: 2)
        run.project = text
        run.package = text
        run.revision = Revision(commit: text, tree: text, branch: text, subject: text, isDirty: true)
        run.toolchain = Toolchain(swiftVersion: "Swift version \(text)", llvmVersion: text, target: text)
        run.steps = [
            RunStep(kind: .build, arguments: ["swift", text], duration: .seconds(1), termination: .signaled(9))
        ]
        run.modules = [
            Module(
                name: text, compilerName: text, kind: .library, isSwift: true, path: text, sources: [text],
                dependencies: []
            ),
            Module(
                name: text + "2", compilerName: text, kind: .library, isSwift: false, path: text, sources: [],
                dependencies: []
            ),
        ]
        run.notMeasurable = [text + "2": text]
        run.diagnostics = [BuildDiagnostic(severity: .error, message: text, location: place)]
        let issues = [
            Issue(message: text, location: place, argument: text), Issue(message: text, isKnown: true),
            Issue(message: text, isWarning: true),
        ]
        run.tests = [
            TestResult(
                id: TestID(module: text, suite: text, name: text, discriminator: text), library: .swiftTesting,
                outcome: .failed, displayName: text, suiteDisplayName: "\(text)!", location: place, arguments: [text],
                attempts: [TestAttempt(outcome: .failed, issues: issues, output: text)]
            ),
            TestResult(
                id: TestID(module: text, suite: text, name: text + "2"), library: .xctest, outcome: .skipped,
                skipReason: text
            ),
        ]
        run.coverage = Coverage(
            files: [
                FileCoverage(
                    path: text, module: text, lines: SampleRuns.lines(4, covered: 1),
                    regions: CoverageTally(covered: 1, total: 2), functions: CoverageTally(covered: 1, total: 2),
                    unexecuted: UnexecutedCode(
                        parts: [MissedPart(line: 1, start: 1, end: 3)],
                        functions: [SourceFunction(name: text, line: 2, column: 1, endLine: 3, endColumn: 1)])
                )
            ],
            unattributed: [UnattributedFile(path: text)]
        )
        run.gaps = [Gap(.testsNotRun, subject: text, detail: text)]
        run.notes = [Note(.reportRepaired, subject: text, detail: text)]
        return run
    }

    private static let renderer = Result { try PageRenderer() }

    /// Every page about that run, in a fixed order.
    static func pages(_ text: String) throws -> [String] { pages(text, by: try renderer.get()) }

    /// The same, rendered in some way.
    static func pages(_ text: String, by renderer: some Renderer) -> [String] {
        let run = run(text)
        let source = SourceText("one\n\(text)\n\(text)".utf8)
        var sources = SourceTexts()
        sources[text] = source
        let policy = Policy(
            modules: [ModuleRule(pattern: text, floors: Floors())], excludes: [Exclusion(pattern: text, reason: text)])
        let review = SampleVerdicts.review(text)
        let verdict = Verdict(
            decision: .undecided,
            violations: SampleVerdicts.violations(run) + review.changes.map(Violation.gateChange), gaps: run.gaps,
            modules: SampleVerdicts.statuses(run), policy: policy, base: review
        )
        let entry = SamplePages.entry(run)
        let projects = [ProjectSummary(name: text, runs: 1), ProjectSummary(name: "other", runs: 1)]
        let lists = [nil, text].flatMap { (project: String?) in
            [[entry], []].map { entries in
                RunsPage(
                    entries: entries, projects: projects, project: project, before: nil, hasOlder: true,
                    now: SamplePages.now
                )
            }
        }
        let comparison = SampleSheets.comparison(text, entry)
        let walls = SampleSheets.walls(text, entry).map { renderer.render($0) }
        let live = SamplePages.live(text).map { renderer.render($0) }
        return live + walls + lists.map { renderer.render($0) }
            + SampleSheets.all(text, entry).map { renderer.render($0) }
            + SampleSheets.coverage(run, verdict).map { renderer.render($0) } + [
                renderer.render(
                    RunPage(
                        run: run, verdict: verdict, sources: sources, now: SamplePages.now, comparison: comparison)),
                SamplePages.tests(of: run, target: text).map { renderer.render($0) } ?? "",
                SamplePages.tests(of: run, target: text, tag: text).map { renderer.render($0) } ?? "",
                SourcePage(path: text, run: run, text: source, tests: [1: 3]).map { renderer.render($0) } ?? "",
                SourcePage(path: text, run: run, text: nil).map { renderer.render($0) } ?? "",
                renderer.render(SignInPage(to: text, remark: text)), renderer.render(SignInPage(signedInWith: text)),
                renderer.render(ErrorPage(status: 400, title: text, reason: text, remedy: text, incident: text)),
            ]
    }
}
