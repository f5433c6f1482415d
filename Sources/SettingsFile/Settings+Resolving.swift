public import RunModel

/// The flags of the command line; `nil` if not given.
public struct SettingsFlags: Sendable, Hashable {
    /// `--home`.
    public var home: String?
    /// `--engine`.
    public var engine: Engine?
    /// `--swift`.
    public var swift: String?
    /// `--timeout-run`.
    public var runTimeout: Duration?
    /// `--timeout-test`.
    public var testTimeout: Duration?
    /// `--timeout-silence`.
    public var silenceTimeout: Duration?
    /// `--retries`.
    public var retries: Int?
    /// `--jobs`.
    public var jobs: Int?

    /// Makes flags from their parts.
    public init(
        home: String? = nil,
        engine: Engine? = nil,
        swift: String? = nil,
        runTimeout: Duration? = nil,
        testTimeout: Duration? = nil,
        silenceTimeout: Duration? = nil,
        retries: Int? = nil,
        jobs: Int? = nil
    ) {
        self.home = home
        self.engine = engine
        self.swift = swift
        self.runTimeout = runTimeout
        self.testTimeout = testTimeout
        self.silenceTimeout = silenceTimeout
        self.retries = retries
        self.jobs = jobs
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
        let variables = SettingsEnvironment(variables: environment)
        var settings = file
        settings.home.override(by: variables.text("KANMON_HOME"), flag: flags.home, named: "--home")
        settings.engine.override(by: try variables.engine("KANMON_ENGINE"), flag: flags.engine, named: "--engine")
        settings.swift.override(by: variables.text("KANMON_SWIFT"), flag: flags.swift, named: "--swift")
        settings.runTimeout.override(
            by: try variables.timeLimit("KANMON_TIMEOUT_RUN"), flag: flags.runTimeout, named: "--timeout-run"
        )
        settings.testTimeout.override(
            by: try variables.timeLimit("KANMON_TIMEOUT_TEST"), flag: flags.testTimeout, named: "--timeout-test"
        )
        settings.retries.override(by: nil, flag: flags.retries, named: "--retries")
        settings.silenceTimeout.override(
            by: try variables.timeLimit("KANMON_TIMEOUT_SILENCE"), flag: flags.silenceTimeout,
            named: "--timeout-silence"
        )
        settings.jobs.override(by: try variables.jobs("KANMON_JOBS"), flag: flags.jobs, named: "--jobs")
        try settings.chooseEngine()
        return settings
    }

    /// Several processes need the engine `direct`; another engine is an error.
    private mutating func chooseEngine() throws(SettingsError) {
        guard jobs.value > 1 else { return }
        if engine.origin == .builtIn {
            engine = Setting(.direct, from: jobs.origin)
        } else if engine.value != .direct {
            throw .jobsNeedDirect(jobs: jobs, engine: engine.origin)
        }
    }
}

/// The known variables, with their types.
private struct SettingsEnvironment {
    let variables: [String: String]

    func text(_ name: String) -> Setting<String>? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return Setting(value, from: .environment(name))
    }

    func engine(_ name: String) throws(SettingsError) -> Setting<Engine>? {
        guard let text = text(name) else { return nil }
        guard let engine = Engine(rawValue: text.value), engine != .foreign else {
            throw .badEnvironment(
                name: name, problem: "'\(text.value)' is not an engine",
                hint: "set it to '\(Engine.swiftTest.rawValue)' or '\(Engine.direct.rawValue)'"
            )
        }
        return Setting(engine, from: text.origin)
    }

    func jobs(_ name: String) throws(SettingsError) -> Setting<Int>? {
        guard let text = text(name) else { return nil }
        guard let jobs = Int(text.value), Settings.jobsAllowed.contains(jobs) else {
            throw .badEnvironment(
                name: name, problem: "'\(text.value)' is not a whole number from 1 to 64",
                hint: "set it to '1' for one process after the other"
            )
        }
        return Setting(jobs, from: text.origin)
    }

    func timeLimit(_ name: String) throws(SettingsError) -> Setting<Duration>? {
        guard let text = text(name) else { return nil }
        guard let limit = Duration(timeLimit: text.value) else {
            throw .badEnvironment(
                name: name, problem: "'\(text.value)' is not a time limit",
                hint: SettingsParser.timeLimitHint(text.value)
            )
        }
        return Setting(limit, from: text.origin)
    }
}

extension Setting {
    fileprivate mutating func override(by environment: Setting<Value>?, flag: Value?, named name: String) {
        if let environment { self = environment }
        if let flag { self = Setting(flag, from: .flag(name)) }
    }

    fileprivate mutating func override<Wrapped>(by environment: Setting<Wrapped>?, flag: Wrapped?, named name: String)
    where Value == Wrapped? {
        if let environment { self = Setting(environment.value, from: environment.origin) }
        if let flag { self = Setting(flag, from: .flag(name)) }
    }
}
