import Evidence

/// An element in a case or in a suite that is none of JUnit's, while it is open.
///
/// If it has nothing that is read, its meaning is unknown. Its name or its attributes may tell that it is what became
/// of a test, as PHPUnit's `<warning>` is: then the test has not passed for sure.
struct XUnitStranger {
    /// The name, as far as messages show it.
    let name: String
    /// Whether its attributes speak of a failure.
    private let isFailed: Bool
    /// Whether it is empty so far: no attribute, no text, no element.
    var isEmpty: Bool
    /// How many elements had begun before it that are read.
    let read: Int

    init(_ name: XMLBytes, _ attributes: XMLAttributes, read: Int) {
        self.name = String(decoding: name.prefix(64), as: UTF8.self)
        isFailed = if case .failed = XUnitStatus(attributes) { true } else { false }
        isEmpty = attributes.isEmpty
        self.read = read
    }

    /// Whether it looks like what became of a test that may not have passed. A list of failures without any is none, nor is `<ok/>`.
    var mayBeOutcome: Bool {
        let word = name.lowercased().filter { !"-_.:".contains($0) }
        let isOutcome = XUnitStatus.isOutcome(word) || Self.stems.contains { word.contains($0) }
        return isFailed || isOutcome && !(isEmpty && (word.hasSuffix("s") || XUnitStatus.isPassing(word)))
    }

    /// What is in the names of such elements.
    private static let stems = [
        "abort", "backtrace", "blocked", "broken", "cancel", "crash", "disabl", "error", "exception", "fail", "fatal",
        "flaky", "ignor", "incomplete", "inconclusive", "interrupt", "invalid", "killed", "notrun", "outcome", "panic",
        "pending", "problem", "regress", "rerun", "result", "retry", "risky", "skip", "stacktrace", "status",
        "timedout", "timeout", "traceback", "undefined", "unexpected", "unstable", "unsuccess", "useless", "verdict",
        "violat", "warning",
    ]
}
