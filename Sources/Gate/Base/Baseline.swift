public import RunModel

/// Everything that a run is compared with and that is not in the run: a value, so that the gate needs neither git nor a
/// store, and the same run is judged the same way tomorrow.
public struct Baseline: Sendable, Hashable, Codable {
    /// The commit; `nil` when there is nothing before the run.
    public var commit: BaseCommit?
    /// Why there is nothing before the run; `nil` when there is a base, or when nobody can say.
    public var absence: String?
    /// The project under which the base's runs are kept, where that is not the run's own.
    public var project: String?
    /// What the base's settings demand; `nil` when there is no base, or the package is not in it.
    public var settings: GateSettings?
    /// Why the settings of the base cannot be read; they may have demanded more than the defaults, which count instead.
    public var unreadable: String?
    /// Why the manifest of the base cannot be evaluated; nobody knows which targets it declared.
    public var unreadableManifest: String?
    /// What the settings of the run demand.
    public var head: GateSettings
    /// Where the base has the settings file of a package that has moved.
    public var movedFrom: String?
    /// The targets at the base, where its manifest differs.
    public var basePackage: PackageShape?
    /// The targets of the run, where the base's manifest differs.
    public var package: PackageShape?
    /// The base's stored run; `nil` when there is none.
    public var run: BaseRun?
    /// The waivers in the messages of the commits since the base, and before.
    public var waivers: WaiverReading
    /// What could not be found out about the base.
    public var gaps: [Gap]
    /// When the excludes of the run came into its settings.
    public var ages: [ExclusionAge]
    /// Who owns which file, as the base says; `nil` where there is no `CODEOWNERS`. Nothing is judged by it.
    public var owners: CodeOwnersFile?
    /// The other bases, where there are several: the run has to satisfy all of them. `nil` where there is one at most.
    public var others: [OtherBase]?

    /// A further base, and what changed since.
    public struct OtherBase: Sendable, Hashable, Codable {
        /// What the run is compared with; it has no further bases itself.
        public var baseline: Baseline
        /// Which lines changed since; `nil` if nobody compared them.
        public var comparison: ChangeComparison?

        package init(_ baseline: Baseline, changed comparison: ChangeComparison? = nil) {
            (self.baseline, self.comparison) = (baseline, comparison)
        }
    }

    package init(
        commit: BaseCommit? = nil,
        absence: String? = nil,
        project: String? = nil,
        settings: GateSettings? = nil,
        unreadable: String? = nil,
        unreadableManifest: String? = nil,
        head: GateSettings,
        movedFrom: String? = nil,
        basePackage: PackageShape? = nil,
        package: PackageShape? = nil,
        run: BaseRun? = nil,
        waivers: WaiverReading = WaiverReading(),
        gaps: [Gap] = [],
        ages: [ExclusionAge] = [],
        owners: CodeOwnersFile? = nil,
        others: [OtherBase]? = nil
    ) {
        self.commit = commit
        self.absence = absence
        self.project = project
        self.settings = settings
        self.unreadable = unreadable
        self.unreadableManifest = unreadableManifest
        self.head = head
        self.movedFrom = movedFrom
        self.basePackage = basePackage
        self.package = package
        self.run = run
        self.waivers = waivers
        self.gaps = gaps
        self.ages = ages
        self.owners = owners
        self.others = others
    }

    /// The same with a draft in the place of both settings: what the run would have been compared with.
    public func adopting(_ draft: GateSettings) -> Baseline {
        var copy = self
        copy.head = draft
        copy.settings = settings == nil ? nil : draft
        copy.movedFrom = nil
        copy.unreadable = nil
        copy.others = others?.map { OtherBase($0.baseline.adopting(draft), changed: $0.comparison) }
        return copy
    }
}
