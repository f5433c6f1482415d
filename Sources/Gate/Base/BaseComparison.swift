import RunModel

/// Compares a run and its settings with the base: what weakens the gate, and which waiver lets it pass.
struct BaseComparison {
    let run: TestRun
    let policy: Policy
    let baseline: Baseline
    /// How the files differ from the base, as far as that is known.
    let files: [FileChange]
    /// What was found so far.
    private(set) var changes: [GateChange] = []
    /// The settings of the run, with those of the base in the place of laxer ones that no waiver lets pass.
    var rules: Policy
    /// The base's floors that are higher than those of the run's settings.
    private(set) var steps: [FloorStep] = []
    /// The settings of the run and of the base, to be asked for places and floors; `nil` where the package is not in the base.
    let head: SettingsIndex
    let base: SettingsIndex?
    /// What became of the base's targets; `nil` if these are unknown.
    let shapes: ShapeComparison?
    /// By subject: of the waivers that hold on the day of the run, the one that holds longest, and its index among them.
    private let waivers: [Name: (place: Int, waiver: Waiver)]
    /// By code and subject: the changes that a waiver lets pass.
    private var waived: Set<[Name]> = []

    /// A floor that was lowered, and the index of the change that says so.
    struct FloorStep {
        let module: String
        let metric: CoverageMetric
        let floor: Percentage
        let change: Int
    }

    init(_ run: TestRun, _ policy: Policy, _ baseline: Baseline, _ files: [FileChange] = []) {
        self.files = files
        self.run = run
        self.policy = policy
        self.baseline = baseline
        let today = CalendarDay(run.startedAt)
        head = SettingsIndex(baseline.head)
        base = baseline.settings.map { SettingsIndex($0) }
        shapes = ShapeComparison(run, baseline)
        waivers = Dictionary(
            baseline.waivers.waivers.filter { $0.until >= today && !$0.isTooLong(on: today) }.enumerated()
                .map { (Name($1.subject), (place: $0, waiver: $1)) }
        ) { $1.waiver.until > $0.waiver.until ? $1 : $0 }
        rules = policy
        for rule in Rules.all { rule.compare(&self) }
    }

    /// The base's settings; `nil` where the package is not in it.
    var settings: GateSettings? { baseline.settings }

    /// Notes a change, with the waiver that lets it pass: of several the one that holds longest.
    ///
    /// - Returns: Whether a waiver lets it pass.
    @discardableResult
    mutating func note(_ change: GateChange) -> Bool {
        var change = change
        change.waiver = waiver(for: change)
        changes.append(change)
        guard change.waiver != nil else { return false }
        waived.insert([Name(change.code.rawValue), Name(change.subject)])
        return true
    }

    /// The waiver that names the code of a change, or what it is about: of several the one that holds longest.
    private func waiver(for change: GateChange) -> Waiver? {
        let ofCode = waivers[Name(change.code.rawValue)]
        guard !change.subject.isEmpty, let own = waivers[Name(change.subject)] else { return ofCode?.waiver }
        guard let ofCode else { return own.waiver }
        return (own.waiver.until, -own.place) > (ofCode.waiver.until, -ofCode.place) ? own.waiver : ofCode.waiver
    }

    /// Notes a change, with where its key is set.
    ///
    /// - Parameter baseKey: The key at the base, where that is another.
    /// - Returns: Whether a waiver lets it pass.
    @discardableResult
    mutating func note(
        _ code: GateChangeCode, about subject: String, before: String, after: String, items: [String] = [],
        baseKey: String? = nil, key: String = ""
    ) -> Bool {
        note(
            GateChange(
                code, subject: subject, before: before, after: after, items: items,
                basePlace: base?.place(of: baseKey ?? key), place: head.place(of: key)))
    }

    /// Notes a value that is laxer than at the base, and keeps that of the base where no waiver lets it pass.
    mutating func keepStricter<Value>(
        _ path: WritableKeyPath<Policy, Value>, at key: String, _ code: GateChangeCode,
        isLaxer: (_ head: Value, _ base: Value) -> Bool, words: (Value) -> String
    ) {
        guard let base = settings?.policy[keyPath: path] else { return }
        let head = baseline.head.policy[keyPath: path]
        guard isLaxer(head, base) else { return }
        let isWaived = note(code, about: key, before: words(base), after: words(head), key: key)
        if !isWaived { rules[keyPath: path] = base }
    }

    /// The same for a percentage, where `nil` is the laxest value.
    mutating func keepStricter(
        _ path: WritableKeyPath<Policy, Percentage?>, at key: String, _ code: GateChangeCode,
        isLaxer: (Percentage, Percentage) -> Bool
    ) {
        keepStricter(path, at: key, code) { head, base in
            guard let base else { return false }
            return head.map { isLaxer($0, base) } ?? true
        } words: {
            Self.words($0)
        }
    }

    /// A percentage in the words of the settings file.
    static func words(_ percentage: Percentage?) -> String { percentage.map { "\($0) %" } ?? "none" }

    /// Notes a floor of the base that a change lowers.
    mutating func note(_ floor: Percentage, on metric: CoverageMetric, of module: String, by change: Int) {
        steps.append(FloorStep(module: module, metric: metric, floor: floor, change: change))
    }

    /// Whether something may be lower than at the base.
    func isWaived(_ code: GateChangeCode, about subject: String) -> Bool {
        waived.contains([Name(code.rawValue), Name(subject)])
    }

    /// What became of every waiver.
    func statuses(after changes: [GateChange]) -> [WaiverStatus] {
        let today = CalendarDay(run.startedAt)
        let names =
            (run.modules.map(\.name) + changes.map(\.subject)).filter { !$0.isEmpty }
            + GateChangeCode.allCases.map(\.rawValue)
        let known = Set(names.map { Name($0) })
        let used = Set(changes.compactMap(\.waiver))
        var suggestions = Suggestions(among: names)
        let own = baseline.waivers.waivers.map { waiver in
            if waiver.until < today { return WaiverStatus(waiver, .expired) }
            if waiver.isTooLong(on: today) { return WaiverStatus(waiver, .tooLong) }
            if used.contains(waiver) { return WaiverStatus(waiver, .used) }
            let isKnown = known.contains(Name(waiver.subject))
            return WaiverStatus(waiver, .unused, suggestion: isKnown ? nil : suggestions.next(for: waiver.subject))
        }
        return own + baseline.waivers.earlier.filter { $0.until >= today }.map { WaiverStatus($0, .standing) }
    }
}
