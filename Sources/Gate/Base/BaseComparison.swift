import RunModel

/// Holds a run and its settings against the base: what lowers the bar, and which waiver lets it pass.
struct BaseComparison {
    let run: TestRun
    let policy: Policy
    let baseline: Baseline
    /// What was found so far.
    private(set) var changes: [GateChange] = []
    /// The base's floors that are higher than those of the run's settings.
    private(set) var steps: [FloorStep] = []
    /// The waivers that hold on the day of the run.
    private let waivers: [Waiver]

    /// A floor that was lowered, and the change that tells of it.
    struct FloorStep {
        let module: String
        let metric: CoverageMetric
        let floor: Percentage
        let change: Int
    }

    init(_ run: TestRun, _ policy: Policy, _ baseline: Baseline) {
        self.run = run
        self.policy = policy
        self.baseline = baseline
        let today = CalendarDay(run.startedAt)
        waivers = baseline.waivers.waivers.filter { $0.until >= today }
        if let bar = baseline.bar {
            compareFile(bar)
            compareFloors(bar)
            compareExcludes(bar)
            compareLimits(bar)
            compareSurroundings(bar)
            compareTestRules(bar)
        }
        compareTargets()
        compareLocalPackages()
        compareTests()
    }

    /// Notes a change, with the waiver that lets it pass: of several the one that holds longest.
    mutating func note(_ change: GateChange) {
        var change = change
        change.waiver = waivers.filter { $0.covers(change) }.max { $0.until < $1.until }
        changes.append(change)
    }

    /// Notes a floor of the base that a change lowers.
    mutating func note(_ floor: Percentage, on metric: CoverageMetric, of module: String, by change: Int) {
        steps.append(FloorStep(module: module, metric: metric, floor: floor, change: change))
    }

    /// Whether something may be lower than at the base.
    func isWaived(_ code: GateChangeCode, about subject: String) -> Bool {
        changes.contains { $0.code == code && Name($0.subject) == Name(subject) && $0.waiver != nil }
    }

    /// What became of every waiver.
    func standings(after changes: [GateChange]) -> [WaiverStanding] {
        let today = CalendarDay(run.startedAt)
        let names =
            (run.modules.map(\.name) + changes.map(\.subject)).filter { !$0.isEmpty }
            + GateChangeCode.allCases.map(\.rawValue)
        let own = baseline.waivers.waivers.map { waiver in
            if waiver.until < today { return WaiverStanding(waiver, .expired) }
            if changes.contains(where: { $0.waiver == waiver }) { return WaiverStanding(waiver, .used) }
            let isKnown = names.contains { Name($0) == Name(waiver.subject) }
            return WaiverStanding(
                waiver, .unused, suggestion: isKnown ? nil : Spelling.nearest(to: waiver.subject, among: names))
        }
        return own + baseline.waivers.earlier.filter { $0.until >= today }.map { WaiverStanding($0, .standing) }
    }
}

extension BaseComparison {
    /// The file of settings itself.
    private mutating func compareFile(_ bar: Bar) {
        let head = baseline.head
        if let old = baseline.movedFrom {
            note(GateChange(.settingsMoved, subject: ".kanmon.yml", before: old, after: head.file ?? "none"))
        } else if let old = bar.file, head.file == nil {
            note(GateChange(.settingsRemoved, subject: ".kanmon.yml", before: old, after: "none"))
        }
        func differ(_ left: String?, _ right: String?) -> Bool {
            left.map { Name($0) } != right.map { Name($0) }
        }
        if differ(bar.project, head.project) {
            note(
                GateChange(
                    .projectChanged, subject: "project", before: bar.project ?? "none", after: head.project ?? "none",
                    basePlace: bar.place(of: "project"), place: head.place(of: "project")))
        }
        if differ(bar.base, head.base) {
            note(
                GateChange(
                    .baseChanged, subject: "base", before: bar.base ?? "none", after: head.base ?? "none",
                    basePlace: bar.place(of: "base"), place: head.place(of: "base")))
        }
    }

    /// Settings that are numbers or lists.
    private mutating func compareLimits(_ bar: Bar) {
        for old in bar.limits {
            guard let new = baseline.head.limits.first(where: { $0.rule == old.rule }), new.isLaxer(than: old) else {
                continue
            }
            note(
                GateChange(
                    old.rule.code, subject: old.rule.rawValue, before: old.words, after: new.words,
                    basePlace: bar.place(of: old.rule.rawValue), place: baseline.head.place(of: old.rule.rawValue)))
        }
        for list in baseline.head.lists where list.rule.isOnlyLoweredByNewEntries {
            // Settings that come into a package for the first time change nothing that was agreed on before.
            if bar.file == nil, list.rule == .generated { continue }
            let old = bar.lists.first { $0.rule == list.rule }?.entries ?? []
            for entry in list.entries where !old.contains(where: { Name($0) == Name(entry) }) {
                let key = "\(list.rule.rawValue).\(entry)"
                note(
                    GateChange(
                        list.rule.code, subject: entry, before: "not in \(list.rule.rawValue)",
                        after: "in \(list.rule.rawValue)", place: baseline.head.place(of: key)))
            }
        }
    }

    /// What the run's surroundings consist of: scripts and variables.
    ///
    /// Settings that come into a package for the first time change nothing that was agreed on before.
    private mutating func compareSurroundings(_ bar: Bar) {
        guard bar.file != nil else { return }
        for rule in BarList.Rule.allCases where !rule.isOnlyLoweredByNewEntries {
            let (old, new) = (bar.entries(of: rule), baseline.head.entries(of: rule))
            guard !old.elementsEqual(new, by: { Name($0) == Name($1) }) else { continue }
            note(
                GateChange(
                    rule.code, subject: rule.rawValue, before: Self.words(old), after: Self.words(new),
                    basePlace: bar.place(of: rule.rawValue), place: baseline.head.place(of: rule.rawValue)))
        }
    }

    private static func words(_ entries: [String]) -> String {
        entries.isEmpty ? "none" : entries.joined(separator: ", ")
    }
}
