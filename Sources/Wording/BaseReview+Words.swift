public import Gate
public import RunModel

/// One line about the base: a sign, a kind and a sentence.
public struct BaseLine: Sendable, Hashable {
    /// The sign shown beside the word, so that no meaning depends on color alone.
    public let sign: String
    /// What it is: `waived`, `unused waiver`, `floor of the base`.
    public let kind: String
    /// The rest; untrusted text.
    public let words: String
}

extension BaseCommit {
    /// `1a2b3c4d5e6f, where the change left origin/main`; may hold untrusted text.
    public var words: String {
        let how =
            switch kind {
            case .named: "named as \(name)"
            case .pushed: "what \(name) is on the remote"
            case .mergeBase: "the merge base with \(name)"
            case .parent: "the previous commit on \(name)"
            case .passed: "the latest state of \(name) before it that passed"
            case .unrelated: "\(name), which has no commit in common with the change"
            }
        return "\(commit.prefix(12)), \(how)"
    }
}

extension BaseReview {
    /// All remarks on the base that are not violations, the most important first.
    public var lines: [BaseLine] {
        againLines + unjudgedLines
            + waived.map { change in
                let waiver = change.waiver
                return BaseLine(
                    sign: "!", kind: "waived",
                    words: "\(change.code.rawValue)\(change.detail), until \(waiver?.until.description ?? "")"
                        + ": \(waiver?.reason ?? "") (\(waiver?.place ?? ""))")
            }
            + waivers.filter { $0.state != .used }.map { status in
                let hint = status.suggestion.map { "; it names neither a module nor a code: write '\($0)'" } ?? ""
                return BaseLine(
                    sign: status.state == .standing ? "!" : "–", kind: status.state.words,
                    words: "\(status.waiver.subject) until \(status.waiver.until): \(status.waiver.reason) "
                        + "(\(status.waiver.place))\(hint)")
            }
            + faults.map { BaseLine(sign: "?", kind: "not a waiver", words: $0.words) }
            + floors.map { floor in
                let source =
                    switch floor.source {
                    case .head: "the settings of the run"
                    case .base: "the settings of the base"
                    case .ratchet: "the ratchet: the base run covered \(floor.tally.map(Figures.tally) ?? "more")"
                    }
                return BaseLine(
                    sign: "↑", kind: "floor",
                    words: "\(floor.module) \(floor.metric.rawValue) \(Figures.percent(floor.floor)), from \(source)")
            }
            + (others ?? []).flatMap { other in
                [BaseLine(sign: "+", kind: "also compared with", words: other.commit.words)] + other.lines
            }
    }
}

extension BaseReview {
    /// `1 waiver in force: Core until 2026-12-01`; `nil` when none is. May hold untrusted text.
    public var waiversInForce: String? {
        let inForce = waivers.filter { $0.state == .used || $0.state == .standing }.map(\.waiver)
        guard !inForce.isEmpty else { return nil }
        return "\(Figures.counted(inForce.count, "waiver")) in force: "
            + inForce.map { "\($0.subject) until \($0.until)" }.joined(separator: ", ")
    }

    /// The line that says that the run was judged again later.
    private var againLines: [BaseLine] {
        guard let judgedAgainAt else { return [] }
        return [
            BaseLine(
                sign: "↻", kind: "judged again",
                words: "on \(CalendarDay(judgedAgainAt)), against the base of that time")
        ]
    }

    /// The line that says that rules were not judged, and what to do about it.
    private var unjudgedLines: [BaseLine] {
        guard !notJudged.isEmpty else { return [] }
        return [
            BaseLine(
                sign: "?", kind: "not judged",
                words: notJudged.map(\.rawValue).joined(separator: ", ") + ": no complete run of "
                    + "\(commit.commit.prefix(12)) is stored; kanmon run --commit \(commit.commit.prefix(12)) makes one"
            )
        ]
    }
}

extension Waiver {
    /// `commit 1a2b3c4d5e6f, line 3 of its message`.
    public var place: String { "commit \(commit.prefix(12)), line \(line) of its message" }
}

extension WaiverFault {
    /// The place, the problem and a correct form; untrusted text.
    public var words: String {
        let fault =
            switch problem {
            case .subjectMissing: "names neither a module nor a code"
            case .dayMissing: "names no last day after the module or code"
            case .dayWrong: "names a day that is not in the calendar"
            case .reasonMissing: "gives no reason"
            }
        return "commit \(commit.prefix(12)), line \(line) of its message: '\(text)' \(fault); "
            + "write Kanmon-Waiver: <module or code> until=YYYY-MM-DD <reason>"
    }
}

extension WaiverStatus.State {
    /// The words a person reads.
    public var words: String {
        switch self {
        case .used: "waived"
        case .standing: "waiver in force"
        case .expired: "expired waiver"
        case .tooLong: "waiver of more than \(Waiver.longest) days, which does not hold"
        case .unused: "unused waiver"
        }
    }
}
