import Gate
import RunModel

extension SettingDeclaration {
    /// The version of the format that this build reads.
    static let currentVersion = 1

    /// Every setting, in the order of the reference. A key that is not here is an error.
    static let all: [SettingDeclaration] = package + coverage + tests + build + run + hooks + owners + causes + machine

    private static let package: [SettingDeclaration] =
        [
            version,
            .value(
                "project", \.project, projectName.optional("(the URL of origin, else the package)"),
                preset: "the URL of origin without credentials, else the name of the package and the first commit",
                "The name under which runs are kept, stable over clones; by default it ends with the package's folder in its repository, so that several packages have several names."
            ),
            .value(
                "base", \.base, branch.optional("(what origin says, else main or master)"),
                preset: "what `origin` says, else `main` or `master`",
                "The branch that changes are made for. Another value counts only once it is in the file of the default branch: see [gate-changes.md](gate-changes.md)."
            ),
        ]

    private static let coverage: [SettingDeclaration] = [
        .section("coverage", "Coverage rules. They come from this file only: no variable and no flag changes them."),
        modules,
        .section(
            "coverage.project", "What all measured modules together must reach.", shorthand: "coverage.project.line"),
        .value(
            "coverage.project.line", \.projectFloor, .floor, preset: "off",
            "The floor on their lines."),
        .value(
            "coverage.project.may-drop", \.mayDrop, .points, preset: "off",
            "By how many points they may fall behind the base."),
        .section(
            "coverage.patch", "What the lines of a change must reach.", shorthand: "coverage.patch.line",
            needsShorthand: true),
        .value(
            "coverage.patch.line", \.patchFloor, .floor, preset: "off",
            "The floor on the executable lines that were added or changed."),
        .value(
            "coverage.patch.min-lines", \.patchMinimum,
            .wholeNumber(1...1_000_000, hint: "write 1 to judge every change"),
            "A change of fewer such lines is not judged."),
        .section(
            "coverage.files", "What every single file must reach.", shorthand: "coverage.files.line",
            needsShorthand: true),
        .value(
            "coverage.files.line", \.fileFloor, .floor, preset: "off",
            "The floor on its lines."),
        .list(
            "coverage.exclude", \.excludes, exclusion, of: "patterns, or of `{ path, reason }`", item: { $0.pattern },
            "Files whose lines do not count, and why."),
        .value(
            "coverage.ratchet", \.ratchet, .boolean,
            "Floors rise with the base: no module may cover more than a tenth of a point less than in the base's stored run."
        ),
    ]

    private static let tests: [SettingDeclaration] = [
        .section("tests", "Rules for tests."),
        .value(
            "tests.minimum", \.minimumTests,
            .wholeNumber(1...2_000_000, hint: "a run without a test never passes; write 1 or more"),
            "How many test cases must have been executed at least. Skipped tests are not executed; a parameterized test is one."
        ),
        .value(
            "tests.max-skipped", \.maxSkipped, SettingType.wholeNumber(0...2_000_000).optional("(none)"), preset: "off",
            "How many tests may be skipped: a full run that skips more blocks."),
        .value(
            "tests.max-warnings", \.maxWarnings, SettingType.wholeNumber(0...2_000_000).optional("(none)"),
            preset: "off",
            "How many warnings tests may record (`Issue.record(…, severity: .warning)`): a full run that records more blocks."
        ),
        .value(
            "tests.flaky", \.flaky,
            .choice(FlakyRule.allCases, hint: "write warn to show flaky tests, or fail to let them block"),
            "What becomes of a run in which a test failed and then passed on the same tree: it is shown, or it blocks."),
        .section("tests.probation", "What new and changed tests have to show: see [probation.md](probation.md)."),
        .value(
            "tests.probation.runs", \.probationRuns,
            .wholeNumber(1...1_000, hint: "write budget: off to repeat none"),
            "How often each of them is repeated alone, and as often in company, as far as there is time."),
        .value(
            "tests.probation.budget", \.probationBudget, .timeLimitOrOff,
            "How long that may take in all; `off` repeats none."),
        .value(
            "tests.probation.on-failure", \.probationFailures,
            .choice(ProbationFailureRule.allCases, hint: "write report to have failures shown, or block"),
            "What becomes of a run in which one of them fails when it is repeated: it is shown, or it blocks."),
        .list(
            "tests.quarantine", \.quarantine, quarantineEntry, of: "[contracts](#quarantine)",
            unique: { $0.test }, item: { $0.test }, "Tests whose failures do not block for a time."),
        .value(
            "tests.allow-broken-base", \.allowsBrokenBase, .boolean,
            "Whether a failure does not block that the base's stored run has, too, and in the same way, [below](#failures-of-the-base). It comes from this file only, and counts once the base has it."
        ),
        .mapping(
            "tests.budgets", \.budgets, of: "tests to time bounds",
            schema: #""type": "string", "pattern": "^([0-9]+h)?([0-9]+m)?([0-9]+s)?$|^[0-9]+ms$""#,
            name: { $0.pattern }, show: { $0.bound.budgetDescription },
            read: { name, value, key throws(SettingsError) in
                BudgetRule(pattern: name, bound: try value.budget(key))
            }, "How long [tests may take](#budgets)."),
        .value(
            "tests.retries", \.retries, .wholeNumber(0...10), flag: ("--retries", { $0.retries }),
            "How often a test that failed is run again. Every attempt is kept; one that passes then is flaky."),
        .value(
            "tests.interop", \.interop,
            .choice(InteropRule.allCases, hint: "write fail, or swift-test to take what swift test hears"),
            "What an assertion of the other library does, [below](#assertions-of-the-other-library): it fails the test, or what `swift test` makes of it."
        ),
        .value(
            "tests.undiscovered", \.undiscoveredTests,
            .choice(UndiscoveredTestsRule.allCases, hint: "write note to have them named, or gap to let them block"),
            "What becomes of a run whose classes inherit tests that [SwiftPM does not find on Linux](#undiscovered-tests): they are named, or the run is undecided."
        ),
        .value(
            "tests.jobs", \.jobs, .wholeNumber(Settings.jobsAllowed, hint: "write 1 for one process after the other"),
            variable: "KANMON_JOBS", flag: ("--jobs", { $0.jobs }),
            "How many test processes run at a time, [below](#several-processes-at-a-time)."),
        .mapping(
            "tests.bundles", \.bundles, of: "test targets to on or off", preset: "every one is on",
            unset: "(every one is on)", schema: #""enum": ["on", "off", "yes", "no", true, false]"#,
            name: { $0.name }, show: { $0.isOn ? "on" : "off" },
            read: { name, value, key throws(SettingsError) in TestBundle(name: name, isOn: try value.isOn(key)) },
            "Test targets that are switched off are not run; the verdict says so."),
        .section("tests.timeouts", "Time limits."),
        .value(
            "tests.timeouts.run", \.runTimeout, .timeLimit, variable: "KANMON_TIMEOUT_RUN",
            flag: ("--timeout-run", { $0.runTimeout }),
            "How long the whole run may take: the scripts before the build, the build and the tests together."),
        .value(
            "tests.timeouts.test", \.testTimeout, .timeLimit, variable: "KANMON_TIMEOUT_TEST",
            flag: ("--timeout-test", { $0.testTimeout }),
            "How long one test may take; what it was doing is printed, and the remaining tests still run."),
        .value(
            "tests.timeouts.silence", \.silenceTimeout, .timeLimit, variable: "KANMON_TIMEOUT_SILENCE",
            flag: ("--timeout-silence", { $0.silenceTimeout }),
            "How long the tests may stay without a sign of life."),
    ]

    private static let build: [SettingDeclaration] = [
        .section("build", "How the package is built, where that is not SwiftPM's default."),
        .value(
            "build.system", \.buildSystem, .choice(BuildSystem.allCases, hint: "write native or swiftbuild"),
            "What SwiftPM builds with: its own build system, or [Swift Build](toolchains.md#the-second-layout), whose layout is another one."
        ),
        .list(
            "build.traits", \.traits, trait, of: "traits", item: { $0 },
            flag: ("--traits", { $0.traits }),
            "The traits of the package that are enabled (`--traits`); `defaults` stands for those that it enables by itself, which are off where it is not named."
        ),
        .value(
            "build.sanitize", \.sanitizer,
            .choice(BuildChoice.Sanitizer.allCases, hint: "write none, address or thread"),
            flag: ("--sanitize", { $0.sanitizer }),
            "Runtime checks that the compiler puts into the code (`--sanitize`). What they report fails the run, [below](#traits-checks-and-flags)."
        ),
        .list(
            "build.swift-flags", \.swiftFlags, compilerFlag, of: "flags", item: { $0 },
            "Flags for the Swift compiler, each word an entry (`-Xswiftc`): `[ -strict-concurrency=complete ]`."),
    ]

    private static let run: [SettingDeclaration] = [
        .section("run", "How the tests are run."),
        .list(
            "run.before", \.before, script, of: "scripts",
            "What runs before SwiftPM looks for [targets and sources](#scripts), and so before the build; one that fails leaves the run undecided."
        ),
        .list(
            "run.after", \.after, script, of: "scripts",
            "What runs after the tests, whatever became of scripts, build and tests, unless the run was [interrupted](#scripts); one that fails is noted."
        ),
        .list(
            "run.generated", \.generated, .pattern, of: "[patterns](#patterns-of-files)", item: { $0 },
            "Files that scripts of `run.before` make in the folders of targets, [below](#what-scripts-may-write)."),
        .list(
            "run.environment", \.environment, variable, of: "`NAME` or `NAME=value`", unique: { $0.name },
            "Variables that the tests get to see beside the usual ones: `NAME` passes one on, `NAME=value` sets it. Values are [never kept or shown](run-directory.md#credentials). SwiftPM and scripts get git's settings (`GIT_ASKPASS`, `GIT_SSH_COMMAND`, `GIT_CONFIG_COUNT`, …), and what credential helpers read (`NETRC`, `GH_TOKEN`, `KRB5CCNAME`, …), without this. Refused are those that lead git to another repository, such as `GIT_DIR` and `GIT_INDEX_FILE`, and those by which Kanmon records the tests: `KANMON_…`, `LD_PRELOAD` and `LLVM_PROFILE_FILE`."
        ),
        .value(
            "run.isolation", \.isolation,
            .choice(
                IsolationRule.words, hint: "write best to take what the machine allows",
                read: { IsolationRule(word: $0) }, show: { $0.word }),
            "What holds the processes of a run together, [below](#isolation)."),
        .value(
            "run.clean", \.clean, .choice(CleanBuilds.allCases, hint: "write daily for the first run of 24 hours"),
            flag: ("--clean", { $0.clean }),
            "When a run builds in a new folder and compares the code with that of the incremental build, [below](#clean-builds)."
        ),
        .value(
            "run.reuse", \.reuse, .timeLimitOrOff,
            "For how long a run of an exact tree answers for the same tree again: see [hooks.md](hooks.md#known-trees)."
        ),
    ]

    private static let hooks: [SettingDeclaration] = [
        .section("hooks", "What git hooks do."),
        .section("hooks.pre-commit", "What the pre-commit hook does; a push is always judged whole."),
        .value(
            "hooks.pre-commit.tests", \.hookTests,
            .choice(HookTests.allCases, hint: "write executing, affected or all"),
            "Which tests it runs: those that execute the changed functions, those of the targets that depend on what the commit changes, or all."
        ),
        .value(
            "hooks.pre-commit.budget", \.hookBudget, .timeLimitOrOff,
            "After so long a commit on which nothing has failed is let through, and the push waits for the whole verdict."
        ),
    ]

    private static let owners: [SettingDeclaration] = [
        .section("owners", "Who owns which file: see [owners.md](owners.md)."),
        .value(
            "owners.form", \.ownersForm,
            SettingType<CodeOwnersForm>.choice(CodeOwnersForm.allCases, hint: "write github, gitlab or gitea")
                .optional("(as the forge or the file says)"),
            preset: "that of the forge in `origin`, else of the folder of the file, else what the file shows",
            "Whose rules `CODEOWNERS` follows, by the settings of the base. Nothing is judged by it."),
    ]

    private static let causes: [SettingDeclaration] = [
        .section("causes", "Why tests failed: see [causes.md](causes.md)."),
        .value(
            "causes.budget", \.causesBudget, .timeLimitOrNone(unset: "(as long as the tests took, 15s to 1m)"),
            preset: "as long as the tests took, at least `15s` and at most `1m`",
            variable: "KANMON_CAUSES_BUDGET", flag: ("--causes-budget", { $0.causesBudget.map(Optional.some) }),
            "How long tests that failed are repeated, here and on the base, to find out why they did."),
    ]

    /// The settings of a machine, which no package can set.
    private static let machine: [SettingDeclaration] = [
        .value(
            "home", \.home, SettingType<String>.text("folder").optional("(${XDG_STATE_HOME:-~/.local/state}/kanmon)"),
            preset: "`${XDG_STATE_HOME:-~/.local/state}/kanmon`", isInFile: false, variable: "KANMON_HOME",
            flag: ("--home", { $0.home.map(Optional.some) }), "Where runs and the database are kept."),
        .value(
            "engine", \.engine, .choice([.swiftTest, .direct], hint: "set it to 'swift-test' or 'direct'"),
            preset: "`direct`; `swift-test` if the test binary is not at its usual place", isInFile: false,
            variable: "KANMON_ENGINE", flag: ("--engine", { $0.engine }), "How the tests are started."),
        .value(
            "swift", \.swift, SettingType<String>.text("path").optional("(the first in PATH)"),
            preset: "the first in `PATH`",
            isInFile: false, variable: "KANMON_SWIFT", flag: ("--swift", { $0.swift.map(Optional.some) }),
            "The `swift` to use."),
    ]
}

// The types that only one setting has.
extension SettingDeclaration {
    private static let version = SettingDeclaration(
        key: "version", type: "`\(currentVersion)`", preset: "`\(currentVersion)`",
        meaning: "The version of this format.", schema: #""const": \#(currentVersion), "default": \#(currentVersion)"#,
        read: { value, key, _ throws(SettingsError) in
            let number = try value.wholeNumber(key)
            guard number == currentVersion else {
                throw .badValue(
                    value.place, key: key, problem: "this kanmon reads version \(currentVersion), not \(number)",
                    hint: number > currentVersion ? "update kanmon" : "write version: \(currentVersion)")
            }
        })

    private static let projectName = SettingType<String>.text(
        "text of at most 200 bytes", schema: #""type": "string", "minLength": 1, "maxLength": 200"#,
        hint: "write up to 200 bytes such as example/video-kit", show: { Redaction.clean($0) },
        problem: { name in
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            let isName = name.utf8.count <= 200 && parts.allSatisfy { !["", ".", ".."].contains($0) }
            return isName ? nil : "is not a name"
        })

    private static let branch = SettingType<String>.text(
        "name of a branch", hint: "write a name such as main or release/6.x",
        problem: { name in
            let isName = !name.hasPrefix("-") && !name.hasPrefix("/") && !name.hasSuffix("/") && !name.contains("..")
            return isName ? nil : "is not the name of a branch"
        })

    private static let trait = SettingType<String>.text(
        "name of a trait", hint: "write a name such as Networking",
        problem: { name in
            let isName = !name.isEmpty && !name.hasPrefix("-") && !name.contains { $0 == "," || $0.isWhitespace }
            return isName ? nil : "is not the name of a trait"
        })

    private static let compilerFlag = SettingType<String>.text(
        "flag", hint: "write one word, such as -strict-concurrency=complete",
        problem: { $0.isEmpty || $0.contains { $0.isNewline } ? "is not a flag" : nil })

    private static let exclusion = SettingType<Exclusion>(
        name: "pattern",
        schema: #"""
            "anyOf": [ { \#(SettingType<String>.pattern.schema) }, { "type": "object", "additionalProperties": false,
            "required": ["path"], "properties": { "path": { \#(SettingType<String>.pattern.schema) },
            "reason": { "type": "string", "minLength": 1 } } } ]
            """#,
        read: { value, key throws(SettingsError) in try value.exclusion(key) },
        show: { $0.pattern + ($0.reason.map { " (\($0))" } ?? "") })

    private static let quarantineEntry = SettingType<QuarantineEntry>(
        name: "contract",
        schema: #"""
            "type": "object", "additionalProperties": false, "required": ["test", "owner", "reason", "expires"],
            "properties": { "test": { "type": "string" }, "owner": { "type": "string" }, "reason": { "type": "string" },
            "expires": { "type": "string", "format": "date" } }
            """#,
        read: { value, key throws(SettingsError) in try value.quarantineEntry(key) },
        show: { "\($0.test), until \($0.expires), owner \($0.owner): \($0.reason)" })

    private static let script = SettingType<RunScript>(
        name: "script",
        schema: {
            let words =
                #""anyOf": [ { "type": "string", "minLength": 1 }, "#
                + #"{ "type": "array", "items": { "type": "string", "minLength": 1 }, "minItems": 1 } ]"#
            return
                #""anyOf": [ { \#(words) }, { "type": "object", "additionalProperties": false, "required": ["run"], "#
                + #""properties": { "run": { \#(words) }, "timeout": { \#(SettingType<Duration>.timeLimit.schema) } } } ]"#
        }(),
        read: { value, key throws(SettingsError) in try value.script(key) },
        show: {
            "\(Redaction.clean(words: $0.words).joined(separator: " ")) (\($0.timeLimit.timeLimitDescription))"
        })

    private static let variable = SettingType<EnvironmentVariable>(
        name: "variable",
        schema: {
            let refused = (GitVariable.elsewhere + ["LD_PRELOAD", "LLVM_PROFILE_FILE"]).joined(separator: "|")
            return #"""
                "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*(=.*)?$",
                "not": { "pattern": "^(KANMON_|(\#(refused))(=|$))" }
                """#
        }(),
        read: { value, key throws(SettingsError) in try value.variable(key) },
        show: { Redaction.clean(variable: $0.entry) })

    /// The floors of modules, and under `default` those of all others.
    private static let modules = SettingDeclaration(
        key: "coverage.modules", type: "mapping of modules to floors", preset: "`default: { line: 80 }`",
        meaning: "Floors in percent by SwiftPM target.",
        schema: {
            let percentage = "{ \(SettingType<Percentage>.percentage.schema) }"
            let metrics = CoverageMetric.allCases.map { "\"\($0.rawValue)\": \(percentage)" }
            return #"""
                "type": ["object", "null"], "additionalProperties": { "anyOf": [ \#(percentage), { "type": "object",
                "additionalProperties": false, "minProperties": 1,
                "properties": { \#(metrics.joined(separator: ", ")) } } ] },
                "propertyNames": { "pattern": "^[^/]+$" }, "default": { "default": { "line": 80 } }
                """#
        }(),
        read: { value, key, settings throws(SettingsError) in
            for (name, value) in try value.pairs(key, expected: "a mapping of modules to floors") {
                let pattern = try name.text(key)
                let floors = try value.floors(of: pattern, "\(key).\(pattern)")
                if pattern == Settings.defaultModule {
                    let preset = settings.defaultFloors.value
                    settings.defaultFloors = Setting(
                        Floors(
                            line: floors.line ?? preset.line, region: floors.region ?? preset.region,
                            function: floors.function ?? preset.function), from: .file(value.place))
                    continue
                }
                guard !pattern.utf8.contains(UInt8(ascii: "/")) else {
                    throw .badValue(
                        name.place, key: key, problem: "'\(pattern)' is a path, not a module",
                        hint: "name a target of the package; coverage.exclude takes paths")
                }
                settings.modules.append(Setting(ModuleRule(pattern: pattern, floors: floors), from: .file(name.place)))
            }
        },
        entries: { settings in
            func entry(_ pattern: String, _ floors: Floors, _ origin: Origin) -> SettingsEntry {
                let words = CoverageMetric.allCases.compactMap { metric in
                    floors[metric].map { "\(metric.rawValue) \($0)" }
                }
                return SettingsEntry(
                    key: "coverage.modules.\(pattern)", value: words.joined(separator: ", "), origin: origin)
            }
            return settings.modules.map { entry($0.value.pattern, $0.value.floors, $0.origin) }
                + [entry(Settings.defaultModule, settings.defaultFloors.value, settings.defaultFloors.origin)]
        })
}
