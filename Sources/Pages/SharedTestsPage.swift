public import RunModel

/// The tests of one target in a run in which a list has no more to say of any of them than how it ended and how long it took.
///
/// Most runs have them so, and ended in the same ways: their pages differ in the run and in the times. So the page is rendered
/// once with holes for these, and filled for each run.
public struct SharedTestsPage: Sendable {
    /// What the page hangs on beside the texts in its holes.
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

    var key: Key {
        Key(
            catalog: results.catalog, outcomes: results.outcomes, package: results.package, home: links.href(.home))
    }

    /// What is put into the holes: the run, the way to it, and the time of each test.
    var texts: [String] {
        let run = RunLinks(results.run, project: results.catalog.project, links)
        return [run.words, run.page()] + results.durations.map { TestRow.words(for: $0) }
    }

    /// The page with the holes.
    var hollow: TestsPage {
        let catalog = results.catalog
        let suites = catalog.suites.map { range in
            let rows = range.map { test in
                let described = catalog.tests[test]
                // Which library ran it is not shown.
                let result = TestResult(
                    id: described.id, library: .foreign, outcome: results.outcomes[test],
                    displayName: described.displayName, skipReason: described.skipReason)
                return TestRow(
                    result, history: links.find(.test(result.id, project: catalog.project)), time: Hole(text: 2 + test))
            }
            let outcomes = OutcomeTally(results.outcomes[range])
            return TestSuite(catalog.tests[range.lowerBound].id.suite, outcomes, rows: rows)
        }
        return TestsPage(
            target: target, package: results.package, outcomes: OutcomeTally(results.outcomes), suites: suites,
            crumbs: [
                Link(catalog.project, links.project(catalog.project)), Link(hollow: Hole(text: 0), Hole(text: 1)),
            ],
            links: links)
    }
}
