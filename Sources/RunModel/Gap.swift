/// Something the evidence does not establish. A gap blocks: its run is undecided.
public struct Gap: Sendable, Hashable, Codable {
    /// The stable code.
    public var code: ReasonCode
    /// What it is about: a file, a module, a test; may be empty.
    public var subject: String
    /// What was observed, with numbers; may contain untrusted text.
    public var detail: String

    package init(_ code: ReasonCode, subject: String = "", detail: String) {
        (self.code, self.subject, self.detail) = (code, subject, detail)
    }
}

/// A remark on the evidence that does not block, because another complete source settles it.
public struct Note: Sendable, Hashable, Codable {
    /// The stable code, shared with gaps.
    public var code: ReasonCode
    /// What it is about; may be empty.
    public var subject: String
    /// What was observed; may contain untrusted text.
    public var detail: String

    package init(_ code: ReasonCode, subject: String = "", detail: String) {
        (self.code, self.subject, self.detail) = (code, subject, detail)
    }

    /// Makes a note of a gap that another complete source settles.
    public init(_ gap: Gap) { self.init(gap.code, subject: gap.subject, detail: gap.detail) }
}
