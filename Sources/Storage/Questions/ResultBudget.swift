/// How many results of tests one question unpacks, run by run: a run costs as many as it has tests.
///
/// Without it a few runs with very many tests cost as much as thousands of others. Runs that answer for their tree and all others have a
/// budget each, so that nobody's laptop keeps out what CI says.
struct ResultBudget {
    /// How many tests a run has that answers for its tree, on average, when as many such runs are read as are asked for.
    private static let testsOfExactRun = 20_000
    /// More runs than any question asks for.
    private static let mostRuns = 1_000_000
    /// How many results are read of all other runs.
    private static let mostOfOthers = 1_000_000

    private var left: Int
    private var isUntouched = true

    /// A budget of so many results.
    init(_ most: Int) { left = most }

    /// The budget for runs that answer for their tree.
    ///
    /// - Parameter runs: How many are asked for.
    static func exact(runs: Int) -> ResultBudget { ResultBudget(max(0, min(runs, mostRuns)) * testsOfExactRun) }

    /// The budget for all other runs.
    static var others: ResultBudget { ResultBudget(mostOfOthers) }

    /// No limit but that of the runs.
    static var unlimited: ResultBudget { ResultBudget(.max) }

    /// Takes the results of a run; `false` if they are too many. The first run is always taken, however many tests it has.
    mutating func take(_ tests: Int) -> Bool {
        guard isUntouched || tests <= left else { return false }
        isUntouched = false
        left = max(0, left - tests)
        return true
    }
}
