import Evidence

/// What the attributes of a `<testcase>` say of its outcome, as runners write it that have no child element for it.
///
/// gtest writes `result="skipped"`, ctest `status="disabled"`, Qt `result="fail"`, NUnit's converters `status="Failed"`, Eclipse
/// `ignored="true"`, Node.js `failure="…"`.
enum XUnitStatus: Equatable {
    /// Nothing but that it ran, or nothing at all.
    case none
    /// It did not run.
    case skipped
    /// A word that is not known here: nobody knows what became of the case.
    case unknown(String)
    /// It failed; what says so, such as `status="failed"`.
    case failed(String)

    /// The gravest of what the attributes say.
    init(_ attributes: XMLAttributes) {
        self = .none
        attributes.forEach { name, value in
            guard let kind = Self.kind(of: name), !value.isEmpty else { return }
            let status = Self.status(kind, name, String(decoding: value, as: UTF8.self))
            if status.gravity > gravity { self = status }
        }
    }

    /// The gravest of what the tag of a suite says of it as a whole. What counts something there, such as `failures`, or a number of
    /// successes, says nothing of the kind.
    init(ofSuite attributes: XMLAttributes) {
        self = .none
        attributes.forEach { name, value in
            guard let kind = Self.kind(of: name), !value.isEmpty,
                kind == .outcome || name.equals(ignoringCase: "success") && StrictNumber.total(value) == nil
            else { return }
            let status = Self.status(kind, name, String(decoding: value, as: UTF8.self))
            if status.gravity > gravity { self = status }
        }
    }

    /// Whether it is a word that is not known.
    var isUnknown: Bool { if case .unknown = self { true } else { false } }

    /// Whether a word in lower case, without anything between its parts, is one for what became of a case.
    static func isOutcome(_ word: String) -> Bool {
        isPassing(word) || leavingOut.contains(word) || failing.contains(word)
    }

    /// Whether such a word says that a case passed.
    static func isPassing(_ word: String) -> Bool { passing.contains(word) }

    private var gravity: Int {
        switch self {
        case .none: 0
        case .skipped: 1
        case .unknown: 2
        case .failed: 3
        }
    }

    /// What an attribute is about.
    private enum Kind {
        /// The outcome, in a word.
        case outcome
        /// Whether it was left out, failed or passed.
        case leftOut, failure, success
        /// Whether it ended in a way that is none.
        case accident
    }

    private static func kind(of name: XMLBytes) -> Kind? {
        // Most attributes are the three that every case has.
        switch name.count {
        case 4 where name.equals("name") || name.equals("time") || name.equals("file") || name.equals("line"): nil
        case 9 where name.equals("classname"): nil
        default: others.first { name.equals(ignoringCase: $0.name) }?.kind
        }
    }

    private static let others: [(name: StaticString, kind: Kind)] = [
        ("status", .outcome), ("result", .outcome), ("outcome", .outcome), ("state", .outcome), ("verdict", .outcome),
        ("skipped", .leftOut), ("ignored", .leftOut), ("disabled", .leftOut), ("pending", .leftOut),
        ("notrun", .leftOut), ("not-run", .leftOut), ("crashed", .accident), ("timedout", .accident),
        ("timed-out", .accident), ("aborted", .accident),
        ("failure", .failure), ("failures", .failure), ("failed", .failure), ("error", .failure), ("errors", .failure),
        ("incomplete", .failure), ("success", .success), ("passed", .success), ("executed", .success),
    ]

    private static func status(_ kind: Kind, _ bytes: XMLBytes, _ value: String) -> XUnitStatus {
        let word = value.lowercased().filter { !" _-\t\n".contains($0) }
        let name = String(decoding: bytes, as: UTF8.self)
        func failed() -> XUnitStatus { .failed("\(name)=\"\(value)\"") }
        switch kind {
        case .outcome:
            if passing.contains(word) { return .none }
            if leavingOut.contains(word) { return .skipped }
            if failing.contains(word) { return failed() }
            return .unknown("\(name)=\"\(value)\"")
        case .leftOut: return isNo(word) ? .none : .skipped
        case .failure:
            // It may be the message, whatever that says.
            return ["", "false", "0"].contains(word) ? .none : failed()
        case .success:
            let isExecuted = name.lowercased() == "executed"
            let count = StrictNumber.total(value.utf8)
            if count == 0 || isNo(word) { return isExecuted ? .skipped : failed() }
            return count != nil || isYes(word) ? .none : Self.status(.outcome, bytes, value)
        case .accident: return isNo(word) ? .none : failed()
        }
    }

    private static func isYes(_ word: String) -> Bool { ["yes", "y", "all"].contains(word) || isPassing(word) }

    private static func isNo(_ word: String) -> Bool { ["", "false", "no", "0", "none", "null", "n"].contains(word) }

    private static let passing: Set<String> = [
        "passed", "pass", "success", "successful", "succeeded", "ok", "okay", "run", "ran", "completed", "complete",
        "done", "executed", "finished", "fixed", "true", "bpass",
    ]
    private static let leavingOut: Set<String> = [
        "skipped", "skip", "disabled", "ignored", "ignore", "notrun", "notexecuted", "pending", "suppressed", "todo",
        "excluded", "filtered", "deselected", "untested", "inconclusive", "unsupported", "xfail", "xfailed",
        "assumptionfailure", "assumptionfailed",
    ]
    private static let failing: Set<String> = [
        "failed", "fail", "failing", "failure", "error", "errored", "errors", "broken", "crashed", "crash", "timeout",
        "timedout", "aborted", "abort", "killed", "xpass", "xpassed", "fatal", "undefined", "regression", "false", "ko",
    ]
}
