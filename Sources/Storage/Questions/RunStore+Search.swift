public import RunModel

/// The texts of a run that a person may remember and search for.
public struct RunSearchText: Sendable, Hashable {
    /// The run.
    public var run: RunID
    /// Its branch.
    public var branch: String?
    /// The author of its commit.
    public var author: String?
    /// The subject of its commit.
    public var subject: String?
    /// That commit, where the run is judged for it and tested another one with the same tree; `nil` for the one that it tested.
    public var commit: String?
}

/// The message of a test that failed.
public struct FailureMessage: Sendable, Hashable {
    /// The newest run with that message.
    public var run: RunID
    /// The test.
    public var test: TestID
    /// The message, perhaps without its end.
    public var message: String
}

extension RunStore {
    /// How many characters of a failure message are searched.
    private static let mostCharacters = 4_000
    /// How many characters of an author and a subject are searched.
    private static let mostOfWords = 1_000
    /// How many commits are looked at that runs are judged for and did not test.
    private static let mostCommits = 10_000
    /// How many failures are looked at, those of the newest runs.
    public static let mostFailures = 10_000

    /// What people wrote of the newest runs of a project, and of the commits with the same trees that these are judged for: first of
    /// runs that answer for their tree, then of all others, each the newest first.
    ///
    /// - Parameters:
    ///   - runs: How many at most of each of the two.
    ///   - body: Is given each of them until it returns `false`; of an author and a subject the first 1,000 characters.
    public func forEachWords(
        project: String, runs: Int, _ body: (RunSearchText) -> Bool
    ) throws(StorageError) {
        try read { connection in
            guard let project = try connection.project(project) else { return }
            var isEnough = false
            for isExact in [true, false] where !isEnough {
                try connection.statement(.wordsOfRuns).step(project, runs, isExact, Self.mostOfWords) { row in
                    isEnough = !body(
                        RunSearchText(
                            run: try row.runID(0), branch: row.optionalText(1), author: row.optionalText(2),
                            subject: row.optionalText(3)))
                    return !isEnough
                }
                if isEnough { break }
                try connection.statement(.wordsOfKnownTrees)
                    .step(project, runs, isExact, Self.mostCommits, Self.mostOfWords) { row in
                        isEnough = !body(
                            RunSearchText(
                                run: try row.runID(0), branch: row.optionalText(1), author: row.optionalText(2),
                                subject: row.optionalText(3), commit: row.text(4)))
                        return !isEnough
                    }
            }
        }
    }

    /// The failure messages in the newest runs of a project, first in those that answer for their tree; each test and message once,
    /// with the newest run.
    ///
    /// - Parameters:
    ///   - runs: How many runs that answer for their tree are looked at, and how many others.
    ///   - failures: How many failures are looked at in either, the first; at most 10,000.
    ///   - limit: How many messages at most.
    ///   - isWanted: Is given each message up to its 4,000th character.
    public func failureMessages(
        project: String, runs: Int, failures: Int = RunStore.mostFailures, limit: Int, where isWanted: (String) -> Bool
    ) throws(StorageError) -> [FailureMessage] {
        try read { connection in
            guard let project = try connection.project(project) else { return [] }
            var reading = MessageReading(connection)
            var found: [FailureMessage] = []
            for isExact in [true, false] where found.count < limit {
                try connection.statement(.messagesOfRuns).step(project, runs, min(failures, Self.mostFailures), isExact)
                { row in
                    let said = MessageReading.Said(test: row.integer(1), message: row.integer(2))
                    guard let text = try reading.new(said, Self.mostCharacters, where: isWanted) else { return true }
                    found.append(
                        FailureMessage(
                            run: try connection.runID(ofRow: row.integer(0)),
                            test: try connection.identity(of: said.test), message: text))
                    return found.count < limit
                }
            }
            return found
        }
    }
}

/// Finds messages among the failures of many runs, most of which say what another has said before.
private struct MessageReading {
    /// Which test said what, as the store numbers them.
    struct Said: Hashable {
        let test: Int64
        let message: Int64
    }

    private let connection: Connection
    private var seen: Set<Said> = []
    /// Tests and runs share messages, so each is read once; `nil` for one that is not wanted.
    private var messages: [Int64: String?] = [:]

    init(_ connection: Connection) { self.connection = connection }

    /// The text of what a test said, if it is wanted and the test has not said it before.
    mutating func new(_ said: Said, _ most: Int, where isWanted: (String) -> Bool) throws -> String? {
        guard seen.insert(said).inserted else { return nil }
        if let known = messages[said.message] { return known }
        let text = try connection.statement(.startOfText).first(said.message, most) { $0.text(0) }
        let wanted = text.flatMap { isWanted($0) ? $0 : nil }
        messages[said.message] = .some(wanted)
        return wanted
    }
}

extension Connection {
    fileprivate func runID(ofRow row: Int64) throws -> RunID {
        guard let id = try statement(.identityOfRun).first(row, row: { try $0.runID(0) }) else {
            throw UnreadableContent("a run is missing")
        }
        return id
    }
}
