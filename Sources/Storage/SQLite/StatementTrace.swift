import GRDB
import Glibc
import Synchronization

/// The cost of a store's statements.
public final class StatementTrace: Sendable {
    /// One statement, over all of its executions.
    public struct Figures: Sendable, Hashable {
        /// How often it was executed.
        public internal(set) var executions = 0
        /// The most processor time in SQLite for one execution.
        public internal(set) var longest = Duration.zero
        /// The processor time of all executions.
        public internal(set) var total = Duration.zero
    }

    private let statements = Mutex<[String: Figures]>([:])

    /// Makes an empty trace.
    public init() {}

    /// The figures so far, by the text of the statement.
    public var figures: [String: Figures] { statements.withLock { $0 } }

    func note(_ statement: String, _ spent: Duration) {
        statements.withLock { statements in
            statements[statement, default: Figures()].executions += 1
            statements[statement, default: Figures()].total += spent
            statements[statement, default: Figures()].longest = max(statements[statement]?.longest ?? .zero, spent)
        }
    }

    /// The processor time of this thread, which a busy machine does not increase.
    static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

extension RunStore {
    /// SQLite's plan for a statement, a line for each step.
    public func plan(of statement: String) throws(StorageError) -> [String] {
        try read { connection in
            let values = (1...10).count { statement.contains("?\($0)") }
            let plan = try connection.database.makeStatement(sql: "EXPLAIN QUERY PLAN " + statement)
            plan.arguments = StatementArguments(Array(repeating: nil as Int?, count: values))
            return try Row.fetchAll(plan).map { $0["detail"] as String }
        }
    }
}
