import RunModel

/// No commit makes a rule laxer than it is at its base, unless a waiver names the change.
enum UnwaivedGateChanges: Rule {
    static let code = "gate-change"

    static func judge(_ input: RuleInput, into findings: inout Findings) {
        findings.violations += input.applied.changes.filter { $0.waiver == nil }.map(Violation.gateChange)
    }

    static func summary(_ count: Int) -> String { Figures.counted(count, "gate change") + " without a waiver" }
}

extension Violation {
    /// The commit makes a rule laxer than it is at its base, and no waiver names that.
    public static func gateChange(_ change: GateChange) -> Violation {
        let detail = change.detail
        return Violation(
            rule: UnwaivedGateChanges.code, subject: .settings(change.subject), title: change.code.rawValue,
            reason: (detail.hasPrefix(" ") ? String(detail.dropFirst()) : detail) + ". \(change.code.meaning)",
            hint: "Undo it, or add to the message of a commit: \(change.trailer)", observed: change.after,
            required: change.before, change: change.code)
    }
}

extension GateChange {
    /// How many files, tests or flags of a change are named; the rest is counted.
    private static let shown = 5

    /// `(Core): line floor 95 % → 60 % (.kanmon.yml:4:5).`; untrusted text.
    public var detail: String {
        let about = subject.isEmpty ? "" : " (\(subject))"
        let what = metric.map { "\($0.rawValue) " } ?? ""
        let places = [basePlace.map { "base \($0)" }, place.map { "now \($0)" }].compactMap(\.self)
        let named = items.prefix(Self.shown).joined(separator: ", ")
        let more = items.count > Self.shown ? " and \(Figures.grouped(items.count - Self.shown)) more" : ""
        return about + ": \(what)\(before) → \(after)" + (items.isEmpty ? "" : ": \(named)\(more)")
            + (places.isEmpty ? "" : " (\(places.joined(separator: ", ")))")
    }

    /// The trailer that would let it pass: it names the module or test target, else the code.
    public var trailer: String {
        let isNamed = code.isWaivedBySubject && !subject.isEmpty && !subject.contains(where: \.isWhitespace)
        return "Kanmon-Waiver: \(isNamed ? subject : code.rawValue) until=YYYY-MM-DD <reason>"
    }
}
