public import Gate
public import RunModel
public import Web
import Wording

/// Every test of one target in one run: suite by suite, what failed first, or all in the order that was requested.
public struct TestsPage: Page {
    /// The template it is rendered with.
    public static let template = WebFile.testsPage
    /// How many tests a page of the dashboard has at most.
    public static let most = 2000
    /// Title and way back.
    public let frame: PageFrame

    let target: BreakableText
    let summary: String
    /// The form that keeps the page to one tag; where no test has any, there is none.
    let filter: ListForm?
    /// The way back from another order.
    let grouped: Link?
    let suites: [TestSuite]
    /// The way to the tests behind those of this page.
    let more: Link?

    /// Makes the page; `nil` when the run has no test of that target.
    ///
    /// - Parameters:
    ///   - target: The test target, byte for byte as the run recorded it.
    ///   - run: The run.
    ///   - tests: What became of its tests: at least of those of the target, and of all that failed, ordered by identity.
    ///   - tag: The tag of Swift Testing that was requested; all tests without one.
    ///   - order: The order that was requested.
    ///   - from: The place of the first test that is listed, counted from 1.
    ///   - most: How many are listed at most.
    ///   - links: How links are written.
    public init?(
        target: String, run: RunSummary, tests known: [TestResult], tag: String? = nil, order: ListOrder? = nil,
        from: Int = 1, most: Int = .max, links: Links = .dashboard
    ) {
        let all = known.filter { Name($0.id.module) == Name(target) }
        guard !all.isEmpty else { return nil }
        let tests = all.filter { $0.named.hasTag(tag) }.sorted { $0.id < $1.id }
        let anchors = RunAnchors(RunLinks(run.id, project: run.project, links), tests: known, modules: [])
        let sorting = Sorting(order) { links.find(.tests(run.id, target: target, tag: tag, order: $0)) }
        frame = PageFrame(
            title: "\(target) in \(run.package)", crumbs: Self.crumbs(anchors.links), here: target, links: links)
        self.target = BreakableText(target)
        let count = tag == nil ? Figures.counted(tests.count, "test") : Figures.counted(all.count, "test")
        summary =
            tests.isEmpty
            ? "None of its \(count) has the tag."
            : (tag == nil ? count : "\(Figures.grouped(tests.count)) of \(count)")
                + ": \(Figures.list(OutcomeTally(tests)))"
        filter = ListForm(
            tag: tag, hasTags: !all.allSatisfy(\.tags.isEmpty), of: (name: "target", value: target), order, links: links
        ) { tag, _ in
            .tests(run.id, target: target, tag: tag, order: order)
        }
        grouped = order == nil ? nil : Link("Suite by suite", links.href(.tests(run.id, target: target, tag: tag)))
        let skipped = min(from - 1, tests.count)
        let shown = min(most, tests.count - skipped)
        suites =
            order == nil
            ? Self.suites(tests, skipping: skipped, most: shown, sorting, anchors)
            : shown == 0
                ? []
                : [TestSuite(Array(tests.sorted(by: order)[skipped..<(skipped + shown)]), sorting, anchors: anchors)]
        let rest = tests.count - skipped - shown
        let next = Route.tests(run.id, target: target, tag: tag, order: order, from: skipped + shown + 1)
        more =
            rest > 0 ? links.find(next).map { Link("and \(Figures.counted(rest, "more test"))", $0) } : nil
    }

    /// The suites, those with failures first. The heads of the first table order all tests of the page.
    private static func suites(
        _ tests: [TestResult], skipping: Int, most: Int, _ sorting: Sorting, _ anchors: RunAnchors
    ) -> [TestSuite] {
        var suites: [[TestResult]] = []
        for test in tests {
            if let last = suites.last?.first, Name(last.id.suite) == Name(test.id.suite) {
                suites[suites.count - 1].append(test)
            } else {
                suites.append([test])
            }
        }
        let hasFailures = { (suite: [TestResult]) in suite.contains(where: \.outcome.isFailure) }
        var (left, room) = (skipping, most)
        var shown: [TestSuite] = []
        for suite in suites.filter(hasFailures) + suites.filter({ !hasFailures($0) }) where room > 0 {
            let listed = min(max(0, suite.count - left), room)
            if listed > 0 {
                shown.append(
                    TestSuite(
                        of: suite, skipping: left, most: listed, shown.isEmpty ? sorting : nil, anchors: anchors))
            }
            left = max(0, left - suite.count)
            room -= listed
        }
        return shown
    }

    private static func crumbs(_ run: RunLinks) -> [Link] {
        [Link(run.project, run.links.project(run.project)), Link(run.words, run.page())]
    }
}

/// A table of tests: those of one suite, or all.
struct TestSuite: Sendable {
    /// What stands above the table.
    struct Title: Sendable {
        /// The display name, or the identity.
        let name: BreakableText
        /// The identity, where the name is another.
        let identity: String?
        let summary: String
    }

    /// `nil` for the tests of all suites.
    let title: Title?
    let columns: [Column]
    let isSortable: Bool
    let rows: [TestRow]

    /// The tests of one suite, those that failed first, or a part of them.
    init(of tests: [TestResult], skipping: Int, most: Int, _ sorting: Sorting?, anchors: RunAnchors) {
        let suite = tests.first?.id.suite ?? ""
        let displayName = tests.first?.named.suiteDisplayName
        let title = Title(
            name: BreakableText(displayName ?? (suite.isEmpty ? "free functions" : suite)),
            identity: displayName == nil ? nil : suite, summary: Figures.list(OutcomeTally(tests)))
        let ordered = tests.filter(\.outcome.isFailure) + tests.filter { !$0.outcome.isFailure }
        self.init(title, Array(ordered.dropFirst(skipping).prefix(most)), sorting, anchors)
    }

    /// Tests of any suite, in the order given.
    init(_ tests: [TestResult], _ sorting: Sorting?, anchors: RunAnchors) {
        self.init(nil, tests, sorting, anchors)
    }

    private init(_ title: Title?, _ tests: [TestResult], _ sorting: Sorting?, _ anchors: RunAnchors) {
        self.title = title
        columns = ListColumns.tests.map { Column($0, sorting) }
        isSortable = columns.contains { $0.link != nil }
        rows = tests.map { TestRow($0, showsSuite: title == nil, order: sorting?.asked, anchors: anchors) }
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
    /// The identity within the suite, where the name is another.
    let identity: String?
    let tags: [TagMark]
    let attachments: [AttachmentMark]
    let time: String
    /// What is said of how it ended.
    let detail: String?
    /// Where the run's page shows the failure.
    let failure: String?

    init(_ test: TestResult, showsSuite: Bool = false, order: ListOrder? = nil, anchors: RunAnchors) {
        style = test.outcome.style
        sign = test.outcome.sign
        outcome = test.outcome.label
        let file = test.id.discriminator.isEmpty ? "" : " (\(test.id.discriminator))"
        let suite = showsSuite && !test.id.suite.isEmpty ? "\(test.id.suite)/" : ""
        let title = showsSuite ? test.named.title : test.named.displayName
        let name = (title ?? suite + (test.displayName ?? test.id.name)) + file
        link = anchors.links.history(test.id).map { Link(name, $0) }
        plainName = link == nil ? BreakableText(name) : nil
        identity = title == nil ? nil : suite + test.id.name
        tags = test.tags.map { TagMark($0, anchors.links.tests(test.id.module, tag: $0, order: order)) }
        attachments = test.attachments.map { AttachmentMark($0, anchors.links) }
        time = test.duration.map { Figures.duration($0) } ?? "–"
        let earlier = test.attempts.dropLast().count { $0.outcome.isFailure }
        let said =
            switch test.outcome {
            case .skipped: test.skipReason
            case .knownIssue: test.issues.first?.message
            case .passed:
                earlier > 0
                    ? "after \(Figures.counted(earlier, "failed attempt"))"
                    : test.wordsOnCancelledArguments
                        ?? test.issues.first(where: \.isWarning).map { "warning: \($0.message)" }
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
        case "identity": identity
        case "tags": tags
        case "attachments": attachments
        case "time": time
        case "detail": detail
        case "failure": failure
        default: nil
        }
    }
}
