import TestSupport
import Testing

@testable import Gate

/// Searches for a commit that broke a test, with answers that are made up.
@Suite struct CulpritSearchTests {
    /// A history of which everything is known.
    private struct History {
        /// How likely each commit is to be the culprit, by what it touches.
        var weights: [Double]
        /// The place of the commit that broke the test; 0 where it always failed, one more than there are commits where it never did.
        var culprit: Int
        /// How often the test fails before, and passes from there on.
        var failsBefore = 0.0
        var passesFrom = 0.0
        /// What the store knows of the time before.
        var past = (failures: 0, passes: 0)

        func fails(at place: Int, _ random: inout SplitMix64) -> Bool {
            let chance = random.chance()
            return place >= culprit ? chance >= passesFrom : chance < failsBefore
        }

        /// What the search answers, and how often the test ran for it.
        func search(_ random: inout SplitMix64) throws -> (step: CulpritSearch.Step, runs: Int) {
            var search = try #require(CulpritSearch(weights: weights, past: past))
            while case .run(let place, _) = search.decision() {
                search.observe(isFailure: fails(at: place, &random), at: place)
            }
            return (search.decision(), search.runs)
        }

        /// What `git bisect` answers where a commit is good as soon as one of three tries passes, and how often the test ran for it.
        func bisect(_ random: inout SplitMix64) -> (place: Int, runs: Int) {
            var (good, bad, runs) = (0, weights.count, 0)
            while bad - good > 1 {
                let middle = (good + bad) / 2
                var isGood = false
                for _ in 1...3 where !isGood {
                    isGood = !fails(at: middle, &random)
                    runs += 1
                }
                if isGood { good = middle } else { bad = middle }
            }
            return (bad, runs)
        }

        /// A history of 64 commits, of which about a third touches what the test executes: in nine of ten cases the culprit does.
        static func made(_ rate: Double, _ random: inout SplitMix64) -> History {
            let weights = (1...64).map { _ in
                random.chance() < 0.3 ? CommitWeights.related : CommitWeights.unrelated
            }
            var culprit: Int
            var isRelated: Bool
            repeat {
                culprit = 1 + random.below(64)
                isRelated = random.chance() < 0.9
            } while (weights[culprit - 1] == CommitWeights.related) != isRelated
            let failures = (1...20).count { _ in random.chance() < rate }
            return History(
                weights: weights, culprit: culprit, failsBefore: rate, past: (failures, 20 - failures))
        }
    }

    /// What a row of searches came to.
    private struct Tally: CustomStringConvertible {
        var right = 0
        var wrong = 0
        var runs = 0
        var rightByBisecting = 0
        var runsByBisecting = 0

        var description: String {
            "\(right) right and \(wrong) wrong by \(runs) runs; "
                + "git bisect: \(rightByBisecting) right by \(runsByBisecting)"
        }
    }

    /// - Parameter bothWays: Whether the test also passes as often where it is broken as it fails where it is not.
    private func tally(_ count: Int, rate: Double, bothWays: Bool = false, seed: UInt64) throws -> Tally {
        var random = SplitMix64(seed: seed)
        var tally = Tally()
        for _ in 1...count {
            var history = History.made(rate, &random)
            if bothWays { history.passesFrom = rate }
            let (step, runs) = try history.search(&random)
            tally.runs += runs
            if case .named(let places, let probability) = step {
                #expect(probability >= CulpritSearch.surenessAtAnyRate)
                if places == history.culprit...history.culprit { tally.right += 1 } else { tally.wrong += 1 }
            }
            let bisected = history.bisect(&random)
            tally.runsByBisecting += bisected.runs
            if bisected.place == history.culprit { tally.rightByBisecting += 1 }
        }
        return tally
    }

    /// Rates of 0, 5, 20 and 30 %. A failing expectation prints how many were right and how often the test ran, beside what `git bisect`
    /// with three tries for each commit does.
    @Test(.slow, arguments: [(0.0, 1), (0.05, 6), (0.2, 21), (0.3, 31)] as [(Double, UInt64)])
    func `of a thousand histories no wrong commit is named, however flaky the test is`(
        rate: Double, seed: UInt64
    ) throws {
        let tally = try tally(1_000, rate: rate, seed: seed)
        #expect(tally.wrong == 0, "\(tally)")
        #expect(tally.right >= 999, "\(tally)")
        if rate == 0 { #expect(tally.runs <= tally.runsByBisecting + 3 * 1_000, "\(tally)") }
        if rate >= 0.2 { #expect(tally.right >= tally.rightByBisecting + 20, "\(tally)") }
        #expect(tally.runs <= 32 * 1_000, "\(tally)")
    }

    /// Rates of 5, 20 and 30 %, each with how many searches are made and how many of them have to name the culprit.
    @Test(
        .slow,
        arguments: [(0.05, 6, 400, 395), (0.2, 21, 400, 390), (0.3, 31, 150, 100)] as [(Double, UInt64, Int, Int)])
    func `where a broken test passes by chance, too, hardly any name is wrong`(
        rate: Double, seed: UInt64, count: Int, least: Int
    ) throws {
        let tally = try tally(count, rate: rate, bothWays: true, seed: seed)
        #expect(tally.wrong <= 1, "\(tally)")
        #expect(tally.right >= least, "\(tally)")
    }

    @Test func `a test that is not flaky needs at most three runs more than git bisect with three tries`() throws {
        let tally = try tally(40, rate: 0, seed: 1)
        #expect((tally.right, tally.wrong) == (40, 0), "\(tally)")
        #expect(tally.runs <= tally.runsByBisecting + 3 * 40, "\(tally)")
    }

    @Test func `a test that was never broken, or always was, accuses no commit`() throws {
        var random = SplitMix64(seed: 3)
        let weights = Array(repeating: CommitWeights.related, count: 16)
        for _ in 1...10 {
            let never = try History(weights: weights, culprit: 17, past: (0, 20)).search(&random)
            #expect(never.step == .notNamed(.passesAtBadEnd))
            let always = try History(weights: weights, culprit: 0, past: (0, 20)).search(&random)
            #expect(always.step == .notNamed(.failsAtGoodEnd))
            #expect(never.runs <= 18)
            #expect(always.runs <= 10)
        }
    }

    @Test func `how sure a name is takes nothing for granted of how often a broken test passes by chance`() throws {
        var search = try #require(CulpritSearch(weights: Array(repeating: 1, count: 4), past: (0, 20)))
        for (place, failures, passes) in [(4, 4, 0), (3, 4, 0), (2, 0, 2), (0, 0, 2)] {
            for number in 0..<(failures + passes) { search.observe(isFailure: number < failures, at: place) }
        }
        // A test that passes in a third of its runs where it is broken may pass twice.
        let leading = try #require(search.leading)
        #expect(leading.places == 3...3)
        #expect(leading.probability < CulpritSearch.surenessAtAnyRate)
        // More passes before it tell.
        for _ in 1...2 { search.observe(isFailure: false, at: 2) }
        guard case .named(let places, let probability) = search.next() else {
            Issue.record("\(search.next())")
            return
        }
        #expect(places == 3...3)
        #expect(probability >= CulpritSearch.surenessAtAnyRate && probability < CulpritSearch.sureness)
    }

    @Test func `a regression that shows in nine of ten runs is found`() throws {
        var random = SplitMix64(seed: 9)
        var named = 0
        for _ in 1...20 {
            var history = History.made(0, &random)
            history.passesFrom = 0.1
            let (step, _) = try history.search(&random)
            guard case .named(let places, _) = step else { continue }
            #expect(places == history.culprit...history.culprit)
            named += 1
        }
        #expect(named >= 19)
    }
}

extension CulpritSearchTests {
    /// Eight commits of which the third is the culprit.
    private func answer(_ search: inout CulpritSearch, culprit: Int = 3) -> [Int] {
        var places: [Int] = []
        while case .run(let place, let times) = search.next() {
            for _ in 0..<times { search.observe(isFailure: place >= culprit, at: place) }
            places.append(place)
        }
        return places
    }

    @Test func `both ends are run before anything else, and what is named failed there and passed before`() throws {
        var search = try #require(CulpritSearch(weights: Array(repeating: 1, count: 8), past: (0, 20)))
        let places = answer(&search)
        #expect(places.prefix(2) == [8, 0])
        guard case .named(let named, let probability) = search.next() else {
            Issue.record("\(search.next())")
            return
        }
        #expect(named == 3...3)
        #expect(probability >= CulpritSearch.surenessAtAnyRate)
        #expect(search.tally(at: 2).passes > 0)
        #expect(search.tally(at: 3).failures > 0)
        #expect(search.left == 1)
        #expect(search.leading?.places == 3...3)
    }

    @Test func `what is known of a commit costs no run, but checks no end`() throws {
        var plain = try #require(CulpritSearch(weights: Array(repeating: 1, count: 32), past: (0, 20)))
        var knowing = plain
        for place in 0...2 { knowing.know(failures: 0, passes: 1, at: place) }
        for place in 4...32 { knowing.know(failures: 1, passes: 0, at: place) }
        #expect(knowing.next() == .run(32, times: 1))
        _ = answer(&plain)
        let places = answer(&knowing)
        #expect(places.prefix(2) == [32, 0])
        #expect(knowing.runs < plain.runs)
        #expect(knowing.leading?.places == 3...3)
    }

    @Test func `a commit that touches what the test executes is looked at first`() throws {
        var weights = Array(repeating: CommitWeights.unrelated, count: 32)
        weights[20] = CommitWeights.related
        var search = try #require(CulpritSearch(weights: weights, past: (0, 20)))
        let places = answer(&search, culprit: 21)
        #expect(places.dropFirst(2).prefix(2).allSatisfy { (20...21).contains($0) })
        #expect(places.count <= 8)
        // Where the guess is wrong, the runs decide.
        search = try #require(CulpritSearch(weights: weights, past: (0, 20)))
        _ = answer(&search, culprit: 5)
        #expect(search.leading?.places == 5...5)
    }

    @Test func `commits that cannot be tested are named together with the next one that can`() throws {
        var search = try #require(CulpritSearch(weights: Array(repeating: 1, count: 8), past: (0, 20)))
        for place in [3, 4] { search.skip(place) }
        _ = answer(&search, culprit: 4)
        guard case .named(let named, _) = search.next() else {
            Issue.record("\(search.next())")
            return
        }
        #expect(named == 3...5)
        var elsewhere = try #require(CulpritSearch(weights: Array(repeating: 1, count: 8), past: (0, 20)))
        for place in [3, 4] { elsewhere.skip(place) }
        _ = answer(&elsewhere, culprit: 7)
        #expect(elsewhere.leading?.places == 7...7)
    }

    @Test func `an end that cannot be tested ends the search`() throws {
        var search = try #require(CulpritSearch(weights: [1, 1]))
        search.skip(2)
        #expect(search.next() == .notNamed(.badEndNotTested))
        search = try #require(CulpritSearch(weights: [1, 1]))
        search.observe(isFailure: true, at: 2)
        search.skip(0)
        #expect(search.next() == .notNamed(.goodEndNotTested))
        #expect(CulpritSearch(weights: []) == nil)
    }

    @Test func `what is built already is run more often than what has to be built`() throws {
        var search = try #require(CulpritSearch(weights: Array(repeating: 1, count: 8), past: (1, 9)))
        search.observe(isFailure: true, at: 8)
        search.observe(isFailure: false, at: 0)
        let free = try #require(search.place(CulpritSearch.Costs()))
        let dear = search.next(CulpritSearch.Costs(build: 1_000, run: 1, built: 1))
        guard case .run(let place, let times) = dear else {
            Issue.record("\(dear)")
            return
        }
        #expect((free, place) == (4, 1))
        #expect((1...5).contains(times))
    }

    @Test func `the same answers lead to the same questions`() throws {
        var (one, other) = (SplitMix64(seed: 5), SplitMix64(seed: 5))
        for _ in 1...5 {
            let left = try History.made(0.2, &one).search(&one)
            let right = try History.made(0.2, &other).search(&other)
            #expect(left.step == right.step)
            #expect(left.runs == right.runs)
        }
    }
}

extension CulpritSearch {
    /// The place of the next run.
    fileprivate func place(_ costs: Costs) -> Int? {
        if case .run(let place, _) = next(costs) { place } else { nil }
    }
}

extension SplitMix64 {
    /// A number from 0 to 1.
    fileprivate mutating func chance() -> Double { Double(next() >> 11) * 0x1p-53 }
}
