public import Gate
import RunModel

extension FailureOrigin.Kind {
    /// The text below a failed test in a list; `nil` where nothing is known, which one sentence says for all tests. May hold untrusted
    /// text.
    public var words: String? {
        if case .unknown = self { return nil }
        return sentence
    }

    /// The sentence for a failed test that is shown alone, such as in an annotation; may hold untrusted text.
    public var sentence: String {
        switch self {
        case .new: "New: it passed on the base."
        case .newTest: "New: the base has no such test."
        case .redOnBase(let since): "Red on the base already, \(since.words)."
        case .flaky(let passed, let failed):
            "Flaky: of the same sources run \(passed.short) passed it and run \(failed.short) failed it."
        case .unknown(let reason): "Whether it is new is unknown: \(reason)."
        }
    }

    /// A word for programs: `new`, `new-test`, `red-on-base`, `flaky`, `unknown`.
    public var code: String {
        switch self {
        case .new: "new"
        case .newTest: "new-test"
        case .redOnBase: "red-on-base"
        case .flaky: "flaky"
        case .unknown: "unknown"
        }
    }
}

extension FailureOrigin.FirstFailure {
    /// `since run 0f3a9c21 (commit 1a2b3c4d5e6f by Ana, 2026-11-02)`, and what a search has found; untrusted text.
    public var words: String {
        let author = author.map { " by \($0)" } ?? ""
        let facts = [commit.map { "commit \($0.prefix(12))\(author)" }, startedAt.map { "\(CalendarDay($0))" }]
            .compactMap { $0 }.joined(separator: ", ")
        let found = culprit?.words.map { "; \($0)" } ?? ""
        return "\(isFirst ? "since" : "at least since") run \(run.short)" + (facts.isEmpty ? "" : " (\(facts))") + found
    }
}

extension Verdict {
    /// `Of 4 failed tests 1 is new, 2 are red on the base already, 1 is flaky.`; `nil` where nothing failed. May hold untrusted text.
    public var originsInShort: String? { failureOrigins.inShort }
}

extension [FailureOrigin] {
    /// What stored runs say of failed tests, in one sentence; `nil` where nothing failed. May hold untrusted text.
    var inShort: String? {
        let kinds = self.map(\.kind)
        guard !kinds.isEmpty else { return nil }
        var (new, red, flaky): (Int, Int, Int) = (0, 0, 0)
        var reasons: [String] = []
        for kind in kinds {
            switch kind {
            case .new, .newTest: new += 1
            case .redOnBase: red += 1
            case .flaky: flaky += 1
            case .unknown(let reason): reasons.append(reason)
            }
        }
        let known = [(count: new, words: "new"), (red, "red on the base already"), (flaky, "flaky")]
            .filter { $0.count > 0 }
        let reason = reasons.first.map { first in reasons.contains { $0 != first } ? "\(first), and others" : first }
        guard !known.isEmpty else {
            return reason.map { "Whether \(kinds.count == 1 ? "it is" : "they are") new is unknown: \($0)." }
        }
        // One sentence below one test says it all.
        if kinds.count == 1 { return nil }
        let parts = known.map { "\(Figures.grouped($0.count)) \($0.count == 1 ? "is" : "are") \($0.words)" }
        let rest = reason.map { "; of \(Figures.grouped(reasons.count)) it is unknown: \($0)" } ?? ""
        let first = kinds.count == FailureOrigin.most ? "the first " : ""
        return "Of \(first)\(Figures.counted(kinds.count, "failed test")) \(parts.joined(separator: ", "))\(rest)."
    }
}
