import Gate
import RunModel
import Wording

/// The places within the page of a run that other places link to.
///
/// They are numbered and not named, because names of tests and modules may hold anything.
struct RunAnchors: Sendable {
    let links: RunLinks
    /// The tests that fail the run, in the order of the page.
    let failures: [TestResult]
    private let failureNumbers: [TestID: Int]
    private let modules: [ModuleCoverage]

    static let base = "base"
    static let diagnostics = "diagnostics"
    static let modulesTable = "modules"
    static let change = "change"
    static let tests = "tests"
    static let remarks = "remarks"

    init(_ links: RunLinks, tests: [TestResult], modules: [ModuleCoverage]) {
        self.links = links
        failures = tests.filter(\.outcome.isFailure)
        failureNumbers = Dictionary(
            failures.enumerated().map { ($1.id, $0 + 1) }, uniquingKeysWith: { first, _ in first }
        )
        self.modules = modules
    }

    /// The failed test of this identity.
    func failedTest(_ id: TestID) -> TestResult? { failureNumbers[id].map { failures[$0 - 1] } }

    /// The fragment of a failed test's card; of all failures when the page has no card for it.
    func failure(_ id: TestID) -> String { Self.failure(failureNumbers[id]) }

    /// The fragment of the card of the failed test of this number, counted from 1.
    static func failure(_ number: Int?) -> String {
        guard let number, number <= FailureCard.most else { return "#failures" }
        return "#failure-\(number)"
    }

    /// The fragment of a module's row.
    func module(_ name: String) -> String { fragment("module", name) }
    /// The fragment of a module's list of files.
    func files(_ name: String) -> String { fragment("files", name) }

    /// What a violation is about, with the name for readers of a failed test.
    func title(of violation: Violation) -> String {
        guard violation.isTestFailure, case .test(let id) = violation.subject else { return violation.title }
        return failedTest(id)?.title ?? violation.title
    }

    /// Where the page shows in full what a violation is about.
    func place(of violation: Violation) -> String {
        switch violation.subject {
        case .build: "#" + Self.diagnostics
        case .test(let id) where violation.isTestFailure: failure(id)
        case .test, .tests: "#" + Self.tests
        case .quarantine: "#" + Self.remarks
        case .module(let name): module(name)
        case .change, .project: "#" + Self.change
        case .file(let path): links.source(path)
        case .settings: "#" + Self.base
        }
    }

    /// Where all files are that a violation of a rule on coverage is about.
    func all(of violation: Violation) -> Link {
        guard case .module(let name) = violation.subject else { return Link("all of them", "#" + Self.change) }
        return Link("all files of \(name)", files(name))
    }

    private func fragment(_ kind: String, _ name: String) -> String {
        guard let index = modules.firstIndex(where: { Name($0.module) == Name(name) }) else {
            return "#" + Self.modulesTable
        }
        return "#\(kind)-\(index + 1)"
    }
}
