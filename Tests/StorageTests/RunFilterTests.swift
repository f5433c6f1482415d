import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct RunFilterTests {
    /// Six runs, one a day, of two branches and two authors; the second of each three failed.
    private static func store(_ place: borrowing TemporaryStore) throws -> RunStore {
        let store = try place.open()
        for number in 1...6 {
            var run = number % 3 == 2 ? SampleRuns.failing(number) : SampleRuns.passing(number)
            run.startedAt = Date(timeIntervalSince1970: 1_767_225_600 + Double(number - 1) * 86_400)
            run.revision?.branch = number.isMultiple(of: 2) ? "fix/a" : "main"
            run.revision?.author = number <= 3 ? "山田 花子" : "Ana O'Hara"
            _ = try store.ingest(run, verdict: try Verdict(judging: run, by: Policy()), runDirectory: nil)
        }
        return store
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
                let page = try store.runs(filter, project: project, before: found.last, limit: 2)
                guard !page.isEmpty else { break }
                found += page.map(\.id)
            }
            #expect(found == numbers.compactMap { $0.wholeNumberValue }.map { SampleRuns.id($0) })
        }
        #expect(try store.runs(filter, project: "another", before: nil, limit: 9) == [])
    }

    @Test func `an author is kept`() throws {
        let place = try TemporaryStore()
        let store = try Self.store(place)
        #expect(try store.summary(of: SampleRuns.id(1))?.revision?.author == "山田 花子")
        #expect(try store.run(SampleRuns.id(6))?.run.revision?.author == "Ana O'Hara")
    }
}
