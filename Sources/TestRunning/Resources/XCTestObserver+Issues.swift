// The part of the observer that hears issues of Swift Testing, and what the preloaded library calls.
import Foundation
import XCTest

/// An issue that Swift Testing passes on while none of its own tests runs.
struct ForeignIssue: Decodable {
    private struct Payload: Decodable {
        struct Issue: Decodable {
            struct Place: Decodable {
                var filePath: String?
                var line: Int?
            }
            var isKnown: Bool?
            var isFailure: Bool?
            var sourceLocation: Place?
        }
        struct Message: Decodable { var text: String }
        var kind: String
        var issue: Issue?
        var messages: [Message]?
    }

    let description: String
    let file: String?
    let line: Int
    let isIssue: Bool
    let isKnown: Bool
    let isFailure: Bool

    private enum Key: CodingKey { case payload }

    init(from decoder: any Decoder) throws {
        let payload = try decoder.container(keyedBy: Key.self).decode(Payload.self, forKey: .payload)
        let texts = payload.messages?.map(\.text) ?? []
        description = texts.isEmpty ? "an issue without a message" : texts.joined(separator: "\n")
        file = payload.issue?.sourceLocation?.filePath
        line = payload.issue?.sourceLocation?.line ?? 0
        isIssue = payload.kind == "issueRecorded"
        isKnown = payload.issue?.isKnown ?? false
        isFailure = payload.issue?.isFailure ?? true
    }

    /// What cannot be read has failed.
    init(unreadable bytes: Data) {
        description =
            "an issue of Swift Testing that cannot be read: \(String(decoding: bytes.prefix(1000), as: UTF8.self))"
        (file, line, isIssue, isKnown, isFailure) = (nil, 0, true, false, true)
    }
}

private var observer: Observer?

/// Called by the preloaded library before `main`.
@_cdecl("kanmon_observer_install")
public func install() {
    guard let path = ProcessInfo.processInfo.environment["KANMON_OBSERVER_RECORDS"] else { return }
    readInterop()
    let created = Observer(path: path)
    observer = created
    Observer.function("kanmon_name_test_cases", (@convention(c) (CaseNamer) -> Void).self)?(nameCase)
    // The center keeps its observers for as long as the process lives.
    XCTestObservationCenter.shared.addTestObserver(created)
    if !created.listen() { created.write(.deaf("XCTest does not say which test case runs")) }
    // From 6.4 on XCTest hears them by itself, as far as a mode lets it.
    #if compiler(>=6.4)
        if areForeignAssertionsIgnored { return }
    #endif
    if !hearIssues() { created.write(.deaf("Swift Testing hands its issues to somebody else")) }
}

private typealias CaseNamer =
    @convention(c) (UnsafeRawPointer, @convention(c) (UnsafePointer<CChar>) -> Void) -> Void

/// Tells the preloaded library the name of a test case that was made.
private let nameCase: CaseNamer = { object, take in
    take(Record("", of: Unmanaged<XCTestCase>.fromOpaque(object).takeUnretainedValue()).recordedName)
}

extension Record {
    /// The name by which the preloaded library knows a test.
    var recordedName: String { "\(cls ?? "")/\(name ?? "")" }

    fileprivate static func deaf(_ why: String) -> Record {
        var record = Record("deaf")
        record.desc = why
        return record
    }
}

/// Makes Swift Testing pass on the issues that it cannot give to a test of its own; returns whether it does, or is
/// absent.
private func hearIssues() -> Bool {
    typealias Handler = @convention(c) (UnsafePointer<CChar>, UnsafeRawPointer, Int, UnsafeRawPointer?) -> Void
    guard
        let install = Observer.function(
            "_swift_testing_installFallbackEventHandler", (@convention(c) (Handler) -> Bool).self)
    else { return true }
    return install { _, bytes, count, _ in
        let json = Data(bytes: bytes, count: count)
        observer?.take((try? JSONDecoder().decode(ForeignIssue.self, from: json)) ?? ForeignIssue(unreadable: json))
    }
}

/// Called by the preloaded library, from a thread of its own, when a time limit is over.
@_cdecl("kanmon_observer_tell")
public func tell() { observer?.tellWaits() }
