import Gate
import RunModel
import SettingsFile
import Testing

@Suite struct SettingsResolvingTests {
    static let variables = [
        "KANMON_HOME": "/var/kanmon", "KANMON_ENGINE": "direct", "KANMON_SWIFT": "/usr/local/swift/bin/swift",
        "KANMON_TIMEOUT_RUN": "10m", "KANMON_TIMEOUT_SILENCE": "20s",
    ]

    @Test func `the environment outranks the file`() throws {
        let file = try Settings.read(text: "tests: { timeouts: { run: 1h } }", file: ".kanmon.yml")
        let settings = try Settings.resolve(file: file, environment: Self.variables)
        var expected = file
        expected.home = Setting("/var/kanmon", from: .environment("KANMON_HOME"))
        expected.engine = Setting(.direct, from: .environment("KANMON_ENGINE"))
        expected.swift = Setting("/usr/local/swift/bin/swift", from: .environment("KANMON_SWIFT"))
        expected.runTimeout = Setting(.seconds(600), from: .environment("KANMON_TIMEOUT_RUN"))
        expected.silenceTimeout = Setting(.seconds(20), from: .environment("KANMON_TIMEOUT_SILENCE"))
        #expect(settings == expected)
    }

    @Test func `a flag outranks the environment`() throws {
        let flags = SettingsFlags(
            home: "h", engine: .swiftTest, swift: "s", runTimeout: .seconds(1), silenceTimeout: .seconds(2)
        )
        let settings = try Settings.resolve(environment: Self.variables, flags: flags)
        var expected = Settings()
        expected.home = Setting("h", from: .flag("--home"))
        expected.engine = Setting(.swiftTest, from: .flag("--engine"))
        expected.swift = Setting("s", from: .flag("--swift"))
        expected.runTimeout = Setting(.seconds(1), from: .flag("--timeout-run"))
        expected.silenceTimeout = Setting(.seconds(2), from: .flag("--timeout-silence"))
        #expect(settings == expected)
    }

    @Test func `how a package is built comes from the file, or for one run from flags, which is told apart`() throws {
        let text = "build: { traits: [ Net, defaults ], sanitize: address, swift-flags: [ -D, SLOW ] }"
        let file = try Settings.read(text: text, file: ".kanmon.yml")
        let settings = try Settings.resolve(file: file, environment: [:])
        #expect(
            settings.build
                == BuildChoice(traits: ["Net", "defaults"], sanitizer: .address, swiftFlags: ["-D", "SLOW"]))
        #expect(!settings.namesBuild)
        let traits = try Settings.resolve(file: file, environment: [:], flags: SettingsFlags(traits: ["Other"]))
        #expect(
            traits.build == BuildChoice(traits: ["Other"], sanitizer: .address, swiftFlags: ["-D", "SLOW"]))
        #expect(traits.namesBuild)
        let checks = try Settings.resolve(environment: [:], flags: SettingsFlags(sanitizer: .thread))
        #expect(checks.build == BuildChoice(sanitizer: .thread))
        #expect(checks.namesBuild)
    }

    @Test func `Swift Build and the engine that keeps the coverage of one target only do not go together`() throws {
        let file = try Settings.read(text: "build: { system: swiftbuild }", file: ".kanmon.yml")
        #expect(file.buildSystem.value == .swiftbuild)
        #expect(try Settings.resolve(file: file, environment: [:]).engine == Setting(.direct))
        let error = #expect(throws: SettingsError.self) {
            try Settings.resolve(file: file, environment: ["KANMON_ENGINE": "swift-test"])
        }
        #expect(
            error?.description
                == ".kanmon.yml:1:18: tests that swiftbuild has built are started directly, and environment KANMON_ENGINE says 'swift-test'"
        )
    }

    @Test(arguments: [
        "system: xcode", "traits: [ -x ]", "traits: [ 'a,b' ]", "sanitize: undefined", "swift-flags: [ '' ]",
    ])
    func `what SwiftPM would take for something else is refused`(entry: String) {
        #expect(throws: SettingsError.self) {
            try Settings.read(text: "build:\n  \(entry)\n", file: ".kanmon.yml")
        }
    }

    @Test func `several processes at a time choose the engine that can start them`() throws {
        let file = try Settings.read(text: "tests: { jobs: 3 }", file: ".kanmon.yml")
        let place = Origin.file(Place(file: ".kanmon.yml", line: 1, column: 16))
        var expected = file
        expected.jobs = Setting(3, from: place)
        expected.engine = Setting(.direct, from: place)
        #expect(try Settings.resolve(file: file, environment: [:]) == expected)

        expected.jobs = Setting(4, from: .environment("KANMON_JOBS"))
        expected.engine = Setting(.direct, from: .environment("KANMON_JOBS"))
        #expect(try Settings.resolve(file: file, environment: ["KANMON_JOBS": "4"]) == expected)

        let one = try Settings.resolve(file: file, environment: [:], flags: SettingsFlags(jobs: 1))
        #expect(one.engine == Setting(.direct))
        #expect(one.jobs == Setting(1, from: .flag("--jobs")))
    }

    @Test func `several processes at a time do not go with an engine that starts one`() throws {
        let file = try Settings.read(text: "tests: { jobs: 3 }", file: ".kanmon.yml")
        let flags = SettingsFlags(engine: .swiftTest)
        let error = #expect(throws: SettingsError.self) {
            try Settings.resolve(file: file, environment: [:], flags: flags)
        }
        #expect(
            error?.description
                == ".kanmon.yml:1:16: 3 test processes at a time are started directly, and flag --engine says 'swift-test'"
        )
        #expect(error?.hint == "leave out the engine, or run one process at a time with --jobs 1")
        var direct = flags
        direct.engine = .direct
        #expect(try Settings.resolve(file: file, environment: [:], flags: direct).jobs.value == 3)
    }

    @Test func `an empty variable counts as unset`() throws {
        let empty = Self.variables.mapValues { _ in "" }
        #expect(try Settings.resolve(environment: empty) == Settings())
    }

    @Test func `a budget for causes may be nothing, and by default none is set`() throws {
        let file = try Settings.read(text: "causes: { budget: 30s }", file: "f")
        let variables = ["KANMON_CAUSES_BUDGET": "0s"]
        #expect(Settings().causesBudget.value == nil)
        #expect(file.causesBudget.value == .seconds(30))
        #expect(try Settings.resolve(file: file, environment: variables).causesBudget.value == .zero)
        let flags = SettingsFlags(causesBudget: .seconds(5))
        #expect(
            try Settings.resolve(file: file, environment: variables, flags: flags).causesBudget
                == Setting<Duration?>(.seconds(5), from: .flag("--causes-budget")))
        let error = #expect(throws: SettingsError.self) {
            try Settings.read(text: "causes: { budget: off }", file: "f")
        }
        #expect(error?.description == "f:1:19: causes.budget: 'off' is not a time limit")
    }

    @Test func `no variable changes what a run must reach`() throws {
        let file = try Settings.read(text: "coverage: { modules: { Core: 90 } }", file: "f")
        let variables = [
            "KANMON_COVERAGE": "0", "KANMON_COVERAGE_MODULES": "Core=0", "KANMON_SKIP": "1", "KANMON_MINIMUM": "0",
        ]
        #expect(try Settings.resolve(file: file, environment: variables) == file)
    }

    @Test(arguments: [
        (
            "KANMON_ENGINE", "fast", "environment KANMON_ENGINE: 'fast' is neither 'swift-test' nor 'direct'",
            "set it to 'swift-test' or 'direct'"
        ),
        (
            "KANMON_ENGINE", "foreign", "environment KANMON_ENGINE: 'foreign' is neither 'swift-test' nor 'direct'",
            "set it to 'swift-test' or 'direct'"
        ),
        (
            "KANMON_JOBS", "0", "environment KANMON_JOBS: 0 is not from 1 to 64",
            "write 1 for one process after the other"
        ),
        (
            "KANMON_JOBS", "two", "environment KANMON_JOBS: 'two' is not a whole number", nil
        ),
        ("KANMON_TIMEOUT_RUN", "5", "environment KANMON_TIMEOUT_RUN: '5' is not a time limit", "write 5s or 5m"),
        (
            "KANMON_TIMEOUT_SILENCE", "x", "environment KANMON_TIMEOUT_SILENCE: 'x' is not a time limit",
            "write at most a week, such as 90s, 5m or 1h30m"
        ),
    ])
    func `a variable that makes no sense is refused`(name: String, value: String, description: String, hint: String?) {
        let error = #expect(throws: SettingsError.self) { try Settings.resolve(environment: [name: value]) }
        #expect(error?.description == description)
        #expect(error?.hint == hint)
    }

    @Test func `every value is shown with its origin`() throws {
        let file = try Settings.read(
            text: """
                coverage:
                  modules: { "*UI": { line: 60.5, function: 50 } }
                  exclude: [ "Sources/Generated/**" ]
                tests: { bundles: { SlowTests: off } }
                run: { environment: [ HOME, MODE=test ], before: [ a b ], after: [ { run: [ c ], timeout: 1m } ], isolation: best }
                """,
            file: ".kanmon.yml"
        )
        let settings = try Settings.resolve(
            file: file, environment: ["KANMON_TIMEOUT_RUN": "90m"], flags: SettingsFlags(engine: .direct, retries: 2)
        )
        #expect(
            settings.described().map { "\($0.key) = \($0.value) <- \($0.origin)" } == [
                "project = (the URL of origin, else the package) <- default",
                "base = (what origin says, else main or master) <- default",
                "coverage.modules.*UI = line 60.5, function 50 <- .kanmon.yml:2:14",
                "coverage.modules.default = line 80 <- default",
                "coverage.project.line = (none) <- default",
                "coverage.project.may-drop = (none) <- default",
                "coverage.patch.line = (none) <- default",
                "coverage.patch.min-lines = 5 <- default",
                "coverage.files.line = (none) <- default",
                "coverage.exclude = Sources/Generated/** <- .kanmon.yml:3:14",
                "coverage.ratchet = false <- default",
                "tests.minimum = 1 <- default",
                "tests.max-skipped = (none) <- default",
                "tests.max-warnings = (none) <- default",
                "tests.flaky = warn <- default",
                "tests.probation.runs = 20 <- default",
                "tests.probation.budget = 30s <- default",
                "tests.probation.on-failure = report <- default",
                "tests.quarantine = (none) <- default",
                "tests.allow-broken-base = false <- default",
                "tests.budgets = (none) <- default",
                "tests.retries = 2 <- flag --retries",
                "tests.interop = fail <- default",
                "tests.undiscovered = note <- default",
                "tests.jobs = 1 <- default",
                "tests.bundles.SlowTests = off <- .kanmon.yml:4:21",
                "tests.timeouts.run = 1h30m <- environment KANMON_TIMEOUT_RUN",
                "tests.timeouts.test = 2m <- default",
                "tests.timeouts.silence = 5m <- default",
                "build.system = native <- default",
                "build.traits = (none) <- default",
                "build.sanitize = none <- default",
                "build.swift-flags = (none) <- default",
                "run.before = a b (10m) <- .kanmon.yml:5:52",
                "run.after = c (1m) <- .kanmon.yml:5:68",
                "run.generated = (none) <- default",
                "run.environment = HOME <- .kanmon.yml:5:23",
                "run.environment = MODE=*** <- .kanmon.yml:5:29",
                "run.isolation = best <- .kanmon.yml:5:110",
                "run.clean = never <- default",
                "run.reuse = 168h <- default",
                "hooks.pre-commit.tests = affected <- default",
                "hooks.pre-commit.budget = off <- default",
                "owners.form = (as the forge or the file says) <- default",
                "causes.budget = (as long as the tests took, 15s to 1m) <- default",
                "home = (${XDG_STATE_HOME:-~/.local/state}/kanmon) <- default",
                "engine = direct <- flag --engine",
                "swift = (the first in PATH) <- default",
            ]
        )
    }
}
