import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Pages

/// The lists whose order and whose filter stand in their addresses.
@Suite struct ListOrderTests {
    private static let moment = SampleRuns.moment

    /// The addresses with `sort` in a page, as a browser reads them.
    private static func heads(_ page: SheetPage) throws -> [String] {
        let html = try PageRenderer().render(page)
        return html.matches(of: /<th scope="col"[^>]*><a href="([^"]+)"/).map {
            String($0.output.1).replacing("&amp;", with: "&")
        }
    }

    @Test func `every head of a list leads to the list by it, and the filter stays`() throws {
        let entry = SamplePages.entry(SampleRuns.failing())
        let exceptions = SampleSheets.exceptions("p")
        let pages: [(SheetPage, [Head], Route)] = [
            (
                .home([SampleSheets.state("p", entry)], kept: "failed", now: SamplePages.now),
                ListColumns.projects, .home(kept: "failed")
            ),
            (
                .machines(SampleSheets.machines("p"), days: 30, kept: "ci", now: SamplePages.now),
                ListColumns.machines, .machines(kept: "ci")
            ),
            (
                .exceptions(exceptions, project: "p", run: entry, kept: "p", now: SamplePages.now),
                ProjectListKind.exceptions.columns, .list(.exceptions, project: "p", kept: "p")
            ),
            (
                .owners(SampleSheets.owners("p", entry), project: "p", kept: "@p"), ListColumns.owners,
                .list(.owners, project: "p", kept: "@p")
            ),
            (
                .flaky(
                    [FlakyTest(id: SampleSheets.test("p"))], project: "p", days: 30, window: FlakyWindow(),
                    owner: "@p", kept: "flaky"),
                ListColumns.flaky, .list(.flaky, project: "p", owner: "@p", kept: "flaky")
            ),
            (
                .selection(SampleSheets.ledger(entry), project: "p", kept: "red"), ListColumns.selection,
                .list(.selection, project: "p", kept: "red")
            ),
            (
                .unverified(SampleSheets.audit("p", entry), project: "p", kept: "none"), ListColumns.unverified,
                .list(.unverified, project: "p", kept: "none")
            ),
        ]
        for (page, columns, route) in pages {
            let routes = try Self.heads(page).map { try Route(target: $0) }
            let keys = columns.compactMap(\.key)
            #expect(routes.count == keys.count)
            for (found, key) in zip(routes, keys) {
                // Where the list stands in an order by itself, the head of it turns that round.
                let orders = [ListOrder(key), ListOrder(key).reversed]
                #expect(orders.map { route.ordered(by: $0) }.contains(found), "\(found.href)")
            }
        }
    }

    @Test func `a column that orders a list compares its entries, unless the list stands in that order by itself`() {
        func silent<Entry, Context>(_ columns: [ListColumn<Entry, Context>]) -> [ListOrder.Key] {
            columns.filter { $0.precedes == nil }.compactMap(\.head.key)
        }
        #expect(silent(SheetPage.flakyColumns) == [])
        #expect(silent(SheetPage.slowColumns) == [])
        #expect(silent(SheetPage.exclusionColumns) == [])
        #expect(silent(SheetPage.waiverColumns) == [])
        #expect(silent(SheetPage.quarantineColumns) == [])
        #expect(silent(SheetPage.disabledTargetColumns) == [])
        #expect(silent(SheetPage.ownerColumns) == [])
        #expect(silent(SheetPage.machineColumns) == [])
        #expect(silent(SheetPage.projectColumns) == [])
        #expect(silent(SheetPage.selectionColumns) == [.time])
        #expect(silent(SheetPage.unverifiedColumns) == [.time])
    }

    @Test func `machines that are not told one by one are counted`() {
        let machines = [
            DeliveringMachine(host: "a", token: "t", runs: 2), DeliveringMachine(host: "a", token: "u", runs: 1),
            DeliveringMachine(host: nil, token: "t", runs: 7, others: 3),
        ]
        let page = SheetPage.machines(machines, days: 30, now: Self.moment)
        #expect(
            page.summary == "4 machines delivered 10 runs that began in the last 30 days; none waits.")
    }

    @Test func `machines are ordered by what is known of them, and what is not known is least`() {
        let machines = [
            DeliveringMachine(host: "b", token: "t", runs: 2, lastHeard: Self.moment, waiting: 0),
            DeliveringMachine(
                host: nil, token: "t", runs: 1, refusals: [.conflict: 1, .tooLarge: 4], lastRefusal: nil),
            DeliveringMachine(
                host: "a", token: "u", runs: 3, lastHeard: Self.moment.addingTimeInterval(-60), waiting: 9,
                refusals: [.conflict: 3]),
        ]
        func hosts(_ order: ListOrder?) -> [String] { machines.listed(nil, by: order).map { $0.host ?? "-" } }
        #expect(hosts(nil) == ["b", "-", "a"])
        #expect(hosts(ListOrder(.name)) == ["-", "a", "b"])
        #expect(hosts(ListOrder(.runs)) == ["a", "b", "-"])
        #expect(hosts(ListOrder(.waiting)) == ["a", "b", "-"])
        #expect(hosts(ListOrder(.refused)) == ["-", "a", "b"])
        #expect(hosts(ListOrder(.time, isDescending: false)) == ["a", "-", "b"])
    }

    @Test func `exceptions are ordered table by table, by the columns that each has`() throws {
        let days = try ["2026-01-05", "2026-01-01", "2026-01-09"].map { try #require(CalendarDay($0)) }
        func waiver(_ subject: String, _ until: CalendarDay) -> Waiver {
            Waiver(subject: subject, until: until, reason: "r", commit: "c", line: 1)
        }
        func entry(_ test: String, _ owner: String, _ expires: CalendarDay, _ outcome: Outcome?) -> QuarantineStatus {
            QuarantineStatus(
                entry: QuarantineEntry(test: test, owner: owner, reason: "r", expires: expires), outcome: outcome)
        }
        var review = BaseReview(commit: BaseCommit(commit: "c", kind: .mergeBase, name: "main"))
        review.waivers = [
            WaiverStatus(waiver("T", days[0]), .standing), WaiverStatus(waiver("A", days[2]), .standing),
        ]
        let quarantine = [
            entry("M.c", "@a", days[1], .passed), entry("M.a", "@b", days[0], .failed),
            entry("M.b", "@a", days[2], nil),
        ]
        let all = Exceptions(
            Verdict(
                decision: .passed, violations: [], gaps: [], modules: [], quarantine: quarantine, policy: Policy(),
                base: review),
            disabledTargets: ["U", "T"])
        func names(_ order: ListOrder?, owner: String? = nil) -> [[String]] {
            let listed = all.listed(owner, by: order)
            return [
                listed.waivers.map(\.waiver.subject), listed.quarantine.map(\.entry.test),
                listed.disabledTargets.map(\.name),
            ]
        }
        #expect(names(nil) == [["T", "A"], ["M.c", "M.a", "M.b"], ["U", "T"]])
        #expect(names(ListOrder(.name)) == [["A", "T"], ["M.a", "M.b", "M.c"], ["T", "U"]])
        #expect(names(ListOrder(.expires)) == [["T", "A"], ["M.c", "M.a", "M.b"], ["T", "U"]])
        #expect(names(ListOrder(.owner)) == [["T", "A"], ["M.c", "M.b", "M.a"], ["U", "T"]])
        #expect(names(ListOrder(.outcome)) == [["T", "A"], ["M.a", "M.c", "M.b"], ["U", "T"]])
        #expect(names(ListOrder(.expires, isDescending: true), owner: "@a") == [[], ["M.b", "M.c"], []])
    }

    @Test func `owners are ordered by what they have, and what nobody is known to own is a digest like others`() {
        func digest(_ owner: String?, _ failed: Int, _ flaky: Int, _ covered: Int) -> OwnerDigest {
            var digest = OwnerDigest(owner: owner)
            let tests = (0..<9).map { TestID(module: "M", suite: "", name: "t\($0)") }
            digest.failed = Array(tests.prefix(failed))
            digest.flaky = tests.prefix(flaky).map { FlakyTest(id: $0) }
            digest.lines = CoverageTally(covered: covered, total: covered == 0 ? 0 : 10)
            return digest
        }
        let all = ProjectOwners(
            digests: OwnerDigests([digest("@b", 2, 0, 9), digest("@a", 1, 5, 0), digest(nil, 0, 7, 3)]))
        func owners(_ order: ListOrder?, _ owner: String? = nil) -> [String] {
            all.listed(owner, by: order).digests.list.map { $0.owner ?? "-" }
        }
        #expect(owners(nil) == ["@b", "@a", "-"])
        #expect(owners(ListOrder(.name)) == ["@a", "@b", "-"])
        #expect(owners(ListOrder(.failures, isDescending: false)) == ["-", "@a", "@b"])
        #expect(owners(ListOrder(.flaky)) == ["-", "@a", "@b"])
        // What has no lines is covered.
        #expect(owners(ListOrder(.coverage)) == ["-", "@b", "@a"])
        #expect(owners(ListOrder(.name), "@a") == ["@a"])
        #expect(owners(nil, "a") == [])
    }

    @Test func `flaky tests are ordered by how often they fail, a broken one by how often it did before`() {
        func test(_ name: String, _ failures: Int, of executions: Int, broken: Int = 0) -> FlakyTest {
            FlakyTest(
                id: TestID(module: "M", suite: "", name: name), failures: failures, executions: executions,
                breakage: broken == 0 ? nil : FlakyTest.Breakage(since: SampleRuns.id(1), failures: broken))
        }
        let tests = [
            test("a", 1, of: 10), test("b", 5, of: 100), test("c", 3, of: 4), test("d", 13, of: 20, broken: 10),
        ]
        #expect(tests.sorted(by: ListOrder(.rate)).map(\.id.name) == ["c", "d", "a", "b"])
        #expect(tests.sorted(by: ListOrder(.rate, isDescending: false)).map(\.id.name) == ["b", "a", "d", "c"])
    }

    @Test func `projects stand with what fails first, and those without a verdict before those that pass`() {
        let entry = SamplePages.entry(SampleRuns.failing())
        func state(_ name: String, _ decision: Decision?, _ runs: Int) -> ProjectState {
            var latest = decision.map { _ in entry }
            if let decision { latest?.decision = decision }
            return ProjectState(name: name, runs: runs, branch: "main", latest: latest, regressions: [])
        }
        let all = [
            state("a", .passed, 1), state("b", nil, 4), state("c", .failed, 2), state("d", .undecided, 3),
            state("e", .failed, 2),
        ]
        func names(_ kept: String?, _ order: ListOrder?) -> String { all.listed(kept, by: order).map(\.name).joined() }
        #expect(names(nil, nil) == "cedba")
        #expect(names(nil, ListOrder(.verdict, isDescending: false)) == "abdce")
        #expect(names(nil, ListOrder(.name, isDescending: true)) == "edcba")
        #expect(names(nil, ListOrder(.runs)) == "bdcea")
        #expect(names("failed", ListOrder(.name, isDescending: true)) == "ec")
        #expect(names("none", nil) == "b")
    }

    @Test func `a form is there where a list can be kept to something, and in no report without a server`() {
        func form(kept: String? = nil, by filter: ListFilter?, _ links: Links = .dashboard) -> ListForm? {
            ListForm(kept: kept, by: filter, ListOrder(.name), links: links) { _, kept in
                .home(kept: kept, order: ListOrder(.name))
            }
        }
        #expect(form(by: nil).map { _ in true } == nil)
        let choice = form(kept: "failed", by: .projects)
        #expect(choice?.action == "/" && choice?.texts.isEmpty == true)
        #expect(choice?.fields.map(\.value) == ["name", "asc"])
        #expect(choice?.choice?.options.filter(\.isSelected).map(\.value) == ["failed"])
        #expect(choice?.clear == "/?sort=name&order=asc")
        let text = form(by: .owner)
        #expect(text?.choice == nil && text?.texts.map(\.name) == ["owner"] && text?.clear == nil)
        let report = StaticNames(SampleRuns.passing()).links(from: "")
        #expect(form(by: .projects, report).map { _ in true } == nil)
    }
}

extension Route {
    /// The same list in an order.
    fileprivate func ordered(by order: ListOrder) -> Route {
        switch self {
        case .home(let kept, _): .home(kept: kept, order: order)
        case .machines(let kept, _): .machines(kept: kept, order: order)
        case .list(let list, let project, let tag, let owner, let kept, _):
            .list(list, project: project, tag: tag, owner: owner, kept: kept, order: order)
        default: self
        }
    }
}
