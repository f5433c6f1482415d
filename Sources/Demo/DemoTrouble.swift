import Gate
import RunModel

/// The run of a branch in which tests fail for every reason that there is, and what was found out about these.
enum DemoTrouble {
    /// Its place in the history.
    static let run = 94
    /// The changes with which one of the tests also fails on the default branch, from where the branch has it.
    private static let broken = 92..<96

    /// A test that fails in it.
    private struct Failure {
        let test: TestID
        let cause: FailureCause.Kind
        /// What it says; `nil` for one that fails now and then anyway.
        let message: String?

        init(_ module: String, _ suite: String, _ name: String, _ cause: FailureCause.Kind, _ message: String?) {
            test = TestID(module: module, suite: suite, name: name)
            (self.cause, self.message) = (cause, message)
        }
    }

    private static let failures = [
        Failure(
            "VideoKitTests", "VideoInfoTests", "test_正常系_codecを読む", .yours,
            #"XCTAssertEqual failed: ("hev1") is not equal to ("hvc1")"#),
        Failure(
            "YoutubeAPITests", "SearchTests", "testQuotaIsCounted", .broken,
            "XCTAssertTrue failed - a search costs more than its share of the quota"),
        Failure("YoutubeAPITests", "SearchTests", "testTimeoutWithoutNetwork", .flaky, nil),
        Failure(
            "YoutubeAPITests", "SearchTests", "test_検索_猫", .environment,
            "failed - the certificate of the stub server is not valid yet"),
        Failure(
            "VideoKitTests", "DecoderTests", "testAV1_in_mkv", .order,
            "XCTAssertNil failed: the pool of frames is not empty"),
        Failure("ThumbnailKitTests", "URLRule", "rule5()", .unreached, "Expectation failed: rules.isSorted"),
        Failure(
            "VideoKitTests", "VideoInfoTests", "testPosterFrame", .new, "XCTUnwrap failed: there is no poster frame"),
        Failure(
            "VideoKitTests", "VideoInfoTests", "test_正常系_bitRateを読む", .unknown,
            "XCTAssertGreaterThan failed: the bit rate of a still image"),
    ]

    /// The same test, which behaves as it does in that run.
    static func troubled(_ test: DemoTest) -> DemoTest {
        guard let failure = failures.first(where: { $0.test == test.id }), let message = failure.message else {
            return test
        }
        var test = test
        test.behavior = failure.cause == .broken ? .broken([broken], message) : .failing(run: run, message)
        return test
    }

    /// Why the tests of the run failed.
    ///
    /// - Parameters:
    ///   - commit: The base.
    ///   - base: Its run.
    static func causes(of run: TestRun, against commit: String, _ base: RunID) -> FailureCauses {
        let kinds = Dictionary(failures.map { ($0.test, $0.cause) }) { first, _ in first }
        return FailureCauses(
            run.failures.compactMap { test in kinds[test.id].map { cause(of: test.id, $0, base) } }, base: commit,
            nanoseconds: 41_300_000_000)
    }

    private static func cause(of test: TestID, _ kind: FailureCause.Kind, _ base: RunID) -> FailureCause {
        let (never, always) = (TrialTally(passed: 3), TrialTally(failed: 3))
        let functions = ["VideoInfo.posterFrame(_:)"]
        switch kind {
        case .yours: return FailureCause(test: test, kind: kind, alone: always, base: never, functions: functions)
        case .broken: return FailureCause(test: test, kind: kind, alone: always, base: always)
        case .flaky:
            return FailureCause(
                test: test, kind: kind, alone: TrialTally(passed: 17, failed: 3),
                base: TrialTally(passed: 8, failed: 2))
        case .environment:
            return FailureCause(
                test: test, kind: kind, alone: always, base: always, storedRun: base, variables: ["TZ"])
        case .order:
            let fellow = TestID(module: test.module, suite: test.suite, name: "testAV1_in_mp4")
            return FailureCause(
                test: test, kind: kind, alone: never, company: TrialTally(failed: 2), fellows: [fellow])
        case .unreached: return FailureCause(test: test, kind: kind, alone: always, base: never)
        case .new: return FailureCause(test: test, kind: kind, alone: always, functions: functions)
        case .unknown:
            return FailureCause(
                test: test, kind: kind, doubt: .tooFew, alone: TrialTally(passed: 1, failed: 1),
                base: TrialTally(passed: 1))
        }
    }
}
