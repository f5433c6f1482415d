import RunModel
import TestSupport
import Testing

@testable import Gate

/// What acquits a change: that its base fails a test as well, in the same way, and no less.
@Suite struct BaseFailureTests {
    private static let test = TestID(module: "ATests", suite: "S", name: "t()")

    private static func sample(_ messages: [String]) -> FailureSample {
        let place = SourceLocation(path: "Tests/ATests/S.swift", line: 7)
        return FailureSample(outcome: .failed, issues: messages.map { Issue(message: $0, location: place) })
    }

    /// The class, and what is missing, of a test that fails here and on the base each time: alone, among all others, and with an empty home.
    private func conclusion(
        _ here: [String], _ base: FailureSample, emptied: FailureSample? = nil, stored: [Outcome] = [],
        contact: ChangeContact = ChangeContact()
    ) -> [String?] {
        let result = TestResult(
            id: Self.test, library: .xctest, outcome: .failed,
            attempts: [TestAttempt(outcome: .failed, issues: Self.sample(here).issues)])
        var observation = FailureObservation(test: Self.test, alone: TrialTally(failed: 3))
        observation.base = FailureObservation.OnBase(
            alone: TrialTally(failed: 3), company: TrialTally(failed: 1), failures: [base, base],
            emptied: TrialTally(failed: 1), emptiedFailure: emptied ?? base)
        observation.stored = stored.enumerated().map { number, outcome in
            FailureObservation.Stored(
                run: SampleRuns.id(number), outcome: outcome, failure: outcome.isFailure ? base : nil, isHere: true)
        }
        let cause = FailureCause(of: result, observation, contact, FailureMatch(), isLaidOut: true)
        return [cause.kind.rawValue, cause.doubt?.rawValue]
    }

    private static let executes = ChangeContact(functions: ["f"])
    private static let untouched = ChangeContact(executesNone: true)
    private static let broken: [String?] = ["already-broken", nil]
    private static let environment: [String?] = ["environment", nil]
    private static let other: [String?] = ["unknown", "other-failure"]

    @Test(arguments: [[], [.failed], [.passed]] as [[Outcome]])
    func `a loop that fails for more elements than on the base is another failure`(stored: [Outcome]) {
        let same = stored == [.passed] ? Self.environment : Self.broken
        for contact in [Self.executes, Self.untouched, ChangeContact()] {
            #expect(conclusion(["a"], Self.sample(["a"]), stored: stored, contact: contact) == same)
            #expect(conclusion(["a"], Self.sample(["a", "b"]), stored: stored, contact: contact) == same)
            // It may be another element.
            #expect(conclusion(["a"], Self.sample(["a", "a"]), stored: stored, contact: contact) == Self.other)
            #expect(conclusion(["a", "a"], Self.sample(["a"]), stored: stored, contact: contact) == Self.other)
        }
        // So many that they are not kept: what is left out may be another failure.
        var few = Self.sample(Array(repeating: "a", count: 10))
        for count in 11...12 {
            few.count = count
            let many = Array(repeating: "a", count: 11) + ["b"]
            #expect(conclusion(many, few, stored: stored, contact: Self.executes) == Self.other)
        }
    }

    @Test func `another number is another failure, unless nobody executes the change`() {
        let base = Self.sample(["35000 is not 34000"])
        let recorded = ChangeContact(executesNone: true, isOfBase: true)
        for contact in [Self.executes, Self.untouched, recorded, ChangeContact()] {
            #expect(conclusion(["33000 is not 34000"], base, contact: contact) == Self.other)
            #expect(conclusion(["35000 is not 34000"], base, contact: contact) == Self.broken)
        }
        let nothing = ChangeContact(executesNone: true, isNone: true)
        #expect(conclusion(["33000 is not 34000"], base, contact: nothing) == Self.broken)
    }

    @Test func `with an empty home folder the base has to fail in the same way, too`() {
        let (base, left): (FailureSample, [String?]) = (Self.sample(["a"]), ["unknown", "left-behind"])
        #expect(conclusion(["a"], base, emptied: Self.sample(["a", "b"])) == Self.broken)
        #expect(conclusion(["a"], base, emptied: Self.sample(["b"])) == left)
        #expect(conclusion(["a"], base, emptied: Self.sample(["b"]), stored: [.passed]) == left)
        #expect(conclusion(["a"], base, emptied: Self.sample(["b"]), stored: [.failed]) == left)
    }
}
