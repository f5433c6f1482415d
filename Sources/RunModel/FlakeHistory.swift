public import struct Foundation.Date

/// How a test fared over months: how often it fails, since when, where, and what it says then.
public struct FlakeHistory: Sendable, Hashable {
    /// One run in which the test was executed.
    public struct Execution: Sendable, Hashable {
        /// The run.
        public var run: RunID
        /// When it began.
        public var startedAt: Date
        /// The commit; `nil` if unknown.
        public var commit: String?
        /// The branch; `nil` if unknown.
        public var branch: String?
        /// The tree that the run answers for; `nil` if it answers for none, as one of a working copy does.
        public var tree: String?
        /// Whether the last attempt failed.
        public var isFailure: Bool
        /// Whether another attempt failed, and the last passed; or it passed, and failed when it was repeated as a new or changed test.
        public var isRecovered: Bool
        /// The machine, or what is known of it; `nil` if nothing is. Untrusted text.
        public var machine: String?
        /// The version of the compiler; `nil` if unknown. Untrusted text.
        public var toolchain: String?
        /// Whether no other test was executed.
        public var isAlone: Bool
        /// What the first attempt that failed said, if it was read and said anything; untrusted text.
        public var message: String?
        /// Whether what it said was read.
        public var isRead: Bool

        /// Whether an attempt failed.
        public var isTroubled: Bool { isFailure || isRecovered }

        package init(
            run: RunID, startedAt: Date, commit: String? = nil, branch: String? = nil, tree: String? = nil,
            isFailure: Bool, isRecovered: Bool = false, machine: String? = nil, toolchain: String? = nil,
            isAlone: Bool = false, message: String? = nil, isRead: Bool = false
        ) {
            self.run = run
            self.startedAt = startedAt
            self.commit = commit
            self.branch = branch
            self.tree = tree
            self.isFailure = isFailure
            self.isRecovered = isRecovered
            self.machine = machine
            self.toolchain = toolchain
            self.isAlone = isAlone
            self.message = message
            self.isRead = isRead
        }
    }

    /// A run that something is said of.
    public struct Point: Sendable, Hashable {
        /// The run.
        public var run: RunID
        /// When it began.
        public var startedAt: Date
        /// The commit; `nil` if unknown.
        public var commit: String?

        init(_ execution: Execution) {
            (run, startedAt, commit) = (execution.run, execution.startedAt, execution.commit)
        }
    }

    /// A machine or a toolchain, and how the test fared there.
    public struct Place: Sendable, Hashable {
        /// Its name; untrusted text.
        public var name: String
        /// How often it fails there.
        public var rate: FailureRate
    }

    /// Failures that say the same but for numbers.
    public struct Failure: Sendable, Hashable {
        /// What the first of them said; `nil` if it said nothing. Untrusted text.
        public var message: String?
        /// In how many runs.
        public var count: Int
        /// The first of them.
        public var first: Point
        /// The last of them.
        public var last: Point
    }

    /// The test with what is counted of it.
    public var test: FlakyTest
    /// Only runs that began then or later were looked at.
    public var since: Date
    /// How many runs were looked at, whether they have the test or not.
    public var runs: Int
    /// The first and the last run in which it changed its outcome: ended otherwise than in the run of the branch before, or passed after
    /// an attempt that failed.
    public var firstChange, lastChange: Point?
    /// The machines that are known, those with most failures first.
    public var machines: [Place]
    /// The toolchains that are known, those with most failures first.
    public var toolchains: [Place]
    /// Where no other test was executed, and where others were.
    public var alone, inCompany: FailureRate
    /// Whether the latest full run says that it depends on the order: it passes among others, and fails when one test runs at a time.
    public var isOrderDependent = false
    /// By the hour in which the run began, in UTC, from 0 to 23.
    public var hours: [FailureRate]
    /// What it said, the most frequent first, as far as it was read.
    public var failures: [Failure]
    /// In how many runs it failed of which that was not read, as they are too many.
    public var unread: Int
}

extension FlakeHistory.Execution {
    /// What a history says of a run in which the test was executed, but for where that was and what was said; `nil` where it was not.
    public init?(_ entry: TestHistoryEntry) {
        guard entry.outcome.wasExecuted else { return nil }
        let isFailure = entry.outcome.isFailure
        self.init(
            run: entry.run, startedAt: entry.startedAt, commit: entry.commit, branch: entry.branch, tree: entry.tree,
            isFailure: isFailure, isRecovered: !isFailure && (entry.attempts > 1 || entry.failedWhenRepeated))
    }
}

extension FlakeHistory {
    /// How many days back a test is looked at.
    public static let days = 180
    /// How many runs that answer for their tree are looked at, the newest first.
    public static let mostRuns = 1_000

    /// What it is; `nil` if it is neither flaky nor was before it broke.
    public var kind: FlakyTest.Kind? { test.isSuspect ? test.kind : nil }

    /// Counts executions, the newest first.
    ///
    /// - Parameters:
    ///   - branch: The default branch, which says what is broken; without one every run does.
    ///   - runs: How many runs were looked at.
    public init(
        of test: TestID, _ newestFirst: [Execution], on branch: String?, since: Date, runs: Int
    ) {
        self.since = since
        self.runs = runs
        let exact = newestFirst.filter { $0.tree != nil }
        let troubled = newestFirst.filter(\.isTroubled)
        let changes = Self.changes(newestFirst.reversed())
        firstChange = changes.points.first
        lastChange = changes.points.last
        var streak = FailureStreak()
        for execution in exact where branch == nil || execution.branch.map({ Name($0) }) == branch.map({ Name($0) }) {
            streak.add(isFailure: execution.isFailure, isRecovered: execution.isRecovered, in: execution.run)
        }
        self.test = FlakyTest(
            id: test, disagreements: Self.disagreements(newestFirst), flips: changes.flips,
            failures: newestFirst.count(where: \.isFailure), recoveries: newestFirst.count(where: \.isRecovered),
            executions: newestFirst.count, lastFailure: troubled.first?.run, breakage: streak.breakage)
        machines = Self.places(newestFirst, \.machine)
        toolchains = Self.places(newestFirst, \.toolchain)
        (alone, inCompany) = (FailureRate(), FailureRate())
        hours = Array(repeating: FailureRate(), count: 24)
        for execution in newestFirst {
            if execution.isAlone {
                alone.add(isFailure: execution.isTroubled)
            } else {
                inCompany.add(isFailure: execution.isTroubled)
            }
            hours[Self.hour(of: execution.startedAt)].add(isFailure: execution.isTroubled)
        }
        failures = Self.failures(troubled.filter(\.isRead).reversed())
        unread = troubled.count { !$0.isRead }
    }

    /// The trees on which it both failed and passed, and the runs that answer for no tree in which it did.
    private static func disagreements(_ executions: [Execution]) -> Int {
        var trees: [String: (failed: Bool, passed: Bool)] = [:]
        var others = 0
        for execution in executions {
            guard let tree = execution.tree else {
                others += execution.isRecovered ? 1 : 0
                continue
            }
            let known = trees[tree] ?? (false, false)
            trees[tree] = (known.failed || execution.isTroubled, known.passed || !execution.isFailure)
        }
        return others + trees.values.count { $0.failed && $0.passed }
    }

    /// The runs in which the outcome changed, and how often it did from run to run of a branch, on the branch where that was most often.
    private static func changes(_ oldestFirst: [Execution]) -> (points: [Point], flips: Int) {
        var points: [Point] = []
        var branches: [Name?: (isFailure: Bool, flips: Int)] = [:]
        for execution in oldestFirst {
            var isChange = execution.isRecovered
            if execution.tree != nil {
                let branch = execution.branch.map { Name($0) }
                let before = branches[branch] ?? (execution.isFailure, 0)
                let isFlip = before.isFailure != execution.isFailure
                branches[branch] = (execution.isFailure, before.flips + (isFlip ? 1 : 0))
                isChange = isChange || isFlip
            }
            if isChange { points.append(Point(execution)) }
        }
        return (points, branches.values.map(\.flips).max() ?? 0)
    }

    private static func places(_ executions: [Execution], _ name: (Execution) -> String?) -> [Place] {
        var rates: [Name: FailureRate] = [:]
        for execution in executions {
            guard let name = name(execution), !name.isEmpty else { continue }
            rates[Name(name), default: FailureRate()].add(isFailure: execution.isTroubled)
        }
        return rates.sorted {
            ($1.value.failures, $1.value.executions, $0.key) < ($0.value.failures, $0.value.executions, $1.key)
        }.map { Place(name: $0.key.text, rate: $0.value) }
    }

    private static func hour(of moment: Date) -> Int {
        let seconds = moment.timeIntervalSince1970.rounded(.down).truncatingRemainder(dividingBy: 86_400)
        return Int(seconds < 0 ? seconds + 86_400 : seconds) / 3600
    }

    private static func failures(_ oldestFirst: [Execution]) -> [Failure] {
        var found: [Name: Failure] = [:]
        for execution in oldestFirst {
            let key = Name(withoutNumbers(execution.message ?? ""))
            let point = Point(execution)
            var failure = found[key] ?? Failure(message: execution.message, count: 0, first: point, last: point)
            failure.count += 1
            failure.last = point
            found[key] = failure
        }
        return found.sorted {
            ($1.value.count, $1.value.last.startedAt, $0.key) < ($0.value.count, $0.value.last.startedAt, $1.key)
        }.map(\.value)
    }

    /// How many bytes of a message are compared to tell failures apart.
    private static let longestMessage = 2000

    /// A message with a sign for each of its numbers: `waited 31 ms` and `waited 7.25 ms` are alike.
    static func withoutNumbers(_ message: String) -> String {
        var shown: [UInt8] = []
        var rest = message.utf8.prefix(longestMessage)
        while let byte = rest.popFirst() {
            guard isDigit(byte) else {
                shown.append(byte)
                continue
            }
            shown.append(UInt8(ascii: "#"))
            if byte == UInt8(ascii: "0"), let sign = rest.first, sign | 0x20 == UInt8(ascii: "x") {
                rest = rest.dropFirst().drop {
                    isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20)
                }
                continue
            }
            // A point is of a number where a digit follows.
            while let next = rest.first {
                let isPoint = next == UInt8(ascii: ".") || next == UInt8(ascii: ",")
                guard isDigit(next) || isPoint && rest.dropFirst().first.map(isDigit) == true else { break }
                rest = rest.dropFirst()
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
