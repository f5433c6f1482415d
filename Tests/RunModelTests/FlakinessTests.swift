import Foundation
import TestSupport
import Testing

@testable import RunModel

@Suite struct FlakinessTests {
    private let test = TestID(module: "CoreTests", suite: "Zoo", name: "feeds")

    /// One letter a run, the oldest first: `p` passed, `f` failed, `r` failed and then passed. A run begins an hour after the one before,
    /// the first at 03:04:05.
    private func executions(
        _ letters: String, trees: [String?]? = nil, branch: String = "main",
        _ change: (Int, inout FlakeHistory.Execution) -> Void = { _, _ in }
    ) -> [FlakeHistory.Execution] {
        letters.enumerated().map { place, letter -> FlakeHistory.Execution in
            var execution = FlakeHistory.Execution(
                run: SampleRuns.id(place), startedAt: SampleRuns.moment.addingTimeInterval(Double(place) * 3600),
                commit: "commit \(place)", branch: branch, tree: trees.map { $0[place] } ?? "tree \(place)",
                isFailure: letter == "f", isRecovered: letter == "r")
            change(place, &execution)
            return execution
        }.reversed()
    }

    private func history(_ executions: [FlakeHistory.Execution], on branch: String? = "main") -> FlakeHistory {
        FlakeHistory(of: test, executions, on: branch, since: SampleRuns.moment, runs: executions.count)
    }

    @Test(arguments: [
        (0, 0, 0, 1000), (0, 10, 0, 278), (1, 10, 18, 404), (10, 10, 722, 1000), (12, 98, 71, 202), (5, 1000, 2, 12),
        (500, 1000, 469, 531), (0, 20, 0, 161), (3, 20, 52, 360), (20, 20, 839, 1000), (1, 1, 207, 1000),
        (50, 100, 404, 596),
    ])
    func `the bounds of a rate are Wilson's at 95 percent, in thousandths`(
        failures: Int, executions: Int, lower: Int, upper: Int
    ) {
        let bounds = FailureRate(failures: failures, executions: executions).bounds
        #expect([bounds.lowerBound, bounds.upperBound].map { Int(($0 * 1000).rounded()) } == [lower, upper])
        #expect(executions == 0 || bounds.contains(Double(failures) / Double(executions)))
    }

    @Test func `of a repeated test every failure counts, and nothing that came to no end of its own`() {
        let tally = TrialTally(passed: 5, failed: 1, crashed: 2, timedOut: 3, skipped: 4, unended: 6)
        #expect(FailureRate(tally) == FailureRate(failures: 6, executions: 11))
        #expect(FailureRate(TrialTally(skipped: 3)).bounds == 0...1)
    }

    @Test(
        arguments: [
            // It failed once in ten runs: four failures in a row are no chance, three may be.
            ("prpppppppp" + "fff", nil), ("prpppppppp" + "ffff", 4),
            // It never failed in twenty runs, but two are too few to tell.
            (String(repeating: "p", count: 20) + "ff", nil), (String(repeating: "p", count: 20) + "fff", 3),
            // It failed in every other run, or nothing is known: only ten are no chance.
            ("pfpfpfpfpf" + "ffffffff", nil), ("pfpfpfpfpf" + "fffffffff", 10), ("fffffffff", nil), ("ffffffffff", 10),
            ("pppfffffffffffp", nil),
        ] as [(String, Int?)])
    func `a test is broken when it fails in more runs in a row than its rate explains`(
        letters: String, failures: Int?
    ) {
        var streak = FailureStreak()
        for execution in executions(letters) {
            streak.add(isFailure: execution.isFailure, isRecovered: execution.isRecovered, in: execution.run)
        }
        let first = failures.map { SampleRuns.id(letters.count - $0) }
        #expect(streak.breakage == first.map { FlakyTest.Breakage(since: $0, failures: failures ?? 0) })
    }

    @Test func `of a broken test the rate is that of the runs before it broke`() {
        let found = history(executions("prppppppppffff"))
        #expect(
            found.test
                == FlakyTest(
                    id: test, disagreements: 1, flips: 1, failures: 4, recoveries: 1, executions: 14,
                    lastFailure: SampleRuns.id(13), breakage: FlakyTest.Breakage(since: SampleRuns.id(10), failures: 4))
        )
        #expect(found.kind == .broken)
        #expect(found.test.rate == FailureRate(failures: 1, executions: 10))
    }

    @Test func `a test that only broke was never flaky`() {
        #expect(history(executions("ppppppppppffff")).kind == nil)
        #expect(history(executions("pppp")).kind == nil)
    }

    @Test func `only runs of the default branch break a test`() {
        let main = executions("prpppppppp")
        let fix = executions("ffff", branch: "fix") { place, execution in
            execution.startedAt = SampleRuns.moment.addingTimeInterval(Double(20 + place) * 3600)
        }
        #expect(history(fix + main).kind == .flaky)
        #expect(history(fix + main, on: nil).kind == .broken)
        let copies = executions("prpppppppp" + "ffff", trees: (0..<14).map { $0 < 10 ? "tree \($0)" : nil })
        #expect(history(copies).kind == .flaky)
    }

    @Test func `since when it is flaky is said by the first and the last run that changed its outcome`() {
        let found = history(executions("pprpfp"))
        #expect(found.firstChange?.commit == "commit 2")
        #expect(found.lastChange?.run == SampleRuns.id(5))
        #expect(history(executions("pppp")).firstChange == nil)
        #expect(history(executions("fff")).lastChange == nil)
    }

    @Test func `it is counted where it fails, with whom and at which hour`() {
        let found = history(
            executions("pfrpp") { place, execution in
                execution.machine = [nil, "agent-1", "agent-1", "agent-2", ""][place]
                execution.toolchain = "6.3.\(place % 2)"
                execution.isAlone = place == 0
            })
        #expect(
            found.machines == [
                FlakeHistory.Place(name: "agent-1", rate: FailureRate(failures: 2, executions: 2)),
                FlakeHistory.Place(name: "agent-2", rate: FailureRate(failures: 0, executions: 1)),
            ])
        #expect(
            found.toolchains == [
                FlakeHistory.Place(name: "6.3.0", rate: FailureRate(failures: 1, executions: 3)),
                FlakeHistory.Place(name: "6.3.1", rate: FailureRate(failures: 1, executions: 2)),
            ])
        #expect(found.alone == FailureRate(failures: 0, executions: 1))
        #expect(found.inCompany == FailureRate(failures: 2, executions: 4))
        #expect(found.hours.map(\.executions) == (0..<24).map { (3...7).contains($0) ? 1 : 0 })
        #expect(found.hours.map(\.failures).enumerated().filter { $0.element > 0 }.map(\.offset) == [4, 5])
    }

    @Test func `failures are one kind when they say the same but for numbers`() {
        let found = history(
            executions("fffffpf") { place, execution in
                execution.isRead = place != 6
                execution.message =
                    ["waited 31 ms", "no host", "waited 7.25 ms", nil, "at 0x7fFe", nil, "unread"][place]
            })
        #expect(found.failures.map(\.message) == ["waited 31 ms", "at 0x7fFe", nil, "no host"])
        #expect(found.failures.map(\.count) == [2, 1, 1, 1])
        #expect(found.failures.first?.first.run == SampleRuns.id(0))
        #expect(found.failures.first?.last.run == SampleRuns.id(2))
        #expect(found.unread == 1)
    }

    @Test(arguments: [
        ("waited 31 ms", "waited # ms"), ("1,024.5 of 2", "# of #"), ("ends with 7.", "ends with #."),
        ("0xDEADbeef!", "#!"), ("0 x", "# x"), ("", ""), ("café ٣", "café ٣"), ("a1b2", "a#b#"),
    ])
    func `numbers of a message are left out`(message: String, shown: String) {
        #expect(FlakeHistory.withoutNumbers(message) == shown)
    }

    @Test(arguments: [
        ("word", "'word'"), ("it's", #"'it'\''s'"#), ("", "''"), ("'", #"''\'''"#),
        // To a String this quote is a letter with an accent.
        ("a'\u{301}; rm -rf", "'a'\\''\u{301}; rm -rf'"),
    ])
    func `a word is one word to a shell`(word: String, quoted: String) {
        #expect(Array(ShellWord.quoted(word).utf8) == Array(quoted.utf8))
    }
}
