import Foundation
import RunModel

/// Turns the records of a running test process into progress. For eyes only: the verdict comes from Evidence.
struct LiveResults: Sendable {
    private var functions: Set<[UInt8]> = []
    private var failed: Set<[UInt8]> = []
    private var known: Set<[UInt8]> = []
    private var cancelled: Set<[UInt8]> = []

    init() {}

    /// Takes a line of the XCTest observer.
    func progress(ofObserverRecord line: Data) -> RunProgress? {
        guard let record = try? JSONDecoder().decode(ObserverRecord.self, from: line),
            let suite = record.cls, let test = record.name
        else { return nil }
        let name = "\(suite)/\(test)"
        switch record.ev {
        case "start": return .testStarted(name: name)
        case "end":
            let outcome: Outcome =
                if (record.failures ?? 0) > 0 { .failed } else if record.skipped == true { .skipped } else { .passed }
            return .testEnded(name: name, outcome: outcome)
        default: return nil
        }
    }

    /// Takes a line of Swift Testing's event stream.
    mutating func progress(ofEvent line: Data) -> RunProgress? {
        guard let record = try? JSONDecoder().decode(EventRecord.self, from: line) else { return nil }
        let payload = record.payload
        if record.kind == "test" {
            if payload.kind == "function", let id = payload.id { functions.insert(Array(id.utf8)) }
            return nil
        }
        guard let id = payload.testID, functions.contains(Array(id.utf8)) else { return nil }
        let key = Array(id.utf8)
        switch payload.kind {
        case "testStarted": return .testStarted(name: Self.name(of: id))
        case "testCancelled":
            // Its end is told as well.
            cancelled.insert(key)
            return nil
        case "testSkipped": return .testEnded(name: Self.name(of: id), outcome: .skipped)
        case "issueRecorded":
            if payload.issue?.isKnown == true {
                known.insert(key)
            } else if payload.issue?.isFailure ?? true {
                failed.insert(key)
            }
            return nil
        case "testEnded":
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
