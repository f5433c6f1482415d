public import RunModel

/// Something in a commit that makes its own gate laxer: it blocks until a waiver names it.
public struct GateChange: Sendable, Hashable, Codable {
    /// The stable code.
    public var code: GateChangeCode
    /// What it is about: a module, a test target, a pattern, a key of the settings; may be empty. Untrusted text.
    public var subject: String
    /// What a floor counts, where it is about one.
    public var metric: CoverageMetric?
    /// How it was at the base, such as `95 %`; untrusted text.
    public var before: String
    /// How it is now; untrusted text.
    public var after: String
    /// Which modules, files, tests or flags are concerned, where there are several; untrusted text.
    public var items: [String]
    /// Where it was set at the base: `file:line:column`.
    public var basePlace: String?
    /// Where it is set now.
    public var place: String?
    /// The waiver that lets it pass; without one it blocks.
    public var waiver: Waiver?

    package init(
        _ code: GateChangeCode,
        subject: String = "",
        metric: CoverageMetric? = nil,
        before: String = "",
        after: String = "",
        items: [String] = [],
        basePlace: String? = nil,
        place: String? = nil,
        waiver: Waiver? = nil
    ) {
        self.code = code
        self.subject = subject
        self.metric = metric
        self.before = before
        self.after = after
        self.items = items
        self.basePlace = basePlace
        self.place = place
        self.waiver = waiver
    }
}
