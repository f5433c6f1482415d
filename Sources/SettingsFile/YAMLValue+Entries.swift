import Gate
import RunModel

/// What lists and mappings hold: more than a text or a number each.
extension YAMLValue {
    /// The floors of a module: a percentage of lines, or a mapping of metrics.
    func floors(of module: String, _ path: String) throws(SettingsError) -> Floors {
        if case .scalar = content, !isNull { return Floors(line: try percentage(path)) }
        var floors = Floors()
        for (key, value) in try pairs(path, expected: "a percentage or a mapping of metrics") {
            let name = try key.text(path)
            guard name != "branch" else { throw .noBranchCoverage(key.place, module: module) }
            guard let metric = CoverageMetric(rawValue: name) else {
                throw .unknownKey(key.place, section: path, key: name, known: CoverageMetric.allCases.map(\.rawValue))
            }
            floors[metric] = try value.percentage("\(path).\(name)")
        }
        guard floors != Floors() else {
            throw .badValue(place, key: path, problem: "sets no floor", hint: "write { line: 80 } or remove it")
        }
        return floors
    }

    /// A pattern alone, or a pattern with a reason.
    func exclusion(_ key: String) throws(SettingsError) -> Exclusion {
        guard case .mapping = content else { return Exclusion(pattern: try pattern(key)) }
        let members = try members(["path", "reason"], of: key, expected: "a pattern, or a path and a reason")
        guard let path = members["path"] else {
            throw .badValue(
                place, key: key, problem: "has no path",
                hint: "write { path: \"Sources/Generated/**\", reason: \"made by protoc\" }")
        }
        return Exclusion(pattern: try path.pattern(key), reason: try members["reason"]?.text("\(key).reason"))
    }

    /// A contract with all its parts.
    func quarantineEntry(_ key: String) throws(SettingsError) -> QuarantineEntry {
        let known = ["test", "owner", "reason", "expires"]
        let members = try members(known, of: key, expected: "a mapping of test, owner, reason and expires")
        guard let test = members["test"], let owner = members["owner"], let reason = members["reason"],
            let expires = members["expires"]
        else {
            let missing = known.filter { members[$0] == nil }.map { "'\($0)'" }.joined(separator: ", ")
            throw .badValue(
                place, key: key, problem: "the entry lacks \(missing)",
                hint: "write { test: CoreTests.URLTests/testHost, owner: ana, reason: why, expires: 2026-12-01 }")
        }
        let text = try expires.text("\(key).expires")
        guard let day = CalendarDay(text) else {
            throw .badValue(
                expires.place, key: "\(key).expires", problem: "'\(text)' is not a day",
                hint: "write a day such as 2026-12-01")
        }
        return QuarantineEntry(
            test: try test.text("\(key).test"), owner: try owner.text("\(key).owner"),
            reason: try reason.text("\(key).reason"), expires: day)
    }

    /// A script: a line of words, a list of words, or either under `run` with a time limit beside it.
    func script(_ key: String) throws(SettingsError) -> RunScript {
        guard case .mapping = content else { return RunScript(words: try words(key)) }
        let members = try members(["run", "timeout"], of: key, expected: "a script")
        guard let run = members["run"] else {
            throw .badValue(
                place, key: key, problem: "says nothing to run",
                hint: "write { run: scripts/generate.sh, timeout: 2m }")
        }
        var script = RunScript(words: try run.words(key))
        if let limit = members["timeout"] { script.timeLimit = try limit.timeLimit(key) }
        return script
    }

    /// The values of a mapping that has no other keys than these.
    private func members(
        _ known: [String], of key: String, expected: String
    ) throws(SettingsError) -> [String: YAMLValue] {
        var members: [String: YAMLValue] = [:]
        for (name, value) in try pairs(key, expected: expected) {
            let text = try name.text(key)
            guard known.contains(text) else { throw .unknownKey(name.place, section: key, key: text, known: known) }
            members[text] = value
        }
        return members
    }

    private func words(_ key: String) throws(SettingsError) -> [String] {
        if case .list(let items) = content, !items.isEmpty {
            var words: [String] = []
            for item in items { words.append(try item.text(key)) }
            return words
        }
        let line = try text(key)
        let words = line.split(separator: " ").map(String.init)
        guard !words.isEmpty, !line.contains(where: { #"'"`$|&;<>*?\"#.contains($0) }) else {
            throw .badValue(
                place, key: key, problem: "'\(line)' has signs that only a shell reads, and none does",
                hint: "put it into a script, or write the words as a list: [ sh, -c, \"…\" ]"
            )
        }
        return words
    }

    /// `NAME` or `NAME=value`.
    func variable(_ key: String) throws(SettingsError) -> EnvironmentVariable {
        let parts = try text(key).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
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
                place, key: key, problem: "'\(name)' is not the name of a variable",
                hint: "write NAME or NAME=value"
            )
        }
        guard !GitVariable.leadsElsewhere(name) else {
            throw .badValue(
                place, key: key, problem: "'\(name)' leads SwiftPM's own git into another repository",
                hint: "set it in the test that needs it"
            )
        }
        guard !name.hasPrefix("KANMON_"), !["LD_PRELOAD", "LLVM_PROFILE_FILE"].contains(name) else {
            throw .badValue(
                place, key: key, problem: "'\(name)' belongs to kanmon, which records the tests with it",
                hint: "remove it"
            )
        }
        return EnvironmentVariable(name: name, value: parts.count == 2 ? String(parts[1]) : nil)
    }
}
