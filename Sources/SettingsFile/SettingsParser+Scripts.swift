import RunModel

extension SettingsParser {
    /// The scripts of a list: a line of words, a list of words, or either under `run` with a time limit beside it.
    func scripts(_ value: YAMLValue, _ key: SettingsKey) throws(SettingsError) -> [Setting<RunScript>] {
        var scripts: [Setting<RunScript>] = []
        for item in try list(value, key) {
            scripts.append(Setting(try script(item, key), from: .file(item.place)))
        }
        return scripts
    }

    /// What is to hold the processes of a run together.
    func isolation(_ value: YAMLValue) throws(SettingsError) -> IsolationRule {
        let key = SettingsKey.isolation.rawValue
        let word = try text(value, key)
        guard let rule = IsolationRule(word: word) else {
            throw .badValue(
                value.place, key: key, problem: "'\(word)' is none of \(IsolationRule.words.joined(separator: ", "))",
                hint: "write best to take what the machine allows"
            )
        }
        return rule
    }

    private func script(_ item: YAMLValue, _ key: SettingsKey) throws(SettingsError) -> RunScript {
        guard case .mapping(let pairs) = item.content else { return RunScript(words: try words(item, key)) }
        var script: RunScript?
        var limit: Duration?
        for (name, value) in pairs {
            switch try text(name, key.rawValue) {
            case "run": script = RunScript(words: try words(value, key))
            case "timeout": limit = try timeLimit(value, key)
            case let other:
                throw .unknownKey(name.place, section: key.rawValue, key: other, known: ["run", "timeout"])
            }
        }
        guard var script else {
            throw .badValue(
                item.place, key: key.rawValue, problem: "says nothing to run",
                hint: "write { run: scripts/generate.sh, timeout: 2m }"
            )
        }
        script.timeLimit = limit ?? script.timeLimit
        return script
    }

    private func words(_ value: YAMLValue, _ key: SettingsKey) throws(SettingsError) -> [String] {
        if case .list(let items) = value.content, !items.isEmpty {
            var words: [String] = []
            for item in items { words.append(try text(item, key.rawValue)) }
            return words
        }
        let line = try text(value, key.rawValue)
        let words = line.split(separator: " ").map(String.init)
        guard !words.isEmpty, !line.contains(where: { #"'"`$|&;<>*?\"#.contains($0) }) else {
            throw .badValue(
                value.place, key: key.rawValue, problem: "'\(line)' has signs that only a shell reads, and none does",
                hint: "put it into a script, or write the words as a list: [ sh, -c, \"…\" ]"
            )
        }
        return words
    }
}
