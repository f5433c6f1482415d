public import Gate
public import RunModel
public import Web
import Wording

/// Every test of one target in one run, suite by suite, what failed first.
public struct TestsPage: Page {
    /// The template it is rendered with.
    public static let template = WebFile.testsPage
    /// Title and way back.
    public let frame: PageFrame

    let target: BreakableText
    let summary: String
    let suites: [TestSuite]

    /// Makes the page; `nil` when the run has no test of that target.
    ///
    /// - Parameters:
    ///   - target: The test target, byte for byte as the run recorded it.
    ///   - run: The run.
    ///   - verdict: How it was judged.
    ///   - links: How links are written.
    public init?(target: String, run: TestRun, verdict: Verdict, links: Links = .dashboard) {
        let tests = run.tests.filter { $0.id.module.utf8.elementsEqual(target.utf8) }.sorted { $0.id < $1.id }
        guard !tests.isEmpty else { return nil }
        let anchors = RunAnchors(run: run, verdict: verdict, links: links)
        var suites: [TestSuite] = []
        var rest = tests[...]
        while let first = rest.first {
            let suite = rest.prefix { $0.id.suite.utf8.elementsEqual(first.id.suite.utf8) }
            rest = rest.dropFirst(suite.count)
            suites.append(TestSuite(suite, anchors: anchors))
        }
        frame = PageFrame(
            title: "\(target) in \(run.package)", crumbs: Self.crumbs(anchors.links), here: target, links: links)
        self.target = BreakableText(target)
        summary = "\(Figures.counted(tests.count, "test")): \(Figures.list(OutcomeTally(tests)))"
        self.suites = suites.filter(\.hasFailures) + suites.filter { !$0.hasFailures }
    }

    private static func crumbs(_ run: RunLinks) -> [Link] {
        [Link(run.project, run.links.project(run.project)), Link(run.words, run.page())]
    }
}

/// The tests of one suite.
struct TestSuite: Sendable {
    let name: BreakableText
    let summary: String
    let hasFailures: Bool
    let rows: [TestRow]

    init(_ tests: ArraySlice<TestResult>, anchors: RunAnchors) {
        let suite = tests.first?.id.suite ?? ""
        name = BreakableText(suite.isEmpty ? "free functions" : suite)
        summary = Figures.list(OutcomeTally(tests))
        let failed = tests.filter(\.outcome.isFailure)
        hasFailures = !failed.isEmpty
        rows = (failed + tests.filter { !$0.outcome.isFailure }).map { TestRow($0, anchors: anchors) }
    }
}

/// One test of a list.
///
/// There are thousands on a page, so it answers the template itself instead of being looked at by reflection.
struct TestRow: Sendable, TemplateValue {
    let style: String
    let sign: String
    let outcome: String
    /// The test, as a link to its history where there is one.
    let link: Link?
    let plainName: BreakableText?
    let time: String
    /// What is said of how it ended.
    let detail: String?
    /// Where the run's page shows the failure.
    let failure: String?

    init(_ test: TestResult, anchors: RunAnchors) {
        style = test.outcome.style
        sign = test.outcome.sign
        outcome = test.outcome.label
        let file = test.id.discriminator.isEmpty ? "" : " (\(test.id.discriminator))"
        let name = (test.displayName ?? test.id.name) + file
        link = anchors.links.history(test.id).map { Link(name, $0) }
        plainName = link == nil ? BreakableText(name) : nil
        time = test.duration.map { Figures.duration($0) } ?? "–"
        let earlier = test.attempts.dropLast().count { $0.outcome.isFailure }
        let said =
            switch test.outcome {
            case .skipped: test.skipReason
            case .knownIssue: test.issues.first?.message
            case .passed: earlier > 0 ? "after \(Figures.counted(earlier, "failed attempt"))" : nil
            case .failed, .crashed, .timedOut, .notRun: test.firstFailure?.message ?? test.silentFailure
            }
        detail = said.map { $0.cut(to: 300) }
        failure = test.outcome.isFailure ? anchors.links.page(anchors.failure(test.id)) : nil
    }

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "style": style
        case "sign": sign
        case "outcome": outcome
        case "link": link
        case "plainName": plainName
        case "time": time
        case "detail": detail
        case "failure": failure
        default: nil
        }
    }
}
