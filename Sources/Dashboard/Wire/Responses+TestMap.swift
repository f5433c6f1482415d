import RunModel

/// What a selection of tests would have left out of a run.
struct TrialResponse: Codable {
    let run: String
    let base: String
    let tests: Int
    let deselected: Int
    let durationNanoseconds: Int64
    let deselectedNanoseconds: Int64
    let newFailures: Int
    let missed: Int

    init(_ entry: SelectionLedger.Entry) {
        run = entry.run.description
        base = entry.trial.base.description
        tests = entry.trial.tests
        deselected = entry.trial.deselected
        durationNanoseconds = entry.trial.time.nanosecondCount
        deselectedNanoseconds = entry.trial.deselectedTime.nanosecondCount
        newFailures = entry.trial.failures
        missed = entry.trial.missed
    }
}
