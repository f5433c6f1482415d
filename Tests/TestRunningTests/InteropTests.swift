import Evidence
import RunModel
import TestResults
import TestRunning
import TestSupport
import Testing

/// Assertions of one library in tests of the other, and others that nobody hears without the observer.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct InteropTests {
    private func outcomes(_ run: TestRun) -> [String] {
        run.tests.map { "\($0.id.qualifiedName) \($0.outcome.rawValue)" }
    }

    @Test(arguments: [Engine.direct, .swiftTest])
    func `an assertion of the other library fails the test that runs`(engine: Engine) async throws {
        let sample = try await SampleRun("Interop", engine: engine)
        let run = try TestRun.read(from: sample.written)
        #expect(
            outcomes(run) == [
                "InnerTests/testInner failed", "NestingTests/testFailsAfterASuite failed",
                "NestingTests/testIsDeafAfterATest passed", "NestingTests/testRunsASuite passed",
                "NewTests/announces() known-issue", "NewTests/callsAFunction(number:) failed",
                "NewTests/passes() passed", "NewTests/usesXCTFail() failed", "OldTests/testAnnounces known-issue",
                "OldTests/testExpects failed", "OldTests/testExpectsInATask failed", "OldTests/testPasses passed",
                "OldTests/testRecords failed", "OldTests/testWarns passed", "SetUpTests/testNothing passed",
            ])
        let old = SourceLocation(path: "Tests/KitTests/OldTests.swift", line: 8)
        #expect(
            run.tests.first { $0.id.name == "testExpects" }?.issues
                == [Issue(message: "Expectation failed: (one() → 1) == 2", location: old)])
        let new = SourceLocation(path: "Tests/KitTests/NewTests.swift", line: 5, column: 1)
        let said = "Issue recorded\nXCTAssertEqual failed: (\"2\") is not equal to (\"1\") - from a function of old"
        #expect(
            run.tests.first { $0.id.name == "callsAFunction(number:)" }?.issues
                == [Issue(message: said, location: new, argument: "2")])
        let details = [
            "KitTests.NestingTests/testIsDeafAfterATest: it ran another test without a suite; "
                + "what it asserted after that fails nothing",
            "KitTests.SetUpTests: Expectation failed: (one() → 1) == 4 at Tests/KitTests/OldTests.swift:17",
            "KitTests.SetUpTests: failed - set up at Tests/KitTests/OldTests.swift:16",
        ]
        #expect(run.gaps.map { "\($0.subject): \($0.detail)" }.sorted() == details)
        #expect(Set(run.gaps.map(\.code)) == [.assertionsUnheard, .issueWithoutTest])
    }

    @Test(arguments: [Engine.direct, .swiftTest])
    func `who wants the word of swift test gets it, and what failed is told`(engine: Engine) async throws {
        let sample = try await SampleRun("Interop", engine: engine, interop: .swiftTest)
        let run = try TestRun.read(from: sample.written)
        #expect(
            run.tests.filter(\.outcome.isFailure).map(\.id.qualifiedName)
                == ["InnerTests/testInner", "NestingTests/testFailsAfterASuite"])
        #expect(run.gaps == [])
        let ignored = run.notes.filter { $0.code == .assertionsIgnored }
        #expect(ignored.map { $0.detail.prefix(30) } == ["7 failed assertions fail no te"])
    }

    @Test func `a run in another mode than that of swift test is undecided`() async throws {
        let sample = try await SampleRun(
            "Interop", engine: .direct, extraEnvironment: ["\(Interop.variable)=limited"])
        let gap = Gap(
            .interopMode, subject: "limited",
            detail: "SWIFT_TESTING_XCTEST_INTEROP_MODE is limited; swift test does not set it")
        #expect(sample.manifest.gaps.filter { $0.code == .interopMode } == [gap])
        #expect(sample.manifest.interop?.mode == "limited")
    }

    @Test func `inherited tests that SwiftPM does not find are named, or are a gap`() async throws {
        let detail =
            "2 tests are not run, though the sources declare them: "
            + "KitTests.ContractTests/testContract, KitTests.HeirTests/testInner"
        let noted = try await SampleRun("Interop", engine: .direct)
        let subject = "KitTests.ContractTests/testContract"
        #expect(
            noted.manifest.notes.filter { $0.code == .testsUndiscovered }
                == [Note(.testsUndiscovered, subject: subject, detail: detail)])
        let blocked = try await SampleRun("Interop", engine: .direct, undiscoveredTests: .gap)
        #expect(blocked.manifest.gaps == [Gap(.testsUndiscovered, subject: subject, detail: detail)])
    }

    @Test(arguments: [Engine.direct, .swiftTest])
    func `a package with its own main has a verdict on what it lists`(engine: Engine) async throws {
        let sample = try await SampleRun("OwnMain", engine: engine)
        let run = try TestRun.read(from: sample.written)
        #expect(outcomes(run) == ["KitTests/testFirst passed", "KitTests/testSecond passed"])
        #expect(run.gaps == [])
        #expect(
            run.notes == [
                Note(
                    .ownMain, subject: "Tests/LinuxMain.swift",
                    detail: "it runs the tests of XCTest that it names; there are none of Swift Testing"),
                Note(
                    .testsUndiscovered, subject: "KitTests.KitTests/testForgotten",
                    detail: "1 test is not run, though the sources declare it: KitTests.KitTests/testForgotten"),
            ])
    }
}
