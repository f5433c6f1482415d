public import Gate
import RunModel

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

    /// The change as a violation.
    public var words: ViolationWords {
        ViolationWords(
            subject: code.rawValue, reason: detail.trimmingLeadingBlank + ". \(code.meaning)",
            cure: "Undo it, or write into the message of a commit: \(trailer)")
    }

    /// The trailer that would let it pass.
    public var trailer: String { "Kanmon-Waiver: \(waiverSubject) until=YYYY-MM-DD <reason>" }

    /// The subject of a waiver for it: the module or test target, else the code.
    private var waiverSubject: String {
        switch code {
        case .floorLowered, .floorRemoved, .testTargetRemoved, .testTargetOff, .testsSkipped, .knownIssuesAdded,
            .argumentsDropped,
            .moduleRemoved, .moduleRenamed, .codeInLocalPackage, .moduleWithoutFloor, .coverageDropped,
            .unsafeFlagsAdded:
            subject.isEmpty || subject.contains(where: \.isWhitespace) ? code.rawValue : subject
        case .flakyTolerated, .quarantineAdded, .budgetRaised, .defaultFloorLowered, .excludeAdded, .excludeWidened,
            .minimumTestsLowered, .testsDropped, .ratchetOff, .patchFloorLowered, .patchMinimumRaised,
            .projectFloorLowered, .projectDropRaised, .fileFloorLowered, .retriesRaised,
            .runTimeoutRaised, .testTimeoutRaised, .silenceTimeoutRaised, .runBeforeChanged, .runAfterChanged,
            .runEnvironmentChanged, .generatedAdded, .settingsRemoved, .settingsMoved,
            .projectChanged, .baseChanged:
            code.rawValue
        }
    }
}

extension String {
    fileprivate var trimmingLeadingBlank: String { hasPrefix(" ") ? String(dropFirst()) : self }
}
