import Gate
import RunModel
import Testing

@testable import SettingsFile

@Suite struct SettingsReadingTests {
    @Test(arguments: [
        "", "{}", "---\n{}\n", "# nothing\n", "\u{FEFF}version: 1", "~", "version: 1", "coverage:\ntests:\nrun:\n",
        "coverage: { modules: , exclude: }", "tests: { timeouts: {} }",
    ])
    func `without a word these are the defaults`(text: String) throws {
        let settings = try Settings.read(text: text, file: ".kanmon.yml")
        #expect(settings == Settings())
        #expect(settings.policy == Policy())
        #expect(settings.policy.defaultFloors == Floors(line: Percentage("80")))
    }

    @Test(arguments: ["\u{FEFF}version: 1\nbase: b\n", "\u{FEFF}version: 1\r\nbase: b\r\n"])
    func `a byte order mark and CR LF do not change locations`(text: String) throws {
        let settings = try Settings.read(text: text, file: "f")
        #expect(settings.base == Setting("b", from: .file(Place(file: "f", line: 2, column: 7))))
        let error = #expect(throws: SettingsError.self) {
            try Settings.read(text: "\u{FEFF}" + "bse: b", file: "f")
        }
        #expect(error?.description == "f:1:1: unknown key 'bse'")
    }

    @Test func `how it is built, scripts and variables are in the gate settings, each in one text of its own`() throws {
        let settings = try Settings.read(
            text: """
                build: { system: swiftbuild, traits: [ Two, One ], sanitize: thread, swift-flags: [ -D, ONE ] }
                run:
                  before: [ scripts/a.sh -x, { run: [ sh, -c, "a, b" ], timeout: 30s } ]
                  after: [ [ rm, "a\\"b" ] ]
                  environment: [ "MODE=a b", HOME ]
                """, file: "f"
        ).gateSettings(file: "f")
        #expect(
            settings.lists == [
                SettingsList(.bundles, []),
                SettingsList(.buildSystem, ["swiftbuild"]),
                SettingsList(.traits, ["One", "Two"]),
                SettingsList(.sanitizer, ["thread"]),
                SettingsList(.swiftFlags, ["-D", "ONE"]),
                SettingsList(.before, ["scripts/a.sh -x (10m)", "sh -c \"a, b\" (30s)"]),
                SettingsList(.after, ["rm \"a\\\"b\" (10m)"]),
                SettingsList(.generated, []),
                SettingsList(.environment, ["HOME", "MODE=*** #876aec1a"]),
            ])
        #expect(settings.place(of: "build.sanitize") == "f:1:62")
        #expect(settings.place(of: "run.before") == "f:3:13")
        #expect(settings.place(of: "run.environment") == "f:5:18")
    }

    @Test func `every value has its location`() throws {
        let settings = try Settings.read(
            text: """
                version: 1
                project: example/動画
                base: release/6.x
                coverage:
                  modules:
                    Core: { line: 95, function: 90 }
                    "*UI": 60.5
                    default:
                      region: 70
                  exclude: [ "Sources/*/Generated/**", { path: Sources/main.swift, reason: only starts } ]
                  ratchet: true
                tests:
                  minimum: 12
                  max-skipped: 3
                  timeouts: { run: 1h30m, silence: 90s }
                run:
                  environment:
                    - HOME
                    - "MODE=a=b"
                    - EMPTY=
                  isolation: pid-namespace
                """,
            file: ".kanmon.yml"
        )
        var expected = Settings()
        expected.project = Setting("example/動画", from: place(2, 10))
        expected.base = Setting("release/6.x", from: place(3, 7))
        expected.modules = [
            Setting(
                ModuleRule(pattern: "Core", floors: Floors(line: Percentage("95"), function: Percentage("90"))),
                from: place(6, 5)
            ),
            Setting(ModuleRule(pattern: "*UI", floors: Floors(line: Percentage("60.5"))), from: place(7, 5)),
        ]
        expected.defaultFloors = Setting(Floors(line: Percentage("80"), region: Percentage("70")), from: place(9, 7))
        expected.excludes = [
            Setting("Sources/*/Generated/**", from: place(10, 14)),
            Setting(Exclusion(pattern: "Sources/main.swift", reason: "only starts"), from: place(10, 40)),
        ]
        expected.ratchet = Setting(true, from: place(11, 12))
        expected.minimumTests = Setting(12, from: place(13, 12))
        expected.maxSkipped = Setting(3, from: place(14, 16))
        expected.runTimeout = Setting(.seconds(5400), from: place(15, 20))
        expected.silenceTimeout = Setting(.seconds(90), from: place(15, 36))
        expected.environment = [
            Setting(EnvironmentVariable(name: "HOME"), from: place(18, 7)),
            Setting(EnvironmentVariable(name: "MODE", value: "a=b"), from: place(19, 7)),
            Setting(EnvironmentVariable(name: "EMPTY", value: ""), from: place(20, 7)),
        ]
        expected.isolation = Setting(.exactly(.pidNamespace), from: place(21, 14))
        #expect(settings == expected)
    }

    @Test func `failures of the base are let through by the file alone, and only where it says so`() throws {
        #expect(!Settings().policy.allowsBrokenBase)
        let on = try Settings.read(text: "tests: { allow-broken-base: true }", file: "f")
        #expect(on.policy == Policy(allowsBrokenBase: true))
        #expect(on.gateSettings(file: "f").place(of: "tests.allow-broken-base") == "f:1:29")
        let off = try Settings.read(text: "tests: { allow-broken-base: false }", file: "f")
        #expect(off.policy == Policy())
        let named = try #require(SettingDeclaration.all.first { $0.key == "tests.allow-broken-base" })
        #expect(named.variable == nil && named.flag == nil)
    }

    @Test func `every prefix of a file is read or refused`() throws {
        let text = """
            # 関門
            version: 1
            coverage: { modules: { "*UI": { line: 60 }, 'Co''re': 95 }, exclude: [ "a/**", b?c ] } # end
            tests:
              timeouts: { run: 1h30m }
            """
        for length in 0...text.utf8.count {
            let prefix = String(decoding: Array(text.utf8.prefix(length)), as: UTF8.self)
            do throws(SettingsError) {
                _ = try Settings.read(text: prefix, file: "f")
            } catch {
                #expect(error.description.hasPrefix("f:"))
            }
        }
        #expect(try Settings.read(text: text, file: "f").modules.map(\.value.pattern) == ["*UI", "Co're"])
    }

    @Test(arguments: [
        ("90s", 90), ("2m", 120), ("1h30m", 5400), ("1h1s", 3601), ("168h", 604_800), ("0h5m", 300),
    ])
    func `a time limit has units`(text: String, seconds: Int) {
        #expect(Duration(timeLimit: text) == .seconds(seconds))
    }

    @Test(arguments: [
        "", "5", "m", "5 m", "5m5m", "5s1m", "-5m", "1.5h", "0s", "169h", "9999999h", "５m", "5M", "1h30",
        "99999999999999999999s",
    ])
    func `anything else is no time limit`(text: String) {
        #expect(Duration(timeLimit: text) == nil)
    }

    @Test func `a time limit is written as it is read`() {
        for seconds in [1, 59, 60, 61, 3600, 3661, 5400, 604_800] {
            let limit = Duration.seconds(seconds)
            #expect(Duration(timeLimit: limit.timeLimitDescription) == limit)
        }
    }
}

/// A place in the file that the tests read.
func place(_ line: Int, _ column: Int) -> Origin { .file(Place(file: ".kanmon.yml", line: line, column: column)) }
