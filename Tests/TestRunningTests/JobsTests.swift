import Evidence
import Foundation
import RunModel
import TestResults
import TestRunning
import TestSupport
import Testing

/// Several processes at a time against one after the other, over a package in which classes crash, leave, fail and hang.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct JobsTests {
    /// A run, and what is read from it.
    private struct Reading {
        let sample: SampleRun
        let run: TestRun

        init(
            _ package: String, jobs: Int, selection: Selection = Selection(), retries: Int = 0,
            limits: RunLimits = RunLimits()
        ) async throws {
            sample = try await SampleRun(
                package, engine: .direct, selection: selection, jobs: jobs, retries: retries, limits: limits)
            run = try TestRun.read(from: RunDirectory(path: sample.directory))
        }

        /// Every test with how its attempts ended.
        var tests: [String] {
            run.tests.map { "\($0.id) \($0.outcome.rawValue): \($0.attempts.map(\.outcome.rawValue))" }
        }

        /// What every test printed, and what went wrong in it; without what the runtime says of a crash.
        var words: [String: [String]] {
            Dictionary(
                uniqueKeysWithValues: run.tests.map { test in
                    let messages = test.attempts.flatMap(\.issues).map { $0.message.prefix { $0 != "\n" } }
                    return (
                        "\(test.id)",
                        (test.outcome == .crashed ? [] : test.attempts.compactMap(\.output))
                            + messages.map(String.init)
                    )
                })
        }

        var passes: [TestPass] { sample.manifest.passes ?? [] }
    }

    @Test func `crashes, exits and failures cost what they cost one process after the other`() async throws {
        let awake = Selection(skips: ["SleepyTests"])
        let serial = try await Reading("Several", jobs: 1, selection: awake, retries: 1)
        #expect(
            serial.tests == [
                "FirstTests.CrashingTests/testA_before passed: [\"passed\"]",
                "FirstTests.CrashingTests/testB_crashes crashed: [\"crashed\"]",
                "FirstTests.CrashingTests/testC_after passed: [\"passed\"]",
                "SecondTests.FailingTests/testFails failed: [\"failed\", \"failed\"]",
                "SecondTests.FailingTests/testSkips skipped: [\"skipped\"]",
                "SecondTests.LeavingTests/testA_before passed: [\"passed\"]",
                "SecondTests.LeavingTests/testB_leaves crashed: [\"crashed\"]",
                "SecondTests.LeavingTests/testC_after passed: [\"passed\"]",
                "SecondTests.ModernTests/fails() failed: [\"failed\", \"failed\"]",
                "SecondTests.ModernTests/names(name:) passed: [\"passed\"]",
                "SecondTests.SharingTests/testA_first passed: [\"passed\"]",
                "SecondTests.SharingTests/testB_second passed: [\"passed\"]",
            ])
        #expect(serial.run.gaps == [])
        for jobs in [2, 4] {
            let several = try await Reading("Several", jobs: jobs, selection: awake, retries: 1)
            #expect(several.tests == serial.tests)
            let (words, serialWords) = (several.words, serial.words)
            for id in serialWords.keys.sorted() { #expect(words[id] == serialWords[id], "\(id)") }
            #expect(several.run.gaps == [])
            #expect(try several.sample.coverage() == serial.sample.coverage())
            #expect(several.passes.filter { $0.reason == .first }.count == jobs + 1)
            // Only in the end, and once.
            #expect(several.passes.map(\.reason).dropLast().contains(.retry) == false)
            for pass in several.passes { try expectOwnWords(pass, of: several) }
        }
    }

    /// The transcript of a process is about its own tests, as far as it came, in whole lines.
    private func expectOwnWords(_ pass: TestPass, of reading: Reading) throws {
        let text = try reading.sample.text((pass.folder.map { "\($0)/" } ?? "") + "transcript.log")
        let own = Set((pass.tests ?? []).map { "\($0.suite).\($0.name)" })
        let begun = text.split(separator: "\n").filter { $0.hasPrefix("Test Case '") && $0.contains("' started at ") }
            .map { String($0.dropFirst(11).prefix { $0 != "'" }) }
        #expect(own.isSuperset(of: begun))
        #expect(Set(begun).count == begun.count)
        #expect(begun.isEmpty == (pass.tests ?? []).allSatisfy { $0.name.hasSuffix(")") })
    }

    @Test func `two tests that hang at the same time cost two tests`() async throws {
        let sleepy = Selection(filters: ["SleepyTests"])
        let limits = RunLimits(test: .seconds(10), grace: .seconds(2))
        let several = try await Reading("Several", jobs: 2, selection: sleepy, limits: limits)
        #expect(
            several.tests == [
                "FirstTests.SleepyTests/testA_awake passed: [\"passed\"]",
                "FirstTests.SleepyTests/testSleeps timed-out: [\"timed-out\"]",
                "FirstTests.SleepyTests/testWakes passed: [\"passed\"]",
                "SecondTests.SleepyTests/testA_awake passed: [\"passed\"]",
                "SecondTests.SleepyTests/testSleeps timed-out: [\"timed-out\"]",
                "SecondTests.SleepyTests/testWakes passed: [\"passed\"]",
            ])
        #expect(several.run.gaps == [])
        #expect(several.passes.map(\.reason) == [.first, .first, .recovery, .recovery])
        #expect(several.passes.prefix(2).map(\.diagnosis?.cause) == [.test, .test])
    }

    @Test func `all passes, with the coverage of one process after the other`() async throws {
        let serial = try await Reading("Mixed", jobs: 1)
        let several = try await Reading("Mixed", jobs: 2)
        #expect(several.tests == serial.tests)
        #expect(several.run.gaps == [])
        #expect(several.run.notes.map(\.detail) == serial.run.notes.map(\.detail))
        #expect(try several.sample.coverage() == serial.sample.coverage())
        #expect(
            try several.sample.coverage() == [
                "Greeting.swift": [9, 9], "Unlinked.swift": [0, 3], "main.swift": [0, 1],
            ])
        #expect(several.passes.map { $0.tests?.count } == [3, 3])
        // A pool that processes share: two files for one binary.
        #expect(several.sample.manifest.profiles.count <= 2)
    }

    @Test func `shards and filters choose what is distributed`() async throws {
        for selection in [
            Selection(filters: ["SharingTests", "ModernTests/names"]),
            Selection(skips: ["Sleepy", "Crash", "Leaving"]),
            Selection(shard: Shard(index: 1, count: 2)),
        ] {
            let serial = try await Reading("Several", jobs: 1, selection: selection)
            let several = try await Reading("Several", jobs: 2, selection: selection)
            #expect(several.passes.filter { $0.reason == .first }.count > 1)
            #expect(several.tests == serial.tests)
            #expect(several.run.gaps == serial.run.gaps)
        }
    }

    @Test func `the time for the whole run is over for every process, and nothing is green`() async throws {
        // So that there is little to build in the time of the other.
        _ = try await Reading("Several", jobs: 1, selection: Selection(filters: ["SharingTests"]))
        let sample = try await SampleRun(
            "Several", engine: .direct, selection: Selection(filters: ["SleepyTests"]), jobs: 2,
            limits: RunLimits(run: .seconds(30), grace: .seconds(2)),
            after: [
                RunScript(words: ["sleep", "600"], timeLimit: .seconds(2)),
                RunScript(words: ["sh", "-c", "sleep 1; echo swept"], timeLimit: .seconds(60)),
            ])
        let run = try TestRun.read(from: RunDirectory(path: sample.directory))
        let sleeping = run.tests.filter { $0.id.name == "testSleeps" }
        #expect(sleeping.map(\.outcome) == [.timedOut, .timedOut])
        #expect(run.tests.filter { $0.id.name == "testWakes" }.map(\.outcome) == [.notRun, .notRun])
        // Told once, though it was over for two processes.
        #expect(sample.manifest.gaps.map(\.code) == [.timedOut])
        #expect(run.gaps.map(\.code) == [.timedOut, .testsNotRun])
        // What cleans up has time of its own, and no more than that.
        #expect(try sample.text("after.log") == "swept\n")
        #expect(
            sample.manifest.notes.filter { $0.code == .afterFailed } == [
                Note(.afterFailed, subject: "sleep 600", detail: "it had not ended after 2 s")
            ])
    }
}
