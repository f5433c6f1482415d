import Foundation
import RunModel
import TestSupport
import Testing

@testable import Storage

/// What a page of tests is made of, out of what runs share.
@Suite struct ModuleResultsTests {
    /// A run of some modules, of which each test takes another time in every run.
    private static func run(_ number: Int, modules: KeyValuePairs<String, Int>, seed: UInt64 = 1) -> TestRun {
        var run = SampleRuns.passing(number)
        var random = SplitMix64(seed: seed &+ UInt64(number))
        run.tests = modules.flatMap { module, count in
            (0..<count).map { test in
                let id = TestID(module: module, suite: "S\(test / 7)", name: "t\(test)")
                let isSkipped = test % 11 == 3
                let isNotRun = !isSkipped && test % 13 == 5
                // Now and then one takes so much longer than before that a byte does not tell it.
                let duration = Duration.nanoseconds(random.below(random.below(9) == 0 ? 1 << 40 : 5_000_000))
                let outcome: Outcome = isSkipped ? .skipped : isNotRun ? .notRun : .passed
                // One was skipped on its way, another has a warning.
                let hasRun = outcome == .passed || (isSkipped && test % 2 == 0)
                let issues = test % 17 == 1 ? [Issue(message: "slow", isWarning: true)] : []
                return TestResult(
                    id: id, library: test % 2 == 0 ? .xctest : .swiftTesting, outcome: outcome,
                    displayName: test % 5 == 0 ? "<\(test)> \u{E9}" : nil,
                    attempts: hasRun ? [TestAttempt(outcome: outcome, duration: duration, issues: issues)] : [],
                    skipReason: isSkipped ? "no network" : nil)
            }
        }
        run.tests.sort { $0.id < $1.id }
        return run
    }

    /// The results of a module as they are in the whole run.
    private static func expect(
        _ store: RunStore, _ id: RunID, _ module: String, location: Testing.SourceLocation = #_sourceLocation
    ) throws {
        let all = try #require(try store.run(id)).run.tests
        let tests = all.filter { $0.id.module.utf8.elementsEqual(module.utf8) }
        let results = try store.results(ofModule: module, in: id)
        guard !tests.isEmpty else {
            #expect(results == nil, sourceLocation: location)
            return
        }
        let found = try #require(results, sourceLocation: location)
        #expect(found.run == id, sourceLocation: location)
        #expect(found.outcomes == tests.map(\.outcome), sourceLocation: location)
        #expect(found.durations == tests.map(\.duration), sourceLocation: location)
        let described = tests.map {
            TestDescription(id: $0.id, displayName: $0.displayName, skipReason: $0.skipReason)
        }
        #expect(found.catalog.tests == described, sourceLocation: location)
        #expect(found.catalog.suites.flatMap { $0 } == Array(tests.indices), sourceLocation: location)
        for range in found.catalog.suites {
            #expect(Set(tests[range].map(\.id.suite)).count == 1, sourceLocation: location)
        }
        let failures = all.filter(\.outcome.isFailure).map(\.id)
        for (place, test) in tests.enumerated() {
            let number = failures.firstIndex(of: test.id).map { $0 + 1 }
            let details = test.hasDetails ? TestDetails(attempts: test.attempts, failureNumber: number) : nil
            #expect(found.details[place] == details, sourceLocation: location)
        }
    }

    @Test func `they are those of the whole run, for the newest and for those before`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for number in 1...12 {
            // Tests come and go; the second module is not always there.
            let modules: KeyValuePairs = number % 4 == 0 ? ["A": 40] : ["A": 40 + number % 3, "B": 3, "C": 130]
            try store.ingest(Self.run(number, modules: modules))
            // What was remembered of the state before is asked for again in this one.
            for known in 1...number {
                for module in ["A", "B", "C", "D", ""] { try Self.expect(store, SampleRuns.id(known), module) }
            }
        }
        // A run that was ended while a test was running.
        var ended = Self.run(23, modules: ["A": 40, "C": 2])
        ended.tests[7].outcome = .notRun
        ended.tests[7].attempts = [
            TestAttempt(outcome: .notRun, duration: .seconds(1), issues: [Issue(message: "its process was ended")])
        ]
        // Failures in two modules, of tests that ran more than once, too.
        var failed = Self.run(24, modules: ["A": 40, "C": 130])
        for place in stride(from: 2, to: failed.tests.count, by: 9) {
            let attempts = [Outcome.failed, .crashed].prefix(place % 2 + 1).map { outcome in
                TestAttempt(outcome: outcome, duration: .nanoseconds(place), issues: [Issue(message: "\(place) <é>")])
            }
            failed.tests[place].outcome = attempts.last?.outcome ?? .failed
            failed.tests[place].attempts = attempts
        }
        let runs = [SampleRuns.failing(20), SampleRuns.undecided(21), SampleRuns.unsteady(22), ended, failed]
        var known: [TestRun] = []
        for run in runs + [Self.run(25, modules: ["A": 40, "C": 130])] {
            try store.ingest(run)
            known.append(run)
            // Of all but the newest, durations are rounded.
            for _ in 0..<2 {
                for run in known {
                    for module in Set(run.tests.map(\.id.module)) { try Self.expect(store, run.id, module) }
                }
            }
        }
        #expect(try store.results(ofModule: "A", in: SampleRuns.id(50)) == nil)
    }

    @Test(arguments: [
        ("DELETE FROM run_results", "a run has no results"),
        ("DELETE FROM attempt", "an attempt of a test is missing"),
        ("UPDATE issue SET attempt = 7", "an issue has no attempt"),
        ("UPDATE run_results SET endings = X'0003'", "a packed value is damaged"),
        ("UPDATE run_results SET durations = X'0003'", "a packed value is"),
        ("UPDATE run_results SET editions = roster", "a description is missing"),
    ])
    func `damage is told, whether they were read before or not`(sql: String, reason: String) throws {
        for isKnown in [false, true] {
            let place = try TemporaryStore()
            let store = try place.open()
            let run = SampleRuns.unsteady(1)
            try store.ingest(run)
            let modules = Set(run.tests.map(\.id.module))
            if isKnown { for module in modules { _ = try store.results(ofModule: module, in: run.id) } }
            try store.write { try $0.statement(sql).execute() }
            var told: [String] = []
            for module in modules {
                do { _ = try store.results(ofModule: module, in: run.id) } catch { told.append("\(error)") }
            }
            #expect(told.contains { $0.contains(reason) }, "\(told)")
        }
    }

    @Test func `names of modules are compared byte by byte`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(Self.run(1, modules: ["\u{E9}": 3, "e\u{301}": 5]))
        #expect(try store.results(ofModule: "\u{E9}", in: SampleRuns.id(1))?.outcomes.count == 3)
        #expect(try store.results(ofModule: "e\u{301}", in: SampleRuns.id(1))?.outcomes.count == 5)
    }

    @Test func `runs of the same tests have the same catalog, also when the store has changed`() throws {
        let place = try TemporaryStore()
        let writer = try place.open()
        for number in 1...2 { try writer.ingest(Self.run(number, modules: ["A": 20])) }
        let store = try RunStore(readOnly: place.path)
        func catalog(_ number: Int) throws -> TestCatalog {
            try #require(try store.results(ofModule: "A", in: SampleRuns.id(number))).catalog
        }
        let first = try catalog(1)
        #expect(try catalog(2) === first)
        try writer.ingest(Self.run(3, modules: ["A": 20]))
        #expect(try catalog(1) === first)
        #expect(try catalog(3) === first)
        try writer.ingest(Self.run(4, modules: ["A": 21]))
        #expect(try catalog(4) !== first)
        #expect(try catalog(2) === first)
    }

    @Test func `content that takes the number of what was removed is not taken for it`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        // The newest stays, and what came in behind it leaves its numbers to what comes next.
        try store.ingest(Self.run(9, modules: ["B": 2]))
        var rosters: [Int64] = []
        for round in 0..<4 {
            // Other tests in each round, as many of them.
            var run = Self.run(round + 1, modules: ["A": 30])
            run.startedAt = SampleRuns.moment.addingTimeInterval(-1000)
            run.tests = run.tests.map { test in
                var test = test
                test.id = TestID(module: "A", suite: "R\(round)", name: test.id.name)
                return test
            }
            run.tests.sort { $0.id < $1.id }
            try store.ingest(run)
            try Self.expect(store, run.id, "A")
            rosters += try store.read { try $0.statement("SELECT max(roster) FROM run_results").all { $0.integer(0) } }
            #expect(try store.prune(keeping: Retention(newest: 0), isDryRun: false).removed.map(\.id) == [run.id])
            #expect(try store.results(ofModule: "A", in: run.id) == nil)
        }
        #expect(Set(rosters).count < rosters.count)
    }

    @Test func `what does not fit is forgotten, and right all the same`() throws {
        let memory = ModuleCache(room: 2_500)
        func key(_ number: Int64) -> ModuleCache.Key {
            ModuleCache.Key(
                tests: .init(project: 1, roster: number, editions: 1, module: []), baselineRoster: 1, baseline: 1)
        }
        func lists(_ count: Int) -> ModuleCache.Lists {
            let id = TestID(module: "m", suite: "", name: String(repeating: "n", count: 50))
            let catalog = TestCatalog(project: "p", tests: (0..<count).map { _ in TestDescription(id: id) })
            return ModuleCache.Lists(range: 0..<count, count: count, tests: [], catalog: catalog, baseline: [])
        }
        let version = StoreVersion(opening: 1, data: 1)
        func known() -> [Int64] { (1...4).filter { memory.lists(key($0), in: version) != nil } }
        for number in 1...3 as ClosedRange<Int64> { _ = memory.keep(lists(3), key(number), in: version) }
        #expect(known() == [1, 2, 3])
        #expect(memory.lists(key(1), in: StoreVersion(opening: 1, data: 2)) == nil)
        #expect(memory.keep(lists(6), key(4), in: version).range == 0..<6)
        #expect(known() == [1, 2, 3])
        // One that takes the place of another needs no room.
        #expect(memory.keep(lists(3), key(2), in: version).range == 0..<3)
        #expect(known() == [1, 2, 3])
        _ = memory.keep(lists(3), key(4), in: version)
        #expect(known() == [4])
    }

    @Test func `the durations of some tests are those among the durations of all`() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<200 {
            let count = random.below(60)
            func list() -> [Int64?] {
                (0..<count).map { _ in random.below(6) == 0 ? nil : Int64(random.below(1 << random.below(40))) }
            }
            let (exact, base) = (list(), list().map { $0.map(RoundedDurations.step) })
            let packed = try DurationList.encode(exact.map { $0.map(RoundedDurations.step) }, from: base).packed
            let all = try DurationList.decode(packed, from: base)
            let start = random.below(count + 1)
            let range = start..<start + random.below(count - start + 1)
            let some = try DurationList.decode(packed, at: range, of: count, from: Array(base[range]), exact: nil)
            #expect(some == Array(all[range]))
            let kept = ExactDurations.encode(exact)
            let precise = try DurationList.decode(packed, at: range, of: count, from: Array(base[range]), exact: kept)
            #expect(precise == Array(exact[range]))
            #expect(throws: UnreadableContent.self) {
                try DurationList.decode(packed, at: 0..<count + 1, of: count + 1, from: base + [nil], exact: nil)
            }
        }
    }

    @Test func `the beginning of what was packed comes out alone, and what is cut is refused`() throws {
        var random = SplitMix64(seed: 6)
        let noise = (0..<3_000).map { _ in UInt8(random.below(40)) }
        for bytes in [[], [7], noise, [UInt8](repeating: 3, count: 3_000)] as [[UInt8]] {
            let packed = try Deflate.packed(bytes)
            for wanted in [0, 1, bytes.count / 2, bytes.count] where wanted <= bytes.count {
                #expect(try Deflate.unpacked(packed, first: wanted) == Array(bytes.prefix(wanted)))
            }
            #expect(throws: UnreadableContent.self) { try Deflate.unpacked(packed, first: bytes.count + 1) }
            for length in packed.indices {
                // Whatever is left says what the whole said, or nothing.
                let rest = try? Deflate.unpacked(Array(packed[..<length]), first: bytes.count)
                #expect(rest == nil || rest == bytes)
            }
        }
    }
}
