public import RunModel

extension Policy: Limited {
    /// The most entries of the quarantine.
    public static let mostInQuarantine = 1_000
    /// The most entries of a list of settings.
    public static let mostEntries = 10_000
    /// The most patterns with `*` or `?` in one list.
    public static let mostPatterns = 500
    /// How many bytes all patterns with `*` or `?` of one list have together at most: a text is matched with all of
    /// them at once.
    public static let longestPatterns = 8 << 10

    /// What is beyond a limit; everything within them is judged in a time that its length and that of the run determine.
    public var fault: String? {
        let lists = [
            ("coverage.modules", modules.map(\.pattern)), ("coverage.exclude", excludes.map(\.pattern)),
            ("tests.budgets", budgets.map(\.pattern)), ("tests.quarantine", quarantine.map { _ in "" }),
        ]
        for (key, patterns) in lists {
            let most = key == "tests.quarantine" ? Self.mostInQuarantine : Self.mostEntries
            if let fault = Self.fault(key, count: patterns.count, most: most) { return fault }
            let wild = patterns.filter(Glob.isPattern)
            let bytes = wild.reduce(0) { $0 + $1.utf8.count }
            if wild.count > Self.mostPatterns || bytes > Self.longestPatterns {
                return
                    "\(key): \(Figures.counted(wild.count, "pattern")) with '*' or '?' of \(Figures.grouped(bytes)) bytes"
                    + ", the limits are \(Figures.grouped(Self.mostPatterns)) and \(Figures.grouped(Self.longestPatterns))"
            }
        }
        return nil
    }
}

extension GateSettings {
    /// What is beyond a limit.
    public var fault: String? {
        policy.fault
            ?? lists.lazy.compactMap {
                Policy.fault($0.rule.rawValue, count: $0.entries.count, most: Policy.mostEntries)
            }.first
    }
}

extension Baseline: Limited {
    /// The most targets of a package.
    public static let mostTargets = 5_000
    /// The most waivers, and lines that were meant as one.
    public static let mostWaivers = 10_000
    /// The most bases beside the first one: as many merge bases as hardly any history has.
    public static let mostOthers = 16

    /// What is beyond a limit.
    public var fault: String? {
        if let fault = settings?.fault { return "at the base: \(fault)" }
        if let bytes = owners?.text.utf8.count, bytes > CodeOwnersFile.mostBytes {
            return "owners: \(Figures.grouped(bytes)) bytes, the limit is \(Figures.grouped(CodeOwnersFile.mostBytes))"
        }
        let counts = [
            ("targets at the base", basePackage?.targets.count), ("targets", package?.targets.count),
            ("targets of the base's run", run?.targets.count),
        ]
        for (what, count) in counts {
            if let fault = Self.fault(what, count: count ?? 0, most: Self.mostTargets) { return fault }
        }
        return head.fault ?? waivers.fault ?? faultOfOthers
    }

    private var faultOfOthers: String? {
        let others = others ?? []
        if let fault = Self.fault("bases", count: others.count + 1, most: Self.mostOthers + 1) { return fault }
        if others.contains(where: { $0.baseline.others != nil }) { return "bases: one has bases of its own" }
        return others.lazy.compactMap { $0.baseline.fault ?? $0.comparison?.fault }.first
    }
}

extension WaiverReading: Limited {
    /// What is beyond a limit.
    public var fault: String? {
        let counts = [waivers.count, earlier.count, faults.count]
        if let fault = counts.lazy.compactMap({ Self.fault("waivers", count: $0, most: Baseline.mostWaivers) }).first {
            return fault
        }
        let texts = (waivers + earlier).lazy.flatMap { [$0.subject, $0.reason] }
        return texts.map(\.utf8.count).first { $0 > Waiver.longestText }.map {
            "waivers: one of \(Figures.grouped($0)) bytes, the limit is \(Figures.grouped(Waiver.longestText))"
        }
    }
}
