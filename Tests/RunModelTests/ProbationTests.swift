import Foundation
import RunModel
import Testing

@Suite struct ProbationTests {
    /// Of ten repetitions the published one-sided bounds at 95 % are 0.2589, 0.3942, 0.5069 and 0.7776.
    @Test(arguments: [
        (0, 10, 259), (1, 10, 395), (2, 10, 507), (5, 10, 778), (0, 40, 73), (3, 40, 183), (0, 20, 140), (0, 300, 10),
        (0, 1, 950), (30, 1_000, 41), (0, 100_000, 1), (99, 100, 1_000), (1, 1, 1_000), (10, 10, 1_000), (0, 0, 1_000),
    ])
    func `a test fails less often than the exact bound, which is rounded up`(
        failures: Int, repetitions: Int, permille: Int
    ) {
        #expect(FailureBound.permille(failures: failures, of: repetitions) == permille)
    }

    @Test(arguments: [(0, 7), (1, 10), (3, 40), (12, 50)])
    func `at the bound so few failures are seen in one of twenty series`(failures: Int, repetitions: Int) {
        let bound = FailureBound.upper(failures: failures, of: repetitions)
        var chance = 0.0
        for count in 0...failures {
            let ways = (0..<count).reduce(1.0) { $0 * Double(repetitions - $1) / Double($1 + 1) }
            chance += ways * pow(bound, Double(count)) * pow(1 - bound, Double(repetitions - count))
        }
        #expect(abs(chance - 0.05) < 1e-9)
    }

    @Test func `a seed draws the same in every process, and each series is its own`() {
        func drawn(_ seed: UInt64, _ series: Int, of elements: [Int] = Array(0..<10)) -> [Int] {
            SeededDraw(seed: seed, series: series).ordered(elements)
        }
        #expect(drawn(1, 0) == [9, 3, 8, 4, 0, 6, 5, 2, 1, 7])
        #expect(drawn(1, 1) == [7, 2, 9, 1, 3, 6, 8, 4, 0, 5])
        #expect(drawn(1, -1) == [4, 3, 0, 9, 6, 5, 7, 2, 1, 8])
        #expect(drawn(482_915_377, 0) == [6, 5, 4, 9, 0, 7, 2, 8, 3, 1])
        // What there is besides, and in which order, changes nothing.
        #expect(drawn(1, 0, of: [6, 0, 8, 2, 4]) == [8, 4, 0, 6, 2])
        #expect(drawn(5, 0, of: []) == [])
        #expect(drawn(5, 0, of: [7]) == [7])
    }

    private static func test(_ name: String) -> TestID { TestID(module: "CoreTests", suite: "A", name: name) }

    private static func entry(
        _ name: String, _ reason: Probation.Reason? = .new, _ counts: [Probation.Count] = []
    ) -> Probation.Entry {
        Probation.Entry(test: test(name), reason: reason, counts: counts)
    }

    @Test func `repetitions on few threads are counted apart`() {
        let entry = Self.entry(
            "a", .new,
            [
                Probation.Count(.alone, TrialTally(passed: 20)),
                Probation.Count(.drawnCompany, TrialTally(passed: 17, failed: 2, crashed: 1, skipped: 4, unended: 2)),
                Probation.Count(.oneThread, TrialTally(timedOut: 1)),
                Probation.Count(.twoThreads, TrialTally(passed: 4)),
            ])
        #expect(entry.usual == TrialTally(passed: 37, failed: 2, crashed: 1, skipped: 4, unended: 2))
        #expect([entry.usual.failures, entry.usual.executions] == [3, 40] as [Int])
        #expect([entry.narrow.failures, entry.narrow.executions] == [1, 5] as [Int])
        #expect(entry.hasFailed)
        #expect(!entry.isUnproven)
        let skipped = Self.entry("b", .new, [Probation.Count(.alone, TrialTally(skipped: 20, unended: 3))])
        #expect(skipped.isUnproven)
        #expect(!skipped.hasFailed)
        #expect(Probation.Way.allCases.map(\.poolWidth) == [nil, nil, nil, 1, 2])
    }

    @Test func `only what hangs with one thread, and never with more, is said to come again`() {
        func comesAgain(
            _ way: Probation.Way = .oneThread, _ outcome: Outcome = .timedOut,
            usual: TrialTally = TrialTally(passed: 20),
            one: TrialTally = TrialTally(timedOut: 1)
        ) -> Bool {
            var entry = Self.entry("a", .new, [Probation.Count(.alone, usual), Probation.Count(.oneThread, one)])
            entry.firstFailure = Probation.Failure(
                way: way, repetition: 2, sample: FailureSample(outcome: outcome, issues: []))
            return entry.comesAgain
        }
        #expect(comesAgain())
        let others = [
            comesAgain(.twoThreads), comesAgain(.alone), comesAgain(.oneThread, .failed),
            comesAgain(usual: TrialTally(passed: 19)), comesAgain(usual: TrialTally(passed: 40, timedOut: 1)),
            comesAgain(one: TrialTally(passed: 1, timedOut: 1)),
        ]
        #expect(others == Array(repeating: false, count: 6))
        #expect(!Self.entry("a").comesAgain)
    }

    @Test func `new tests come first, and the shards of a run are put together`() {
        let all = [
            Self.entry("e", nil), Self.entry("d", .file), Self.entry("c", .uses("x")), Self.entry("b", .changed),
            Self.entry("z", .new), Self.entry("a", .new),
        ]
        #expect(all.inOrder.map(\.test.name) == ["a", "z", "b", "c", "d", "e"])
        let one = Probation(
            base: "c", runs: 20, budget: .seconds(30), seed: 4, entries: [all[3], all[5]], unlisted: 1)
        let other = Probation(
            base: "c", runs: 20, budget: .seconds(30), seed: 5, entries: [all[4], all[5]], unlisted: 2,
            isCutShort: true, obstacle: "full disk")
        #expect(
            Probation.merged([one, other])
                == Probation(
                    base: "c", runs: 20, budget: .seconds(30), seed: 4, entries: [all[5], all[4], all[3]], unlisted: 3,
                    isCutShort: true, obstacle: "full disk"))
        #expect(Probation.merged([]) == nil)
        let many = Probation(
            runs: 1, budget: .zero, seed: 0,
            entries: (0..<Probation.mostTests).map { Self.entry(String(10_000 + $0)) })
        let merged = Probation.merged([many, one])
        #expect(merged?.entries.count == Probation.mostTests)
        #expect(merged?.unlisted == 3)
        #expect(merged?.fault == nil)
    }

    @Test func `it is kept as JSON, with durations in nanoseconds`() throws {
        let failure = Probation.Failure(
            way: .twoThreads, repetition: 3,
            sample: FailureSample(
                outcome: .timedOut,
                issues: [Issue(message: "it hangs", location: SourceLocation(path: "Tests/A.swift", line: 3))]),
            waiting: [Self.test("other")])
        var entry = Self.entry("a", .uses("makeServer"), [Probation.Count(.oneThread, TrialTally(timedOut: 1))])
        entry.firstFailure = failure
        let probation = Probation(
            base: "c0ffee", runs: 20, budget: .seconds(30), seed: 482_915_377, entries: [entry, Self.entry("b", nil)])
        let bytes = try JSONEncoder().encode(probation)
        #expect(try JSONDecoder().decode(Probation.self, from: bytes) == probation)
        #expect(String(decoding: bytes, as: UTF8.self).contains("\"budget\":30000000000"))
    }

    @Test func `what a stranger may send has limits`() {
        let sound = Probation(runs: 20, budget: .seconds(30), seed: 1, entries: [Self.entry("a")])
        #expect(sound.fault == nil)
        func fault(_ change: (inout Probation) -> Void) -> String? {
            var changed = sound
            change(&changed)
            return changed.fault
        }
        #expect(
            fault { $0.entries = Array(repeating: Self.entry("a"), count: 1_001) }
                == "probation: 1,001 entries, the limit is 1,000")
        #expect(fault { $0.runs = -1 } == "probation: -1 is not from 0 to 10,000,000")
        #expect(
            fault { $0.entries[0].counts = [Probation.Count(.alone, TrialTally(crashed: 10_000_001))] }
                == "probation: 10000001 is not from 0 to 10,000,000")
        #expect(
            fault { $0.entries[0].counts = Array(repeating: Probation.Count(.alone, TrialTally()), count: 21) }
                == "probation of a test: 21 entries, the limit is 5")
        #expect(
            fault { $0.entries[0].counts = [Probation.Count(.company, TrialTally(failed: 3, crashed: 2, timedOut: 1))] }
                == "probation: a test failed more than 5 times in one way")
        #expect(
            fault { $0.entries[0].counts = [Probation.Count(.alone, TrialTally(failed: .max, crashed: .max))] }
                == "probation: 9223372036854775807 is not from 0 to 10,000,000")
        func faultOfFailure(_ sample: FailureSample, waiting: Int = 0, fellows: Int = 0) -> String? {
            fault {
                $0.entries[0].firstFailure = Probation.Failure(
                    way: .alone, repetition: 1, sample: sample,
                    waiting: Array(repeating: Self.test("b"), count: waiting),
                    fellows: Array(repeating: Self.test("b"), count: fellows))
            }
        }
        let issue = Issue(message: String(repeating: "a", count: 8_000), argument: "b")
        #expect(
            faultOfFailure(FailureSample(outcome: .failed, issues: []), waiting: 21)
                == "waiting tests: 21 entries, the limit is 20")
        #expect(
            faultOfFailure(FailureSample(outcome: .failed, issues: []), fellows: 21)
                == "fellow tests: 21 entries, the limit is 20")
        #expect(
            faultOfFailure(FailureSample(outcome: .passed, issues: [])) == "probation: a first failure that is none")
        #expect(
            faultOfFailure(FailureSample(outcome: .failed, issues: [issue]))
                == "probation: a message is longer than 8,000 bytes")
        #expect(
            faultOfFailure(FailureSample(outcome: .failed, issues: Array(repeating: Issue(message: ""), count: 21)))
                == "issues: 21 entries, the limit is 10")
        #expect(
            fault { $0.obstacle = String(repeating: "a", count: 4_001) }
                == "probation: a text is longer than 4,000 bytes")
        #expect(fault { $0.budget = .seconds(-1) } == "probation: its budget is below zero")
        #expect(
            fault { $0.seed = .max } == "probation: the seed 18446744073709551615 is larger than 9007199254740991")
    }
}
