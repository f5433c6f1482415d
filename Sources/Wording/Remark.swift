public import RunModel

/// A gap or a note in words.
public struct Remark: Sendable, Hashable {
    /// The stable code: `tests-not-run`.
    public let code: String
    /// The text after the code, with its separator: ` (CoreTests): 1 of 3 tests has no result`; untrusted text.
    public let rest: String
    /// What the code means, in one sentence.
    public let meaning: String
    /// What to do about it.
    public let remedy: String

    init(_ code: ReasonCode, _ subject: String, _ detail: String) {
        self.code = code.rawValue
        rest = (subject.isEmpty ? "" : " (\(subject))") + ": \(detail)"
        meaning = code.meaning
        remedy = code.remedy
    }

    /// `tests-not-run (CoreTests): 1 of 3 tests has no result`; may hold untrusted text of several lines.
    public var sentence: String { code + rest }
}

extension Gap {
    /// The gap in words.
    public var words: Remark { Remark(code, subject, detail) }
}

extension Note {
    /// The note in words.
    public var words: Remark { Remark(code, subject, detail) }
}
