import Evidence
import Foundation
import RunModel

/// Converts the records of a running test process to progress, only to be shown: the verdict comes from TestResults.
struct LiveResults: Sendable {
    private var functions: Set<Name> = []
    private var failed: Set<Name> = []
    private var known: Set<Name> = []
    private var cancelled: Set<Name> = []
    /// The start of each running XCTest case; XCTest runs one after the other.
    private var cases: [Name: Duration] = [:]
    /// The start of each running Swift Testing test.
    private var tests: [Name: Duration] = [:]
    /// The last end of a Swift Testing test.
    private var lastEnd = Duration.zero
    /// How many tests have ended, with skipped ones.
    private(set) var ended = 0

    init() {}

    /// The tests that are running, longest first.
    ///
    /// Swift Testing runs tests concurrently, and they wait for each other's threads. So the time of a test counts
    /// from the last end of another one.
    ///
    /// - Parameter limit: How long a test may take; `nil` for no limit.
    func running(at now: Duration, limit: Duration?) -> [Diagnosis.RunningTest] {
        func entry(_ name: Name, _ start: Duration, countedFrom begin: Duration) -> Diagnosis.RunningTest {
            Diagnosis.RunningTest(
                name: name.text, duration: now - start,
                isOverdue: limit.map { now - begin >= $0 } ?? false
            )
        }
        let alone = cases.map { name, start in entry(name, start, countedFrom: start) }
        let together = tests.map { name, start in entry(name, start, countedFrom: max(start, lastEnd)) }
        return (alone + together).sorted { ($1.duration, $0.name) < ($0.duration, $1.name) }
    }

    /// The process has ended, so its tests do not run any more.
    mutating func processEnded() {
        cases = [:]
        tests = [:]
    }

    /// Takes a line of the XCTest observer.
    mutating func progress(ofObserverRecord line: Data, at now: Duration = .zero) -> RunProgress? {
        guard let record = try? JSONDecoder().decode(ObserverRecord.self, from: line),
            let suite = record.cls, let test = record.name
        else { return nil }
        let name = "\(suite)/\(test)"
        switch record.ev {
        case "start":
            cases[Name(name)] = now
            return .testStarted(name: name)
        case "end":
            ended += 1
            cases[Name(name)] = nil
            let outcome: Outcome =
                if (record.failures ?? 0) > 0 { .failed } else if record.skipped == true { .skipped } else { .passed }
            return .testEnded(name: name, outcome: outcome)
        default: return nil
        }
    }

    /// Takes a line of Swift Testing's event stream.
    mutating func progress(ofEvent line: Data, at now: Duration = .zero) -> RunProgress? {
        guard let record = try? JSONDecoder().decode(EventRecord.self, from: line) else { return nil }
        let payload = record.payload
        if record.kind == "test" {
            if payload.kind == "function", let id = payload.id { functions.insert(Name(id)) }
            return nil
        }
        // `swift test` starts Swift Testing when XCTest is over: a case without an end has ended its process.
        if payload.kind == "runStarted" || payload.kind == "testStarted" { cases = [:] }
        guard let id = payload.testID, functions.contains(Name(id)) else { return nil }
        let key = Name(id)
        switch payload.kind {
        case "testStarted":
            tests[key] = now
            return .testStarted(name: Self.name(of: id))
        case "testCancelled":
            // There will be an end record too.
            cancelled.insert(key)
            return nil
        case "testSkipped":
            end(key)
            return .testEnded(name: Self.name(of: id), outcome: .skipped)
        case "issueRecorded":
            if payload.issue?.isKnown == true {
                known.insert(key)
            } else if payload.issue?.isFailure ?? true {
                failed.insert(key)
            }
            return nil
        case "testEnded":
            end(key)
            lastEnd = now
            let outcome: Outcome =
                if failed.contains(key) {
                    .failed
                } else if cancelled.contains(key) {
                    .skipped
                } else if known.contains(key) {
                    .knownIssue
                } else {
                    .passed
                }
            return .testEnded(name: Self.name(of: id), outcome: outcome)
        default: return nil
        }
    }

    private mutating func end(_ key: Name) {
        ended += 1
        tests[key] = nil
    }

    /// The id without its last part, `/File.swift:1:2`.
    static func name(of id: String) -> String {
        guard let slash = id.lastIndex(of: "/"), id[slash...].contains(":") else { return id }
        return String(id[..<slash])
    }
}

extension LiveResults {
    private struct ObserverRecord: Decodable {
        var ev: String
        var cls: String?
        var name: String?
        var skipped: Bool?
        var failures: Int?
    }

    private struct EventRecord: Decodable {
        struct Payload: Decodable {
            var kind: String
            var id: String?
            var testID: String?
            var issue: Issue?
        }
        struct Issue: Decodable {
            var isKnown: Bool?
            var isFailure: Bool?
        }
        var kind: String
        var payload: Payload
    }
}
