public import RunModel

/// The flags of the command line; `nil` if not given.
public struct SettingsFlags: Sendable, Hashable {
    /// `--home` and `--swift`.
    public var home, swift: String?
    /// `--engine`.
    public var engine: Engine?
    /// `--timeout-run`, `--timeout-test` and `--timeout-silence`.
    public var runTimeout, testTimeout, silenceTimeout: Duration?
    /// `--causes-budget`.
    public var causesBudget: Duration?
    /// `--retries` and `--jobs`.
    public var retries, jobs: Int?
    /// `--clean`.
    public var clean: CleanBuilds?
    /// `--traits`.
    public var traits: [String]?
    /// `--sanitize`.
    public var sanitizer: BuildChoice.Sanitizer?

    /// Makes flags from their parts.
    public init(
        home: String? = nil, engine: Engine? = nil, swift: String? = nil, runTimeout: Duration? = nil,
        testTimeout: Duration? = nil, silenceTimeout: Duration? = nil, retries: Int? = nil, jobs: Int? = nil,
        clean: CleanBuilds? = nil, traits: [String]? = nil, sanitizer: BuildChoice.Sanitizer? = nil,
        causesBudget: Duration? = nil
    ) {
        (self.home, self.engine, self.swift, self.retries, self.jobs) = (home, engine, swift, retries, jobs)
        (self.clean, self.traits, self.sanitizer) = (clean, traits, sanitizer)
        self.causesBudget = causesBudget
        (self.runTimeout, self.testTimeout, self.silenceTimeout) = (runTimeout, testTimeout, silenceTimeout)
    }
}

extension Settings {
    /// How many test processes may run at a time.
    public static let jobsAllowed = 1...64

    /// Applies the environment over the file, and the flags over both. An empty variable counts as unset.
    ///
    /// Rules of the policy are not included: no variable can lower a floor.
    public static func resolve(
        file: Settings = Settings(),
        environment: [String: String],
        flags: SettingsFlags = SettingsFlags()
    ) throws(SettingsError) -> Settings {
        var settings = file
        for setting in SettingDeclaration.all { try setting.override(&settings, environment, flags) }
        try settings.chooseEngine()
        return settings
    }

    /// Several processes need the engine `direct`; another engine is an error.
    private mutating func chooseEngine() throws(SettingsError) {
        if buildSystem.value == .swiftbuild, engine.value != .direct {
            throw .buildSystemNeedsDirect(system: buildSystem, engine: engine.origin)
        }
        guard jobs.value > 1 else { return }
        if engine.origin == .builtIn {
            engine = Setting(.direct, from: jobs.origin)
        } else if engine.value != .direct {
            throw .jobsNeedDirect(jobs: jobs, engine: engine.origin)
        }
    }
}
