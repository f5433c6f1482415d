import RunModel
import TestSupport
import Testing

@testable import Gate

/// Why a test failed, concluded from what was seen: no failure that the change may have caused is called anything else.
@Suite struct FailureCauseTests {
    private typealias Kind = FailureCause.Kind
    private typealias Doubt = FailureCause.Doubt
    private static let test = TestID(module: "ATests", suite: "S", name: "t()")
    private static let place = SourceLocation(path: "Tests/ATests/S.swift", line: 7)

    /// What was seen, in short: the issue is that of the run unless it says otherwise.
    struct Seen {
        var alone = TrialTally()
        var company = TrialTally()
        var fellows: [TestID] = []
        var base: TrialTally?
        var baseCompany = TrialTally()
        /// Like among all others, unless something is said.
        var emptied: TrialTally?
        var isLaidOut = true
        var isMissing = false
        var baseMessage = "x == 1"
        var companyMessage = "x == 1"
        var stored: [(outcome: Outcome, message: String)] = []
        var isStoredHere = true
        var elsewhere: String?
        var otherwise: [String]?
        var contact = ChangeContact()
    }

    private static func failure(_ message: String = "x == 1", _ outcome: Outcome = .failed) -> FailureSample {
        FailureSample(outcome: outcome, issues: [Issue(message: message, location: place)])
    }

    private func cause(_ seen: Seen) -> FailureCause {
        let result = TestResult(
            id: Self.test, library: .swiftTesting, outcome: .failed,
            attempts: [TestAttempt(outcome: .failed, issues: Self.failure().issues)])
        var observation = FailureObservation(
            test: Self.test, alone: seen.alone, company: seen.company, fellows: seen.fellows)
        if seen.base != nil || seen.isMissing {
            let tally = seen.base ?? TrialTally()
            observation.base = FailureObservation.OnBase(
                alone: tally, company: seen.baseCompany,
                failures: (tally.failures > 0 ? [Self.failure(seen.baseMessage)] : [])
                    + (seen.baseCompany.failures > 0 ? [Self.failure(seen.companyMessage)] : []),
                isMissing: seen.isMissing, emptied: seen.emptied ?? seen.baseCompany,
                emptiedFailure: (seen.emptied ?? seen.baseCompany).failures > 0 ? Self.failure() : nil)
        }
        observation.stored = seen.stored.enumerated().map { number, entry in
            FailureObservation.Stored(
                run: SampleRuns.id(number), outcome: entry.outcome,
                failure: entry.outcome.isFailure ? Self.failure(entry.message, entry.outcome) : nil,
                isHere: seen.isStoredHere)
        }
        observation.elsewhere = seen.elsewhere.map {
            FailureObservation.Flake(
                passed: SampleRuns.id(8), failed: SampleRuns.id(9), failure: Self.failure($0))
        }
        observation.otherwise = seen.otherwise.map {
            FailureObservation.PassOtherwise(run: SampleRuns.id(5), variables: $0)
        }
        return FailureCause(of: result, observation, seen.contact, FailureMatch(), isLaidOut: seen.isLaidOut)
    }

    private func expect(
        _ seen: Seen, _ kind: Kind, _ doubt: Doubt? = nil, _ place: Testing.SourceLocation = #_sourceLocation
    ) {
        let found = cause(seen)
        #expect(found.kind == kind, sourceLocation: place)
        #expect(found.doubt == doubt, sourceLocation: place)
    }

    private static let executes = ChangeContact(functions: ["URLRule.match"])
    private static let nothing = ChangeContact(executesNone: true, isNone: true)
    private static let untouched = ChangeContact(executesNone: true)
    /// What was recorded on the base.
    private static let executed = ChangeContact(functions: ["URLRule.match"], isOfBase: true)
    private static let unexecuted = ChangeContact(executesNone: true, isOfBase: true)
    private static func failed(_ times: Int) -> TrialTally { TrialTally(failed: times) }
    private static func passed(_ times: Int) -> TrialTally { TrialTally(passed: times) }

    @Test func `what fails here each time and passes on the base is yours, whatever is known of what it executes`() {
        for contact in [Self.executes, ChangeContact()] {
            expect(Seen(alone: Self.failed(3), base: Self.passed(3), contact: contact), .yours)
        }
        // A stored run is enough only where it executes something of the change: the machine may have changed since.
        let stored = [(outcome: Outcome.passed, message: "")]
        expect(Seen(alone: Self.failed(3), stored: stored, contact: Self.executes), .yours)
        expect(Seen(alone: Self.failed(3), stored: stored), .unknown, .base)
        expect(Seen(alone: Self.failed(3), stored: stored, contact: Self.nothing), .unknown, .base)
    }

    @Test func `what fails on the base in the same way three times is broken before the change`() {
        let once = [(outcome: Outcome.failed, message: "x == 1")]
        expect(
            Seen(alone: Self.failed(3), base: Self.failed(3), baseCompany: Self.failed(1), contact: Self.executes),
            .broken)
        expect(Seen(base: Self.failed(2), baseCompany: Self.failed(1)), .broken)
        expect(Seen(base: Self.failed(2), stored: once, contact: Self.executes), .broken)
        expect(Seen(stored: once + once + once), .broken)
        // Fewer times may be chance: what is flaky on the base may always fail since the change.
        expect(Seen(alone: Self.failed(3), stored: once, contact: Self.executes), .unknown, .tooFew)
        expect(Seen(alone: Self.failed(3), stored: once + once), .unknown, .tooFew)
        expect(Seen(base: Self.failed(1), baseCompany: Self.failed(1)), .unknown, .tooFew)
        // A test is hardly broken by what nobody executes; others may hand on what it does not execute itself.
        expect(Seen(alone: Self.failed(2), stored: once, contact: Self.nothing), .broken)
        expect(Seen(alone: Self.failed(1), stored: once, contact: Self.nothing), .unknown, .tooFew)
        expect(Seen(alone: Self.failed(2), stored: once, contact: Self.untouched), .unknown, .tooFew)
    }

    @Test func `what fails on the base only in another folder, or without the other tests, acquits nobody`() {
        let once = [(outcome: Outcome.failed, message: "x == 1")]
        let (three, one) = (Self.failed(3), Self.failed(1))
        // A working copy: the folder of the base may be why it fails there.
        expect(Seen(alone: three, base: three, baseCompany: three, isLaidOut: false), .unknown, .otherPlace)
        expect(
            Seen(alone: three, base: three, isLaidOut: false, stored: once, isStoredHere: false), .unknown, .otherPlace)
        expect(Seen(alone: three, base: three, isLaidOut: false, stored: once), .broken)
        expect(Seen(stored: once + once + once, isStoredHere: false), .unknown, .otherPlace)
        // It may need the tests that ran before it.
        expect(Seen(alone: three, base: three), .unknown, .tooFew)
        expect(Seen(alone: three, base: three, baseCompany: Self.passed(1)), .unknown, .moreOften)
        expect(
            Seen(alone: three, base: three, baseCompany: one, companyMessage: "y == 2"), .unknown, .otherFailure)
        // Nor is it flaky for that reason.
        let mixed = TrialTally(passed: 6, failed: 4)
        expect(Seen(alone: mixed, base: three, isLaidOut: false), .unknown, .unsteady)
        expect(Seen(alone: mixed, base: three), .unknown, .unsteady)
        expect(Seen(alone: mixed, base: three, baseCompany: one), .flaky)
        expect(Seen(alone: mixed, base: TrialTally(passed: 2, failed: 1), isLaidOut: false), .flaky)
        expect(Seen(alone: mixed, stored: once, isStoredHere: false), .unknown, .unsteady)
    }

    @Test func `of what is broken those stored runs are named that failed it in the same way, and no others`() {
        let thrice = cause(Seen(stored: Array(repeating: (.failed, "x == 1"), count: 3)))
        #expect(thrice.kind == .broken && thrice.sameRuns == (0...2).map { SampleRuns.id($0) })
        // It is broken by what was seen on the base now, and by no stored run.
        let (three, one) = (Self.failed(3), Self.failed(1))
        #expect(cause(Seen(alone: three, base: three, baseCompany: one)).sameRuns == nil)
        let flaky = cause(Seen(alone: TrialTally(passed: 6, failed: 4), stored: [(.failed, "x == 1")]))
        #expect(flaky.kind == .flaky && flaky.sameRuns == nil)
    }

    @Test func `what fails on the base only with what was left in the user's folders acquits nobody`() {
        let (three, one, passed) = (Self.failed(3), Self.failed(1), Self.passed(1))
        let mixed = TrialTally(passed: 6, failed: 4)
        for contact in [Self.executes, Self.untouched, ChangeContact()] {
            expect(
                Seen(alone: three, base: three, baseCompany: one, emptied: passed, contact: contact), .unknown,
                .leftBehind)
            expect(
                Seen(
                    alone: three, base: three, baseCompany: one, emptied: passed, stored: [(.passed, "")],
                    contact: contact), .unknown, .leftBehind)
            expect(
                Seen(
                    alone: three, base: three, baseCompany: one, emptied: passed, otherwise: ["MODE"],
                    contact: contact), .unknown, .leftBehind)
            expect(Seen(alone: mixed, base: three, baseCompany: one, emptied: passed), .unknown, .unsteady)
        }
        // Nobody tried, or it was not executed.
        expect(Seen(alone: three, base: three, baseCompany: one, emptied: TrialTally(unended: 1)), .unknown, .tooFew)
        // It failed before this run, perhaps after the change was tried out.
        let once = [(outcome: Outcome.failed, message: "x == 1")]
        for isLaidOut in [true, false] {
            expect(
                Seen(alone: three, base: three, baseCompany: one, emptied: passed, isLaidOut: isLaidOut, stored: once),
                .unknown, .leftBehind)
            expect(
                Seen(
                    alone: three, base: three, baseCompany: one, emptied: TrialTally(), isLaidOut: isLaidOut,
                    stored: once), .broken)
        }
    }

    @Test func `another failure on the base is no excuse`() {
        expect(
            Seen(alone: Self.failed(3), base: Self.failed(3), baseMessage: "y == 2"), .unknown, .otherFailure)
        expect(Seen(stored: [(.failed, "y == 2")]), .unknown, .otherFailure)
        expect(Seen(stored: [(.crashed, "x == 1")]), .unknown, .otherFailure)
        expect(Seen(stored: [(.failed, "x == 1"), (.failed, "y == 2")]), .unknown, .otherFailure)
    }

    @Test func `what always fails here and now and then on the base may have become worse`() {
        let mixed = TrialTally(passed: 2, failed: 1)
        expect(Seen(alone: Self.failed(3), base: mixed), .unknown, .moreOften)
        expect(Seen(stored: [(.failed, "x == 1"), (.passed, "")]), .unknown, .moreOften)
        expect(
            Seen(alone: Self.failed(3), base: Self.failed(3), stored: [(.failed, "x == 1"), (.passed, "")]), .unknown,
            .moreOften)
    }

    @Test func `what fails on the base now and passed there before is the environment's`() {
        let stored = [(outcome: Outcome.passed, message: "")]
        let (three, one) = (Self.failed(3), Self.failed(1))
        expect(Seen(alone: three, base: three, baseCompany: one, stored: stored), .environment)
        expect(Seen(alone: three, base: one, baseCompany: one, stored: stored), .unknown, .tooFew)
        expect(Seen(alone: three, base: three, stored: stored), .unknown, .tooFew)
        expect(
            Seen(alone: three, base: three, baseCompany: one, baseMessage: "y", stored: stored), .unknown,
            .otherFailure)
        // The folder may be all that differs.
        expect(
            Seen(alone: three, base: three, baseCompany: one, isLaidOut: false, stored: stored), .unknown, .otherPlace)
        expect(
            Seen(alone: three, base: three, baseCompany: one, stored: stored, isStoredHere: false), .unknown,
            .otherPlace)
    }

    @Test func `what the base passes with other variables only is the environment's, and they are named`() {
        let (three, one) = (Self.failed(3), Self.failed(1))
        let failing = Seen(
            alone: three, base: three, baseCompany: one, otherwise: ["MODE", "TZ"], contact: Self.executes)
        let found = cause(failing)
        #expect(found.kind == .environment && found.variables == ["MODE", "TZ"] && found.storedRun == SampleRuns.id(5))
        let once = [(outcome: Outcome.failed, message: "x == 1")]
        expect(
            Seen(alone: three, base: three, isLaidOut: false, stored: once, otherwise: ["MODE"]), .environment)
        // A run with the same variables that passed it says more.
        let both = cause(
            Seen(alone: three, base: three, baseCompany: one, stored: [(.passed, "")], otherwise: ["MODE"]))
        #expect(both.kind == .environment && both.variables == nil && both.storedRun == SampleRuns.id(0))
    }

    @Test func `a pass with other variables acquits of nothing that the base does not fail now in the same way`() {
        let (three, one) = (Self.failed(3), Self.failed(1))
        let once = [(outcome: Outcome.failed, message: "x == 1")]
        for contact in [Self.executes, ChangeContact()] {
            expect(Seen(alone: three, base: Self.passed(3), otherwise: ["MODE"], contact: contact), .yours)
            expect(Seen(alone: three, otherwise: ["MODE"], contact: contact), .unknown, .base)
        }
        expect(
            Seen(alone: three, base: three, baseCompany: one, baseMessage: "y == 2", otherwise: ["MODE"]), .unknown,
            .otherFailure)
        expect(
            Seen(alone: three, base: three, baseCompany: one, isLaidOut: false, otherwise: ["MODE"]), .unknown,
            .otherPlace)
        // Only stored runs had the variables of this one, or it did not fail often enough.
        expect(Seen(alone: three, stored: once + once + once, otherwise: ["MODE"]), .unknown, .tooFew)
        expect(Seen(alone: three, stored: once, otherwise: ["MODE"], contact: Self.untouched), .unknown, .tooFew)
        // Nobody knows which variables differ.
        expect(Seen(alone: three, base: three, baseCompany: one, otherwise: []), .broken)
    }

    @Test func `what was recorded on the base proves what is yours, and acquits of nothing`() {
        let (three, mixed) = (Self.failed(3), TrialTally(passed: 6, failed: 4))
        expect(Seen(alone: mixed, base: Self.passed(10), contact: Self.executed), .yours)
        expect(Seen(alone: three, stored: [(.passed, "")], contact: Self.executed), .yours)
        // What it executes when it fails was not recorded.
        expect(Seen(alone: three, base: Self.passed(3), contact: Self.unexecuted), .unknown, .indirect)
        expect(Seen(alone: mixed, contact: Self.unexecuted), .unknown, .unsteady)
        expect(Seen(alone: three, stored: [(.failed, "x == 1")], contact: Self.unexecuted), .unknown, .tooFew)
    }

    @Test func `what passes and fails here is flaky only if it was so before, or the change cannot reach it`() {
        let mixed = TrialTally(passed: 6, failed: 4)
        expect(Seen(alone: mixed, base: TrialTally(passed: 8, failed: 2)), .flaky)
        expect(Seen(alone: Self.passed(9), base: TrialTally(passed: 8, failed: 2)), .flaky)
        expect(Seen(alone: mixed, stored: [(.failed, "x == 1")]), .flaky)
        expect(Seen(alone: mixed, elsewhere: "x == 1"), .flaky)
        expect(Seen(alone: mixed, contact: Self.nothing), .flaky)
        // Another failure says nothing of this one.
        expect(Seen(alone: mixed, base: TrialTally(passed: 8, failed: 2), baseMessage: "y"), .unknown, .unsteady)
        expect(Seen(alone: mixed, elsewhere: "y"), .unknown, .unsteady)
        expect(Seen(alone: mixed), .unknown, .unsteady)
        expect(Seen(alone: mixed, contact: Self.untouched), .unknown, .unsteady)
        expect(Seen(alone: mixed, base: Self.passed(10)), .unknown, .moreOften)
    }

    @Test func `a flake that only this change has, and that executes it, is yours`() {
        let mixed = TrialTally(passed: 6, failed: 4)
        let seen = Seen(alone: mixed, base: Self.passed(10), contact: Self.executes)
        expect(seen, .yours)
        #expect(cause(seen).isNewFlake)
        expect(Seen(alone: mixed, base: Self.passed(2), contact: Self.executes), .unknown, .unsteady)
        expect(Seen(alone: mixed, base: Self.passed(10), elsewhere: "y", contact: Self.executes), .unknown, .moreOften)
    }

    @Test func `of a few executions before the change nobody knows how often it failed`() {
        let (seldom, often) = (TrialTally(passed: 3, failed: 3), TrialTally(passed: 3, failed: 12))
        expect(Seen(alone: seldom, stored: [(.failed, "x == 1")]), .flaky)
        expect(Seen(alone: often, stored: [(.failed, "x == 1")]), .unknown, .moreOften)
        expect(Seen(alone: seldom, elsewhere: "x == 1"), .flaky)
        expect(Seen(alone: often, elsewhere: "x == 1"), .unknown, .moreOften)
        expect(Seen(alone: often, contact: Self.nothing), .unknown, .moreOften)
        // What the base did ten times says more.
        expect(Seen(alone: often, base: TrialTally(passed: 3, failed: 7)), .flaky)
    }

    @Test func `a flake that became more frequent is not only flaky`() {
        // One of ten before: up to 40 %.
        let tenth = TrialTally(passed: 9, failed: 1)
        expect(Seen(alone: TrialTally(passed: 9, failed: 6), base: tenth), .flaky)
        expect(Seen(alone: TrialTally(passed: 8, failed: 7), base: tenth), .unknown, .moreOften)
        let often = TrialTally(passed: 1, failed: 19)
        let seldom = TrialTally(passed: 19, failed: 1)
        expect(Seen(alone: often, base: seldom, contact: Self.executes), .unknown, .moreOften)
        expect(Seen(alone: often, base: Self.passed(20), contact: Self.nothing), .unknown, .moreOften)
    }

    @Test func `what passes alone each time and fails among others depends on the order`() {
        expect(Seen(alone: Self.passed(3), company: Self.failed(2)), .order)
        expect(Seen(alone: Self.passed(3), company: TrialTally(passed: 1, failed: 1)), .unknown, .unsteady)
        expect(Seen(alone: Self.passed(1), company: Self.failed(2)), .unknown, .moreOften)
        expect(Seen(alone: Self.passed(2), company: Self.failed(1), fellows: [Self.test]), .order)
    }

    @Test func `what nothing of the change reaches is told apart, and only after several executions`() {
        expect(Seen(alone: Self.failed(3), base: Self.passed(3), contact: Self.nothing), .unreached)
        expect(Seen(alone: Self.failed(1), base: Self.passed(3), contact: Self.nothing), .unknown, .tooFew)
        // A stored run that passed it with other variables tells what may differ, unless another one had the same.
        let otherwise = Seen(
            alone: Self.failed(3), base: Self.passed(3), otherwise: ["MODE"], contact: Self.nothing)
        let named = cause(otherwise)
        #expect(named.kind == .unreached && named.variables == ["MODE"] && named.storedRun == SampleRuns.id(5))
        var both = otherwise
        both.stored = [(.passed, "")]
        #expect(cause(both).kind == .unreached && cause(both).variables == nil && cause(both).storedRun == nil)
        // What another test leaves behind may reach it.
        expect(Seen(alone: Self.failed(3), base: Self.passed(3), contact: Self.untouched), .unknown, .indirect)
    }

    @Test func `a test that the base does not have is new, and what was not looked at is unknown`() {
        expect(Seen(isMissing: true, contact: Self.executes), .new)
        expect(Seen(), .unknown, .base)
        expect(Seen(alone: Self.failed(3), base: TrialTally(skipped: 3)), .unknown, .base)
        expect(Seen(base: Self.passed(3)), .unknown, .tooFew)
    }

    @Test func `without a failure on the base or elsewhere, and with contact, nothing acquits`() {
        let tallies = (0...4).flatMap { passed in (0...4).map { TrialTally(passed: passed, failed: $0) } }
        let stored: [[(outcome: Outcome, message: String)]] = [[], [(.passed, "")]]
        var seen: Set<Kind> = []
        for alone in tallies {
            for company in tallies.prefix(9) {
                for base in [nil, Self.passed(1), Self.passed(5)] as [TrialTally?] {
                    for known in stored {
                        for contact in [Self.executes, Self.untouched, Self.executed, ChangeContact()] {
                            seen.insert(
                                cause(
                                    Seen(
                                        alone: alone, company: company, base: base, stored: known,
                                        otherwise: ["MODE"], contact: contact)
                                ).kind)
                        }
                    }
                }
            }
        }
        #expect(seen == [.yours, .order, .unknown])
    }

    @Test func `whatever fails in the folder of the base alone, a working copy is not acquitted by it`() {
        let tallies = (0...3).flatMap { passed in (0...3).map { TrialTally(passed: passed, failed: $0) } }
        let stored: [[(outcome: Outcome, message: String)]] = [[], [(.passed, "")]]
        var seen: Set<Kind> = []
        for alone in [Self.failed(3), TrialTally()] {
            for base in tallies {
                for company in tallies {
                    for stored in stored {
                        seen.insert(
                            cause(
                                Seen(
                                    alone: alone, base: base, baseCompany: company, isLaidOut: false, stored: stored,
                                    contact: Self.executes)
                            ).kind)
                    }
                }
            }
        }
        #expect(seen == [.yours, .unknown])
    }

    @Test func `causes are those of the failed tests that were looked at, in the order of the run`() throws {
        var run = SampleRuns.passing()
        run.tests = SampleMaps.tests.map {
            TestResult(
                id: $0, library: .xctest, outcome: .failed,
                attempts: [TestAttempt(outcome: .failed, issues: [Issue(message: "m")])])
        }
        run.testMap = SampleMaps.map
        let seen = FailureObservations(
            base: "b", obstacle: "o", isWholeChange: true,
            tests: [2, 0].map { index in
                FailureObservation(
                    test: SampleMaps.tests[index], alone: Self.failed(2), fellows: [Self.test, SampleMaps.tests[1]],
                    base: FailureObservation.OnBase(alone: Self.passed(2)))
            } + [FailureObservation(test: Self.test)], nanoseconds: 5, isCutShort: true)
        let change = FileChange(
            path: "Sources/Core/F.swift", basePath: "Sources/Core/F.swift",
            changes: [ChangedLines(base: 4..<5, head: 4..<5)])
        let causes = FailureCauses(of: run, seen, changes: [change]) { "Core.\($0)(_:)" }
        #expect(causes.entries.map(\.test) == [SampleMaps.tests[0], SampleMaps.tests[2]])
        #expect(causes.entries.map(\.kind) == [.yours, .yours])
        #expect(causes.entries.map(\.functions) == [["Core.$s4Core1fyyF"], ["Core.$s4Core1fyyF"]])
        #expect(causes.byTest[SampleMaps.tests[0]]?.alone == Self.failed(2))
        // Only tests that the run has.
        #expect(causes.entries.map(\.fellows) == [[SampleMaps.tests[1]], [SampleMaps.tests[1]]])
        let same = FailureCauses(
            causes.entries, base: "b", obstacle: "o", nanoseconds: 5, isCutShort: true)
        #expect(causes == same)
    }

    @Test func `what the base recorded speaks of a test that the run did not record, and of no other`() {
        var run = SampleRuns.passing()
        run.modules = run.modules.filter { [.library, .test].contains($0.kind) }
        run.steps = []
        run.tests = SampleMaps.tests.map {
            TestResult(
                id: $0, library: .swiftTesting, outcome: .failed,
                attempts: [TestAttempt(outcome: .failed, issues: [Issue(message: "m")])])
        }
        let change = FileChange(
            path: "Sources/Core/F.swift", basePath: "Sources/Core/F.swift",
            changes: [ChangedLines(base: 4..<5, head: 4..<5)])
        func causes(
            _ recorded: FailureObservation.Recorded, map: TestMap? = nil, isWhole: Bool = true
        ) -> [FailureCause] {
            run.testMap = map
            let test = FailureObservation(
                test: SampleMaps.tests[0], alone: Self.failed(2),
                base: FailureObservation.OnBase(alone: Self.passed(2)), recorded: recorded)
            return FailureCauses(
                of: run, FailureObservations(isWholeChange: isWhole, tests: [test]), changes: [change]
            ).entries
        }
        let executes = FailureObservation.Recorded(functions: ["g", "h"], functionCount: 7)
        let found = causes(executes)
        #expect(found.map(\.kind) == [.yours])
        #expect(found.map(\.functions) == [["g", "h"]] && found.map(\.functionCount) == [7])
        // The run recorded it itself.
        #expect(causes(executes, map: SampleMaps.map).map(\.functions) == [["$s4Core1fyyF"]])
        let untouched = FailureObservation.Recorded(executesNone: true)
        #expect(causes(untouched).map(\.doubt) == [.indirect])
        // More changed than the package, or the record contradicts itself.
        #expect(causes(untouched, isWhole: false).map(\.kind) == [.yours])
        let odd = FailureObservation.Recorded(functions: ["g"], functionCount: 1, executesNone: true)
        #expect(causes(odd).map(\.kind) == [.yours])
    }

    @Test func `what a stranger writes is refused beyond the limits`() {
        func fault(_ change: (inout FailureObservation) -> Void) -> String? {
            var test = FailureObservation(test: Self.test)
            change(&test)
            return FailureObservations(tests: [test]).fault
        }
        #expect(fault { _ in } == nil)
        #expect(fault { $0.alone.passed = -1 } == "a count is negative, or larger than a million")
        #expect(fault { $0.company.failed = 1_000_001 } == "a count is negative, or larger than a million")
        #expect(
            fault { $0.fellows = Array(repeating: Self.test, count: 21) } == "fellows: 21 entries, the limit is 20")
        #expect(
            fault {
                $0.stored = Array(
                    repeating: FailureObservation.Stored(run: SampleRuns.id(1), outcome: .passed), count: 6)
            } == "stored: 6 entries, the limit is 5")
        let many = FailureSample(outcome: .failed, issues: Array(repeating: Issue(message: "m"), count: 11))
        #expect(
            fault { $0.base = FailureObservation.OnBase(failures: [many]) } == "issues: 11 entries, the limit is 10")
        let long = FailureSample(outcome: .failed, issues: [Issue(message: String(repeating: "m", count: 8_001))])
        #expect(
            fault { $0.base = FailureObservation.OnBase(failures: [long]) } == "a message is longer than 8,000 bytes")
        #expect(
            fault { $0.base = FailureObservation.OnBase(failures: [many, many, many]) }
                == "failures: 3 entries, the limit is 2")
        #expect(
            fault { $0.base = FailureObservation.OnBase(company: TrialTally(failed: -1)) }
                == "a count is negative, or larger than a million")
        #expect(
            fault { $0.base = FailureObservation.OnBase(emptied: TrialTally(failed: -1)) }
                == "a count is negative, or larger than a million")
        #expect(
            fault { $0.base = FailureObservation.OnBase(emptiedFailure: many) }
                == "issues: 11 entries, the limit is 10")
        let flake = FailureObservation.Flake(passed: SampleRuns.id(1), failed: SampleRuns.id(2), failure: many)
        #expect(fault { $0.elsewhere = flake } == "issues: 11 entries, the limit is 10")
        let names = Array(repeating: "n", count: 21)
        #expect(
            fault { $0.otherwise = FailureObservation.PassOtherwise(run: SampleRuns.id(1), variables: names) }
                == "variables: 21 entries, the limit is 20")
        #expect(
            fault { $0.recorded = FailureObservation.Recorded(functions: names) }
                == "functions: 21 entries, the limit is 5")
        #expect(
            fault { $0.recorded = FailureObservation.Recorded(functionCount: -1) }
                == "a count is negative, or larger than a million")
        let endless = [String(repeating: "n", count: 4_001)]
        #expect(
            fault { $0.otherwise = FailureObservation.PassOtherwise(run: SampleRuns.id(1), variables: endless) }
                == "a text is longer than 4,000 bytes")
        #expect(FailureObservations(base: "main").fault == "the base is not the full name of a commit")
        #expect(FailureObservations(base: String(repeating: "0a", count: 20)).fault == nil)
        #expect(FailureObservations(nanoseconds: -1).fault == "the time is negative")
        #expect(
            FailureObservations(tests: Array(repeating: FailureObservation(test: Self.test), count: 101)).fault
                == "tests: 101 entries, the limit is 100")
        #expect(
            FailureObservations(obstacle: String(repeating: "o", count: 4_001)).fault
                == "a text is longer than 4,000 bytes")
    }

    @Test func `causes are told only against the base that they were looked for against`() throws {
        let run = SampleRuns.failing()
        let (own, other) = (String(repeating: "0a", count: 20), String(repeating: "0b", count: 20))
        func causes(_ base: String?, _ judged: String?) throws -> FailureCauses? {
            let commit = judged.map { BaseCommit(commit: $0, kind: .mergeBase, name: "main") }
            let absence = judged == nil ? "it is the first commit" : nil
            let baseline = Baseline(commit: commit, absence: absence, head: GateSettings())
            return try Verdict(
                judging: run, by: Policy(), against: baseline, causes: FailureCauses(base: base)
            ).causes
        }
        #expect(try causes(own, own) == FailureCauses(base: own))
        #expect(try causes(nil, nil) == FailureCauses())
        #expect(try causes(own, other) == nil)
        #expect(try causes(own, nil) == nil)
        #expect(try causes(nil, own) == nil)
        // A verdict is the same with them and without.
        var verdict = try Verdict(judging: run, by: Policy(), causes: FailureCauses())
        #expect(verdict.causes != nil)
        verdict.causes = nil
        #expect(try verdict == Verdict(judging: run, by: Policy()))
    }
}
