import Exports
import RunModel

/// What a selection of tests would have left out of a run.
struct TrialResponse: Codable {
    let run: String
    let base: String
    let tests: Int
    let spared: Int
    let durationNanoseconds: Int64
    let sparedNanoseconds: Int64
    let newFailures: Int
    let missed: Int

    init(_ entry: SelectionLedger.Entry) {
        run = entry.run.description
        base = entry.trial.base.description
        tests = entry.trial.tests
        spared = entry.trial.spared
        durationNanoseconds = entry.trial.time.nanosecondCount
        sparedNanoseconds = entry.trial.sparedTime.nanosecondCount
        newFailures = entry.trial.failures
        missed = entry.trial.missed
    }
}

/// The tests that execute a line.
struct WhoResponse: Codable {
    let recorded: Int
    /// How many tests ran of which it is not recorded what they execute.
    let unrecorded: Int
    /// Whether the run executed the line, whoever did.
    let isExecuted: Bool
    let tests: [TestForm]
    let hasOthers: Bool
    let testsOfFunction: [TestForm]

    init(_ answer: TestMap.LineAnswer, recorded: Int, unrecorded: Int, isExecuted: Bool) {
        self.recorded = recorded
        self.unrecorded = unrecorded
        self.isExecuted = isExecuted
        tests = answer.tests.map { TestForm($0) }
        hasOthers = answer.hasOthers
        testsOfFunction = answer.testsOfFunction.map { TestForm($0) }
    }
}
