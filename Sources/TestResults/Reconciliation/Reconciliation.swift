import Evidence
import RunModel

/// What the reports of one pass say together: results, and everything that stays open.
///
/// The sources of a library are asked best first; the others are compared with it. What contradicts or is missing becomes
/// a gap, or a note where a complete source settles it.
struct Reconciliation {
    private(set) var evidence: RunEvidence
    var tests: [TestResult] = []
    var gaps: [Gap] = []
    var notes: [Note] = []
    /// Whether the records of each library are there to their end, or what is missing is explained by a test that was
    /// running when its process ended.
    var isSettled: [TestingLibrary: Bool] = [:]
    /// The last test that was running when the process of its library ended.
    var running: TestID?
    /// Tests that were running when their process ended by the doing of another.
    var bystanders: [TestID] = []
    /// Tests that were running when their process crashed, where nothing tells which of them was to blame.
    var suspects: [TestID] = []
    /// What is known of that crash.
    var suspectedCrash: String?

    // What every test that was running asks for, and there may be as many of them as of what is gone through.

    /// Whether the run was ended from outside.
    private let isInterrupted: Bool
    /// What was running when a time limit ended the pass, by the library's name.
    private let begun: [Name: Diagnosis.RunningTest]
    /// How the test steps of each library ended.
    private let ends: [TestingLibrary: Ends]

    /// How the test steps of a library ended: whether any of them by a time limit, and the last one.
    private struct Ends {
        var wasTimedOut = false
        var last: Termination?
    }

    var manifest: RunManifest { evidence.manifest }

    init(_ evidence: RunEvidence) {
        self.evidence = evidence
        gaps = evidence.damage
        isInterrupted = evidence.manifest.gaps.contains { $0.code == .interrupted }
        begun = Dictionary(
            (evidence.pass.diagnosis?.running ?? []).map { (Name($0.name), $0) },
            uniquingKeysWith: { first, _ in first })
        var ends: [TestingLibrary: Ends] = [:]
        for step in evidence.steps where step.kind == .test {
            let libraries: [TestingLibrary] = step.library.map { [$0] } ?? TestingLibrary.allCases
            for library in libraries {
                if step.wasTimedOut { ends[library, default: Ends()].wasTimedOut = true }
                ends[library, default: Ends()].last = step.termination
            }
        }
        self.ends = ends
    }

    /// Brings all sources together.
    mutating func run() {
        reconcileXCTest()
        reconcileSwiftTesting()
        judgeSilence()
        compareXUnit()
        judgeFaults()
        judgeEnd()
        tests.orderByIdentity()
        evidence.forgetReports()
    }

    /// The tests without any sign that they came to an end.
    var notRun: [TestID] { tests.filter { $0.outcome == .notRun }.map(\.id) }

    // MARK: A test that was running when its process ended

    /// How a test ended that began and has no end.
    ///
    /// - Parameter name: The test as its library names it.
    func outcomeOfOpenTest(_ name: String, in library: TestingLibrary) -> Outcome {
        // Ended from outside: the test is not to blame, and did not come to any end of its own.
        if isInterrupted { return .notRun }
        if let diagnosis = evidence.pass.diagnosis {
            // One that began while the others were being ended had no chance.
            let entry = begun[Name(name)]
            return entry.map { $0.isOverdue || diagnosis.cause != .test } == true ? .timedOut : .notRun
        }
        return ends[library]?.wasTimedOut == true ? .timedOut : .crashed
    }

    /// What is known about why a test did not come to its end.
    ///
    /// - Parameter waits: What it was waiting for, each as a sentence with the place where it was made.
    func issueOfOpenTest(
        _ name: String, _ outcome: Outcome, _ crash: Crash?, waits: [Issue] = [], in library: TestingLibrary
    ) -> Issue {
        switch outcome {
        case .timedOut:
            let pending = waits.map(evidence.paths.relative)
            let lines = [reasonOfTimeOut(name)] + pending.map(Self.sentence) + lines(of: crash)
            return Issue(
                message: lines.joined(separator: "\n"), location: place(of: crash) ?? pending.first?.location)
        case .notRun: return Issue(message: "its process was ended from outside while it was running")
        default: break
        }
        guard let crash else { return Issue(message: "its process ended while it was running\(manner(library))") }
        let manner = [crash.reason, crash.signal.map { "signal \($0)" }].compactMap { $0 }.joined(separator: ", ")
        let message = crash.message ?? "its process crashed: \(manner.isEmpty ? "no cause was reported" : manner)"
        return Issue(message: ([message] + lines(of: crash)).joined(separator: "\n"), location: place(of: crash))
    }

    /// A crash in words: what was said, how the process ended, and where it was; the package's own frames, if there are any.
    func words(on crash: Crash) -> String {
        let own = lines(of: crash).map { String($0.drop { $0 == " " }) }
        let all = crash.frames.prefix(3).map {
            "in \($0.function) at \(evidence.paths.relative($0.location) ?? $0.location)"
        }
        let place = crash.place.map { "at \(resolve($0))" }
        let said = [crash.message, crash.reason, crash.signal.map { "signal \($0)" }, place].compactMap { $0 }
        return (said + (own.isEmpty ? all : own)).joined(separator: ", ")
    }

    private static func sentence(of wait: Issue) -> String {
        "  waits for the expectation '\(wait.message)'" + (wait.location.map { " made at \($0)" } ?? "")
    }

    /// The first frames in the package's own sources, innermost first: of the thread that crashed, or else of the first that has any.
    private func ownFrames(of crash: Crash?) -> [Crash.Frame] {
        let threads = crash.map { [$0.frames] + $0.others } ?? []
        return threads.lazy.map { evidence.paths.ownFrames(of: $0) }.first { !$0.isEmpty } ?? []
    }

    /// The same, a line each.
    private func lines(of crash: Crash?) -> [String] {
        ownFrames(of: crash).map { frame in
            "  in \(frame.function) at \(evidence.paths.relative(frame.location) ?? frame.location)"
        }
    }

    private func reasonOfTimeOut(_ name: String) -> String {
        guard let diagnosis = evidence.pass.diagnosis else { return "a time limit ended it while it was running" }
        let entry = begun[Name(name)]
        let time = entry.map { " after \($0.duration.inSeconds)" } ?? ""
        let limit = diagnosis.limit.inSeconds
        return switch diagnosis.cause {
        case .test: "it was ended\(time): the limit for one test is \(limit)"
        case .silence: "it was ended\(time): the tests gave no sign of life for \(limit)"
        case .run: "it was ended\(time): the limit for the whole run is \(limit)"
        }
    }

    /// Where a crash happened: the innermost frame in the package's own sources, or else what the runtime named.
    private func place(of crash: Crash?) -> SourceLocation? {
        evidence.paths.relative(ownFrames(of: crash).first?.location) ?? crash?.place.map(resolve)
    }

    /// How the process ended, in words; SwiftPM does not tell what its child exited with.
    func manner(_ library: TestingLibrary) -> String {
        if let signal = evidence.transcript?.signal { return " (signal \(signal))" }
        guard let end = ends[library]?.last else { return "" }
        switch end {
        case .signaled(let signal): return " (signal \(signal))"
        case .exited(0): return ": it may have called exit(0)"
        case .exited(let status): return manifest.engine == .direct ? " with exit status \(status)" : ""
        }
    }

    /// The runtime names `Module/File.swift`; the module table knows where that file lies.
    private func resolve(_ place: SourceLocation) -> SourceLocation {
        guard let path = evidence.sourcePaths[Name(place.path)] else { return evidence.paths.relative(place) ?? place }
        return SourceLocation(path: path, line: place.line, column: place.column)
    }

    // MARK: Steps

    /// The test steps of the pass in which a library ran.
    func testSteps(of library: TestingLibrary) -> [RunStep] {
        evidence.steps.filter { $0.kind == .test && ($0.library ?? library) == library }
    }

    /// Records issues that belong to no test.
    mutating func addStray(_ issue: Issue, subject: String) {
        guard issue.isFailure else { return }
        let place = evidence.paths.relative(issue.location).map { " at \($0)" } ?? ""
        gaps.append(Gap(.issueWithoutTest, subject: subject, detail: "\(issue.message)\(place)"))
    }
}

extension PackagePaths {
    /// The first ten frames of a thread that are in the package's own sources, innermost first.
    func ownFrames(of thread: [Crash.Frame]) -> [Crash.Frame] {
        Array(thread.lazy.filter { isOwnSource($0.location.path) }.prefix(10))
    }
}

extension Outcome {
    /// How a test ended that had recorded issues by then: one that did not come to its end has failed anyway.
    func keepingFailure(in recorded: some Sequence<Issue>) -> Outcome {
        self == .notRun && recorded.contains(where: \.isFailure) ? .failed : self
    }
}

extension TestingLibrary {
    /// The name that people know it by.
    var name: String {
        switch self {
        case .xctest: "XCTest"
        case .swiftTesting: "Swift Testing"
        case .foreign: "another runner"
        }
    }
}

extension Duration {
    /// Whole seconds and minutes, floored, as a person reads them.
    var inSeconds: String {
        let seconds = components.seconds
        guard seconds > 0 || self == .zero else { return "\(nanosecondCount / 1_000_000) ms" }
        return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min" + (seconds % 60 > 0 ? " \(seconds % 60) s" : "")
    }
}
