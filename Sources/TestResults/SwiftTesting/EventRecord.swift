import Evidence
import RunModel

/// One line of an event stream, reduced to what is used.
struct EventRecord {
    /// What a record is about.
    enum Kind { case test, event, other }

    var kind = Kind.other
    /// The kind within the payload, such as `function` or `testStarted`.
    var payloadKind = ""
    /// The identity of the test that a `test` record describes.
    var id = ""
    /// The identity of the test that an event is about.
    var testID: String?
    var displayName: String?
    /// The tags of a test, those of its suites included.
    var tags: [String] = []
    var location: SourceLocation?
    var isParameterized = false
    var caseNames: [String] = []
    /// The arguments of the case that an event is about.
    var caseName: String?
    /// The file that a value was written to; `nil` where it was not written.
    var attachedPath: String?
    /// What the test called that file.
    var attachedName: String?
    /// Seconds on the clock that does not jump.
    var instant = 0.0
    /// Which repetition of the test it is about, from 1; `nil` where the stream does not count them.
    var iteration: Int?
    /// The most messages and comments of one record, and the most cases of a parameterized test.
    private static let limits = (messages: 10_000, cases: 1_000_000)
    private var messages: [String] = []
    private var comments: [String]?
    private var hasStableTags = false
    private var isKnown = false
    private var isWarning = false
    private var isFailure: Bool?
    private var issueLocation: SourceLocation?

    /// Reads a record; fields that are not known are passed over.
    init(_ cursor: inout JSONCursor) throws(JSONFault) {
        var kindText = ""
        var hasVersion = false
        try cursor.object { cursor, key throws(JSONFault) in
            switch key {
            case "kind": kindText = try cursor.string()
            case "payload": try readPayload(&cursor)
            case "version":
                let version = try EventStreamVersion(&cursor)
                hasVersion = true
                guard version.isKnown else { throw cursor.fault("version \(version) of the event stream is not known") }
            default: try cursor.skip()
            }
        }
        guard !kindText.isEmpty else { throw cursor.fault("a record without a kind") }
        guard hasVersion else { throw cursor.fault("a record without a version") }
        kind = kindText == "test" ? .test : kindText == "event" ? .event : .other
    }

    private mutating func readPayload(_ cursor: inout JSONCursor) throws(JSONFault) {
        try cursor.object { cursor, key throws(JSONFault) in
            switch key {
            case "kind": payloadKind = try cursor.string()
            case "id": id = try cursor.string()
            case "testID": testID = try cursor.string()
            case "displayName": displayName = try cursor.string()
            // Of a test, or of where it cancels itself; some versions have the second as an experiment.
            case "sourceLocation", "_sourceLocation": location = try Self.location(&cursor)
            case "isParameterized": isParameterized = try cursor.boolean()
            case "_testCases":
                try cursor.array { cursor throws(JSONFault) in
                    caseNames.append(try Self.caseName(&cursor) ?? "")
                    if caseNames.count > Self.limits.cases {
                        throw cursor.tooMany("cases of a test", Self.limits.cases)
                    }
                }
            // Version 6.4 has both, and the second for readers of 6.3 only.
            case "tags":
                tags = try Self.strings(&cursor)
                hasStableTags = true
            case "_tags": if hasStableTags { try cursor.skip() } else { tags = try Self.strings(&cursor) }
            case "iteration": iteration = try cursor.integer()
            case "_testCase": caseName = try Self.caseName(&cursor)
            case "_comments", "comments": comments = try Self.strings(&cursor)
            case "instant": instant = try Self.instant(&cursor)
            case "messages":
                try cursor.array { cursor throws(JSONFault) in
                    if let text = try Self.message(&cursor) { messages.append(text) }
                    try Self.check(messages, cursor)
                }
            case "issue": try readIssue(&cursor)
            case "attachment": try readAttachment(&cursor)
            default: try cursor.skip()
            }
        }
    }

    private mutating func readIssue(_ cursor: inout JSONCursor) throws(JSONFault) {
        try cursor.object { cursor, key throws(JSONFault) in
            switch key {
            // From 6.5 on also what the test says of it.
            case "isKnown":
                if cursor.next() == UInt8(ascii: "\"") {
                    try cursor.skip()
                    isKnown = true
                } else {
                    isKnown = try cursor.null() ? false : try cursor.boolean()
                }
            case "comments": comments = try Self.strings(&cursor)
            case "isFailure": isFailure = try cursor.boolean()
            case "severity": isWarning = try cursor.string() == "warning"
            case "sourceLocation": issueLocation = try Self.location(&cursor)
            default: try cursor.skip()
            }
        }
    }

    private mutating func readAttachment(_ cursor: inout JSONCursor) throws(JSONFault) {
        try cursor.object { cursor, key throws(JSONFault) in
            switch key {
            case "path": attachedPath = try cursor.null() ? nil : try cursor.string()
            case "_preferredName": attachedName = try cursor.string()
            default: try cursor.skip()
            }
        }
    }

    // MARK: Meaning

    /// What an `issueRecorded` event recorded. Version 0 knows neither severity nor `isFailure`.
    var issue: Issue {
        Issue(
            message: message, location: issueLocation ?? location, isKnown: isKnown,
            isWarning: isWarning || (isFailure == false && !isKnown)
        )
    }

    /// The words for people; from version 6.5 on they may be left out, and what the author of the test said stays.
    private var message: String {
        let words = messages.isEmpty ? comments ?? [] : messages
        return words.isEmpty ? "an issue without a message" : words.joined(separator: "\n")
    }

    /// Why a test was skipped or cancelled: its comments, or the quoted end of the words for people.
    var reason: String? {
        if let comments { return comments.isEmpty ? nil : comments.joined(separator: "\n") }
        guard let text = messages.first, let range = text.firstRange(ofBytes: " skipped: \"") else { return nil }
        let quoted = text[range.upperBound...]
        return quoted.hasSuffix("\"") ? String(quoted.dropLast()) : String(quoted)
    }

    /// The arguments as the words for people name them: `Test case passing 1 argument n → 1 to f(n:) started.`
    var argumentInWords: String? {
        guard let text = messages.first, let range = text.firstRange(ofBytes: "Test case passing ") else {
            return nil
        }
        let words = text[range.upperBound...].drop { $0 != " " }.dropFirst()
        let arguments = words.drop { $0 != " " }.dropFirst()
        guard let end = arguments.lastRange(ofBytes: " to ") else { return nil }
        return String(arguments[..<end.lowerBound])
    }

    // MARK: Pieces

    private static func location(_ cursor: inout JSONCursor) throws(JSONFault) -> SourceLocation? {
        if try cursor.null() { return nil }
        var path: String?
        var oldPath: String?
        var line = 0
        var column: Int?
        try cursor.object { cursor, key throws(JSONFault) in
            switch key {
            case "filePath": path = try cursor.string()
            case "_filePath": oldPath = try cursor.string()
            case "line": line = try cursor.integer()
            case "column": column = try cursor.integer()
            default: try cursor.skip()
            }
        }
        guard let file = path ?? oldPath else { return nil }
        return SourceLocation(path: file, line: max(1, line), column: column)
    }

    private static func caseName(_ cursor: inout JSONCursor) throws(JSONFault) -> String? {
        var name: String?
        try cursor.object { cursor, key throws(JSONFault) in
            if key == "displayName" { name = try cursor.string() } else { try cursor.skip() }
        }
        return name
    }

    private static func check(_ messages: [String], _ cursor: JSONCursor) throws(JSONFault) {
        if messages.count > limits.messages { throw cursor.tooMany("messages of a record", limits.messages) }
    }

    private static func strings(_ cursor: inout JSONCursor) throws(JSONFault) -> [String] {
        var result: [String] = []
        try cursor.array { cursor throws(JSONFault) in
            result.append(try cursor.string())
            try check(result, cursor)
        }
        return result
    }

    private static func instant(_ cursor: inout JSONCursor) throws(JSONFault) -> Double {
        var result = 0.0
        try cursor.object { cursor, key throws(JSONFault) in
            if key == "absolute" { result = try cursor.double() } else { try cursor.skip() }
        }
        return result
    }

    private static func message(_ cursor: inout JSONCursor) throws(JSONFault) -> String? {
        var text: String?
        try cursor.object { cursor, key throws(JSONFault) in
            if key == "text" { text = try cursor.string() } else { try cursor.skip() }
        }
        return text
    }
}
