import Gate
import RunModel

/// Turns the nodes of a file into settings; whatever it does not know is an error.
struct SettingsParser {
    var settings = Settings()

    mutating func read(_ root: YAMLValue) throws(SettingsError) {
        for (key, value) in try section(root, nil) {
            switch key {
            case .version: try readVersion(value)
            case .project: settings.project = Setting(try projectName(value), from: .file(value.place))
            case .base: settings.base = Setting(try branchName(value), from: .file(value.place))
            case .coverage: try readCoverage(value)
            case .tests: try readTests(value)
            case .run: try readRun(value)
            case .hooks: try readHooks(value)
            default: break
            }
        }
    }

    private func readVersion(_ value: YAMLValue) throws(SettingsError) {
        let number = try wholeNumber(value, .version)
        guard number == SettingsKey.currentVersion else {
            let hint = number > SettingsKey.currentVersion ? "update kanmon" : "write version: 1"
            throw .badValue(
                value.place, key: "version", problem: "this kanmon reads version 1, not \(number)", hint: hint)
        }
    }

    private func projectName(_ value: YAMLValue) throws(SettingsError) -> String {
        let name = try text(value, "project")
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard name.utf8.count <= 200, parts.allSatisfy({ !["", ".", ".."].contains($0) }) else {
            throw .badValue(
                value.place, key: "project", problem: "'\(name)' is not a name",
                hint: "write up to 200 bytes such as example/video-kit"
            )
        }
        return name
    }

    private mutating func readCoverage(_ value: YAMLValue) throws(SettingsError) {
        for (key, value) in try section(value, .coverage) {
            switch key {
            case .modules: try readModules(value)
            case .projectRule: try readProjectRule(value)
            case .patchRule: try readPatchRule(value)
            case .fileRule: try readFileRule(value)
            case .exclude:
                for item in try list(value, key) {
                    settings.excludes.append(Setting(try exclusion(item), from: .file(item.place)))
                }
            case .ratchet: settings.ratchet = Setting(try boolean(value, key), from: .file(value.place))
            default: break
            }
        }
    }

    private mutating func readModules(_ value: YAMLValue) throws(SettingsError) {
        for (key, value) in try pairs(value, SettingsKey.modules.rawValue, expected: "a mapping of modules to floors") {
            let pattern = try text(key, SettingsKey.modules.rawValue)
            let floors = try floors(value, of: pattern)
            if pattern == SettingsKey.defaultModule {
                let preset = settings.defaultFloors.value
                settings.defaultFloors = Setting(
                    Floors(
                        line: floors.line ?? preset.line, region: floors.region ?? preset.region,
                        function: floors.function ?? preset.function
                    ),
                    from: .file(value.place)
                )
            } else {
                guard !pattern.utf8.contains(UInt8(ascii: "/")) else {
                    throw .badValue(
                        key.place, key: "coverage.modules", problem: "'\(pattern)' is a path, not a module",
                        hint: "name a target of the package; coverage.exclude takes paths"
                    )
                }
                let rule = ModuleRule(pattern: pattern, floors: floors)
                settings.modules.append(Setting(rule, from: .file(key.place)))
            }
        }
    }

    private func floors(_ value: YAMLValue, of module: String) throws(SettingsError) -> Floors {
        let path = "coverage.modules.\(module)"
        if case .scalar = value.content, !value.isNull { return Floors(line: try percentage(value, path)) }
        var floors = Floors()
        for (key, value) in try pairs(value, path, expected: "a percentage or a mapping of metrics") {
            let name = try text(key, path)
            guard name != "branch" else { throw .noBranchCoverage(key.place, module: module) }
            guard let metric = CoverageMetric(rawValue: name) else {
                throw .unknownKey(key.place, section: path, key: name, known: SettingsKey.metrics)
            }
            let floor = try percentage(value, "\(path).\(name)")
            switch metric {
            case .line: floors.line = floor
            case .region: floors.region = floor
            case .function: floors.function = floor
            }
        }
        guard floors != Floors() else {
            throw .badValue(value.place, key: path, problem: "sets no floor", hint: "write { line: 80 } or remove it")
        }
        return floors
    }

    /// A pattern alone, or a pattern with a reason.
    private func exclusion(_ value: YAMLValue) throws(SettingsError) -> Exclusion {
        guard case .mapping = value.content else { return Exclusion(pattern: try pattern(value, .exclude)) }
        var exclusion = Exclusion(pattern: "")
        let path = SettingsKey.exclude.rawValue
        for (key, value) in try pairs(value, path, expected: "a pattern, or a path and a reason") {
            switch try text(key, path) {
            case "path": exclusion.pattern = try pattern(value, .exclude)
            case "reason": exclusion.reason = try text(value, "\(path).reason")
            case let name:
                throw .unknownKey(key.place, section: path, key: name, known: SettingsKey.exclusion)
            }
        }
        guard !exclusion.pattern.isEmpty else {
            throw .badValue(
                value.place, key: SettingsKey.exclude.rawValue, problem: "has no path",
                hint: "write { path: \"Sources/Generated/**\", reason: \"made by protoc\" }")
        }
        return exclusion
    }

    private func branchName(_ value: YAMLValue) throws(SettingsError) -> String {
        let name = try text(value, SettingsKey.base.rawValue)
        guard !name.hasPrefix("-"), !name.hasPrefix("/"), !name.hasSuffix("/"), !name.contains("..") else {
            throw .badValue(
                value.place, key: SettingsKey.base.rawValue, problem: "'\(name)' is not the name of a branch",
                hint: "write a name such as main or release/6.x")
        }
        return name
    }

    /// A pattern of paths in the package.
    private func pattern(_ value: YAMLValue, _ key: SettingsKey) throws(SettingsError) -> String {
        let pattern = try text(value, key.rawValue)
        let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
        let problem: String? =
            if pattern.hasPrefix("/") {
                "begins at the root of the disk"
            } else if parts.contains("..") || parts.contains(".") {
                "holds '.' or '..'"
            } else if parts.contains("") {
                pattern.hasSuffix("/") ? "ends with '/'" : "holds '//'"
            } else {
                nil
            }
        guard let problem else { return pattern }
        let kept = parts.filter { !["", ".", ".."].contains($0) }.joined(separator: "/")
        throw .badValue(
            value.place, key: key.rawValue, problem: "'\(pattern)' \(problem), so that it matches no file",
            hint: "write a path relative to the package"
                + (kept.isEmpty ? "" : ", such as '\(pattern.hasSuffix("/") ? "\(kept)/**" : kept)'")
        )
    }

    private mutating func readTests(_ value: YAMLValue) throws(SettingsError) {
        for (key, value) in try section(value, .tests) {
            switch key {
            case .minimum:
                let number = try wholeNumber(value, key)
                guard (1...2_000_000).contains(number) else {
                    throw .badValue(
                        value.place, key: key.rawValue, problem: "\(number) is not from 1 to 2000000",
                        hint: number < 1 ? "a run without a test never passes; write 1 or more" : nil
                    )
                }
                settings.minimumTests = Setting(number, from: .file(value.place))
            case .flaky: settings.flaky = Setting(try flakyRule(value), from: .file(value.place))
            case .quarantine: settings.quarantine = try quarantine(value)
            case .budgets: settings.budgets = try budgets(value)
            case .timeouts:
                for (key, value) in try section(value, .timeouts) {
                    let limit = Setting(try timeLimit(value, key), from: .file(value.place))
                    switch key {
                    case .runTimeout: settings.runTimeout = limit
                    case .testTimeout: settings.testTimeout = limit
                    default: settings.silenceTimeout = limit
                    }
                }
            case .retries:
                let number = try wholeNumber(value, key)
                guard (0...10).contains(number) else {
                    throw .badValue(value.place, key: key.rawValue, problem: "\(number) is not from 0 to 10", hint: nil)
                }
                settings.retries = Setting(number, from: .file(value.place))
            case .jobs:
                let number = try wholeNumber(value, key)
                guard Settings.jobsAllowed.contains(number) else {
                    throw .badValue(
                        value.place, key: key.rawValue, problem: "\(number) is not from 1 to 64",
                        hint: number < 1 ? "write 1 for one process after the other" : nil)
                }
                settings.jobs = Setting(number, from: .file(value.place))
            case .bundles:
                for (name, state) in try pairs(value, key.rawValue, expected: "a mapping of test targets to on or off")
                {
                    let name = try text(name, key.rawValue)
                    let bundle = TestBundle(name: name, isOn: try isOn(state, "\(key.rawValue).\(name)"))
                    settings.bundles.append(Setting(bundle, from: .file(state.place)))
                }
            default: break
            }
        }
    }

    private mutating func readRun(_ value: YAMLValue) throws(SettingsError) {
        for (key, value) in try section(value, .run) {
            switch key {
            case .before: settings.before = try scripts(value, key)
            case .after: settings.after = try scripts(value, key)
            case .generated:
                for item in try list(value, key) {
                    settings.generated.append(Setting(try pattern(item, key), from: .file(item.place)))
                }
            case .reuse: settings.reuse = Setting(try timeLimitOrOff(value, key), from: .file(value.place))
            case .isolation: settings.isolation = Setting(try isolation(value), from: .file(value.place))
            case .environment: try readEnvironment(value)
            default: break
            }
        }
    }

    private mutating func readEnvironment(_ value: YAMLValue) throws(SettingsError) {
        for item in try list(value, .environment) {
            let variable = try variable(item)
            guard !settings.environment.contains(where: { $0.value.name == variable.name }) else {
                throw .duplicateKey(item.place, key: "\(SettingsKey.environment.rawValue): \(variable.name)")
            }
            settings.environment.append(Setting(variable, from: .file(item.place)))
        }
    }

    private func variable(_ item: YAMLValue) throws(SettingsError) -> EnvironmentVariable {
        let key = SettingsKey.environment.rawValue
        let parts = try text(item, key).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let isName = name.utf8.enumerated().allSatisfy { index, byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): index > 0
            default: false
            }
        }
        guard isName, !name.isEmpty else {
            throw .badValue(
                item.place, key: key, problem: "'\(name)' is not the name of a variable",
                hint: "write NAME or NAME=value"
            )
        }
        guard !name.hasPrefix("GIT_") else {
            throw .badValue(
                item.place, key: key, problem: "'\(name)' leads SwiftPM's own git into another repository",
                hint: "set it in the test that needs it"
            )
        }
        guard !name.hasPrefix("KANMON_"), !["LD_PRELOAD", "LLVM_PROFILE_FILE"].contains(name) else {
            throw .badValue(
                item.place, key: key, problem: "'\(name)' belongs to kanmon, which records the tests with it",
                hint: "remove it"
            )
        }
        return EnvironmentVariable(name: name, value: parts.count == 2 ? String(parts[1]) : nil)
    }
}
