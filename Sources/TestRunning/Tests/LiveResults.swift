import Evidence
import Foundation
import RunModel

/// Turns the records of a running test process into progress. For eyes only: the verdict comes from Evidence.
struct LiveResults: Sendable {
    private var functions: Set<[UInt8]> = []
    private var failed: Set<[UInt8]> = []
    private var known: Set<[UInt8]> = []
    private var cancelled: Set<[UInt8]> = []
    private var running: [[UInt8]: Running] = [:]
    /// When a Swift Testing test last came to its end.
    private var lastEnd = Duration.zero
    /// How many tests came to their end, those skipped included.
    private(set) var ended = 0

    /// A test that began and has not ended.
    private struct Running: Sendable {
        var start: Duration
        var runsAlone: Bool
    }

    init() {}

    /// The tests that are running, longest first.
    ///
    /// Tests of Swift Testing run at the same time and wait for each other's threads. As long as others come to their
    /// end, one that takes long is no sign of trouble: its time counts from the last of those ends.
    ///
    /// - Parameter limit: How long a test may take; `nil` is for ever.
    func running(at now: Duration, limit: Duration?) -> [Diagnosis.RunningTest] {
        running.map { name, entry in
            let counted = now - (entry.runsAlone ? entry.start : max(entry.start, lastEnd))
            return Diagnosis.RunningTest(
                name: String(decoding: name, as: UTF8.self), duration: now - entry.start,
                isOverdue: limit.map { counted >= $0 } ?? false
            )
        }
        .sorted { ($1.duration, $0.name) < ($0.duration, $1.name) }
    }

    /// Takes a line of the XCTest observer.
    mutating func progress(ofObserverRecord line: Data, at now: Duration = .zero) -> RunProgress? {
        guard let record = try? JSONDecoder().decode(ObserverRecord.self, from: line),
            let suite = record.cls, let test = record.name
        else { return nil }
        let name = "\(suite)/\(test)"
        switch record.ev {
        case "start":
            running[Array(name.utf8)] = Running(start: now, runsAlone: true)
            return .testStarted(name: name)
        case "end":
            end(Array(name.utf8))
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
            if payload.kind == "function", let id = payload.id { functions.insert(Array(id.utf8)) }
            return nil
        }
        guard let id = payload.testID, functions.contains(Array(id.utf8)) else { return nil }
        let key = Array(id.utf8)
        switch payload.kind {
        case "testStarted":
            running[key] = Running(start: now, runsAlone: false)
            return .testStarted(name: Self.name(of: id))
        case "testCancelled":
            // Its end is told as well.
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

    private mutating func end(_ key: [UInt8]) {
        ended += 1
        running[key] = nil
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
