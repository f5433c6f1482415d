public import RunModel

/// The tests of one target in a run, made of what runs share.
///
/// In most runs a list has no more to say of a test than how it ended and how long it took, and they ended in the same ways:
/// their pages differ in the run and in the times. So such a page is rendered once with placeholders for these, and filled for each
/// run. Where there is more to say of a test, as it failed or has a known issue, the page is rendered for that run alone.
public struct ModuleTestsPage: Sendable {
    /// What the page depends on beside the texts in its placeholders.
    struct Key: Hashable, Sendable {
        let catalog: TestCatalog
        let outcomes: [Outcome]
        let package: String
        /// How links are written.
        let home: String

        static func == (left: Key, right: Key) -> Bool {
            left.catalog === right.catalog && left.outcomes == right.outcomes
                && left.package.utf8.elementsEqual(right.package.utf8) && left.home == right.home
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(catalog))
            for outcome in outcomes { hasher.combine(UInt8(outcome.number)) }
        }
    }

    private let results: ModuleResults
    private let target: String
    private let links: Links

    /// Makes the page; `nil` when there is no test, or not as many results as tests.
    public init?(_ results: ModuleResults, links: Links = .dashboard) {
        let count = results.catalog.tests.count
        guard let target = results.catalog.tests.first?.id.module, results.outcomes.count == count,
            results.durations.count == count
        else { return nil }
        self.results = results
        self.target = target
        self.links = links
    }

    /// Whether runs share the page but for what is put into its placeholders.
    var isShared: Bool { results.details.isEmpty }

    var key: Key {
        Key(
            catalog: results.catalog, outcomes: results.outcomes, package: results.package, home: links.href(.home))
    }

    private var run: RunLinks { RunLinks(results.run, project: results.catalog.project, links) }

    /// What is put into the placeholders: the run, the way to it, both escaped, and the time of each test, which are figures.
    var texts: [String] {
        let run = run
        var texts = [Markup.escaped(run.words), Markup.escaped(run.page())]
        texts.reserveCapacity(2 + results.durations.count)
        for duration in results.durations { texts.append(TestRow.words(for: duration)) }
        return texts
    }

    /// The page with the placeholders, where runs share it.
    var skeleton: TestsPage {
        page(of: Link(skeleton: Placeholder(text: 0), Placeholder(text: 1))) { test in
            row(test, time: Placeholder(text: 2 + test))
        }
    }

    /// The page of this run.
    var whole: TestsPage {
        let run = run
        return page(of: Link(run.words, run.page())) { test in
            let details = results.details[test]
            return row(
                test, attempts: details?.attempts ?? [], time: TestRow.words(for: results.durations[test]),
                failure: details?.failureNumber.map { run.page(RunAnchors.failure($0)) })
        }
    }

    private func page(of run: Link, row: (Int) -> TestRow) -> TestsPage {
        let catalog = results.catalog
        let suites = catalog.suites.map { range in
            TestSuite(
                catalog.tests[range.lowerBound].id.suite, OutcomeTally(results.outcomes[range]), rows: range.map(row))
        }
        return TestsPage(
            target: target, package: results.package, outcomes: OutcomeTally(results.outcomes), suites: suites,
            crumbs: [Link(catalog.project, links.project(catalog.project)), run], links: links)
    }

    private func row(
        _ test: Int, attempts: [TestAttempt] = [], time: any TemplateValue & Sendable, failure: String? = nil
    ) -> TestRow {
        let described = results.catalog.tests[test]
        // Which library ran it is not shown.
        let result = TestResult(
            id: described.id, library: .foreign, outcome: results.outcomes[test], displayName: described.displayName,
            attempts: attempts, skipReason: described.skipReason)
        let history = links.find(.test(result.id, project: results.catalog.project))
        return TestRow(result, history: history, time: time, failure: failure)
    }
}
