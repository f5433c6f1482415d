import Evidence
import RunModel

/// What the tests printed, read by the grammar of XCTest's console and of Swift's crash reports.
///
/// A test may print anything, also lines that look like XCTest's own. So the transcript is the last of all sources: it
/// gives skip reasons, output and the causes of crashes, and results only where the observer left none.
struct Transcript: Equatable {
    /// One execution of a test case, as the console shows it: without its module.
    struct Execution: Equatable {
        /// `Class.method`.
        var name: String
        var issues: [Issue] = []
        var skipReason: String?
        var output: String?
        /// `nil` while the test runs.
        var end: End?
    }

    /// How an execution ended.
    struct End: Equatable {
        var outcome: Outcome
        var duration: Duration?
    }

    /// In the order in which they began.
    var executions: [Execution] = []
    /// Crashes in the order of the log; also those of processes that a test started.
    var crashes: [Crash] = []
    /// The signal that ended the test process, where SwiftPM names it.
    var signal: Int32?
    /// Whether the summary is there that XCTest prints behind its last test.
    var isConcluded = false
    /// How many texts are not whole.
    var cutTexts = 0

    /// Reads a log, as far as the budget reaches.
    ///
    /// - Parameter known: The names, as `Class.method`, that can be tests; `nil` takes every name for one.
    static func read(_ document: LentBytes, known: Set<Name>?, budget: EvidenceBudget) -> Transcript {
        var builder = TranscriptBuilder(known: known, budget: budget)
        document.forEachLine { line, hasNewline in
            if !budget.isSpent { builder.add(line, hasNewline: hasNewline) }
        }
        return builder.finish()
    }
}

/// One crash, as Swift's runtime and its backtracer report it.
struct Crash: Equatable {
    /// What the runtime said last, such as `Fatal error: Index out of range`.
    var message: String?
    /// `Module/File.swift` and line, as the runtime names the place of a fatal error.
    var place: SourceLocation?
    /// What the backtracer calls the crash, such as `Illegal instruction`.
    var reason: String?
    var signal: Int32?
    /// The frames of the thread that crashed, innermost first.
    var frames: [Frame] = []
    /// Those of each other thread: only where the runtime was asked where all of them are, as a time limit was over.
    var others: [[Frame]] = []
    /// Which execution of an XCTest case was running.
    var execution: Int?

    /// One frame with a place in a source file.
    struct Frame: Equatable {
        var function: String
        var location: SourceLocation
    }
}
