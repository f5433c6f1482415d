import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct RunFilterTests {
    /// Six runs, one a day, of two branches and two authors; the second of each three failed.
    private static func store(
        _ place: borrowing TemporaryStore, changing change: (inout TestRun, Int) -> Void = { _, _ in }
    ) throws -> RunStore {
        let store = try place.open()
        for number in 1...6 {
            var run = number % 3 == 2 ? SampleRuns.failing(number) : SampleRuns.passing(number)
            run.startedAt = Date(timeIntervalSince1970: 1_767_225_600 + Double(number - 1) * 86_400)
            run.revision?.branch = number.isMultiple(of: 2) ? "fix/a" : "main"
            run.revision?.author = number <= 3 ? "山田 花子" : "Ana O'Hara"
            change(&run, number)
            _ = try store.ingest(run, verdict: try Verdict(judging: run, by: Policy()), runDirectory: nil)
        }
        return store
    }

    /// Lines of the first module of a run, so many of them covered.
    private static func coverage(_ covered: Int, of total: Int, in run: TestRun) -> Coverage {
        let lines = (1...total).map { LineCount(line: Int32($0), count: ExecutionCount($0 <= covered ? 1 : 0)) }
        let module = run.modules.first { $0.isSwift && $0.kind != .test }?.name ?? ""
        let tally = CoverageTally(covered: covered, total: total)
        return Coverage(files: [
            FileCoverage(path: "a.swift", module: module, lines: lines, regions: tally, functions: tally)
        ])
    }

    @Test(arguments: [
        (RunFilter(), "654321"), (RunFilter(branch: "fix/a"), "642"), (RunFilter(branch: "fix"), ""),
        (RunFilter(decision: .failed), "52"), (RunFilter(author: "花"), "321"), (RunFilter(author: "O'H"), "654"),
        (RunFilter(since: CalendarDay("2026-01-05")), "65"), (RunFilter(until: CalendarDay("2026-01-02")), "21"),
        (RunFilter(since: CalendarDay("2026-01-03"), until: CalendarDay("2026-01-03")), "3"),
        (RunFilter(branch: "main", decision: .failed, author: "Ana"), "5"),
    ])
    func `a list has the runs that are asked for, page after page`(filter: RunFilter, numbers: String) throws {
        let place = try TemporaryStore()
        let store = try Self.store(place)
        for project in [SampleRuns.passing().project, nil] {
            var found: [RunID] = []
            while true {
                let scope = project.map { ProjectScope.named([$0]) } ?? .all
                let page = try store.runs(filter, in: scope, before: found.last, limit: 2)
                guard !page.isEmpty else { break }
                found += page.map(\.id)
            }
            #expect(found == numbers.compactMap { $0.wholeNumberValue }.map { SampleRuns.id($0) })
        }
        #expect(try store.runs(filter, in: .named(["another"]), limit: 9) == [])
    }

    @Test(arguments: [
        (ListOrder(.time, isDescending: false), RunFilter(), "123456"),
        (ListOrder(.verdict), RunFilter(), "526431"), (ListOrder(.verdict, isDescending: false), RunFilter(), "643152"),
        (ListOrder(.duration), RunFilter(), "523146"),
        (ListOrder(.duration, isDescending: false), RunFilter(), "641352"),
        (ListOrder(.coverage, isDescending: true), RunFilter(), "416352"),
        (ListOrder(.coverage), RunFilter(), "631452"),
        (ListOrder(.duration), RunFilter(branch: "main"), "531"),
        (ListOrder(.duration), RunFilter(author: "Ana", since: CalendarDay("2026-01-05")), "56"),
        (ListOrder(.duration), RunFilter(until: CalendarDay("2026-01-03")), "231"),
    ])
    func `a list has its order page after page`(order: ListOrder, filter: RunFilter, numbers: String) throws {
        let place = try TemporaryStore()
        let store = try Self.store(place) { run, number in
            // Two and five failed, and have no coverage; three and six are alike in it.
            run.duration = .seconds([3, 9, 4, 2, 9, 1][number - 1])
            let covered = [2, 0, 1, 3, 0, 1][number - 1]
            run.coverage = [2, 5].contains(number) ? nil : Self.coverage(covered, of: 3, in: run)
        }
        var other = SampleRuns.passing(9)
        other.project = "other"
        _ = try store.ingest(other, verdict: try Verdict(judging: other, by: Policy()), runDirectory: nil)
        var found: [RunID] = []
        while true {
            let project = SampleRuns.passing().project
            let page = try store.runs(filter, in: .named([project]), before: found.last, order: order, limit: 2)
            guard !page.isEmpty else { break }
            found += page.map(\.id)
        }
        #expect(found == numbers.compactMap { $0.wholeNumberValue }.map { SampleRuns.id($0) })
        #expect(try store.runs(in: .all, order: order, limit: 9).count == 7)
    }

    @Test func `an author is kept`() throws {
        let place = try TemporaryStore()
        let store = try Self.store(place)
        #expect(try store.summary(of: SampleRuns.id(1))?.revision?.author == "山田 花子")
        #expect(try store.run(SampleRuns.id(6))?.run.revision?.author == "Ana O'Hara")
    }
}
