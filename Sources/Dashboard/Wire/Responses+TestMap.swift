import Exports
import RunModel

/// What a selection of tests would have left out of a run.
struct TrialResponse: Encodable {
    let run: String
    let base: String
    let tests: Int
    let spared: Int
    let seconds: Double
    let sparedSeconds: Double
    let newFailures: Int
    let missed: Int

    init(_ entry: SelectionLedger.Entry) {
        run = entry.run.description
        base = entry.trial.base.description
        tests = entry.trial.tests
        spared = entry.trial.spared
        seconds = entry.trial.time / .seconds(1)
        sparedSeconds = entry.trial.sparedTime / .seconds(1)
        newFailures = entry.trial.failures
        missed = entry.trial.missed
    }
}

/// The tests that execute a line.
struct WhoResponse: Encodable {
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
