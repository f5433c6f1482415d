/// What `hooks` says, and for how long a run answers for its tree.
extension SettingsParser {
    mutating func readHooks(_ value: YAMLValue) throws(SettingsError) {
        for (_, value) in try section(value, .hooks) {
            for (key, value) in try section(value, .preCommit) {
                if key == .hookTests {
                    settings.hookTests = Setting(try hookTests(value), from: .file(value.place))
                } else {
                    settings.hookBudget = Setting(try timeLimitOrOff(value, key), from: .file(value.place))
                }
            }
        }
    }

    private func hookTests(_ value: YAMLValue) throws(SettingsError) -> HookTests {
        let word = try text(value, SettingsKey.hookTests.rawValue)
        guard let tests = HookTests(rawValue: word) else {
            throw .badValue(
                value.place, key: SettingsKey.hookTests.rawValue, problem: "'\(word)' is neither 'affected' nor 'all'",
                hint: "write affected to run the tests of what a commit changes, or all"
            )
        }
        return tests
    }

    /// A time limit, or the word `off`.
    func timeLimitOrOff(_ value: YAMLValue, _ key: SettingsKey) throws(SettingsError) -> Duration? {
        if case .scalar("off", _) = value.content { return nil }
        return try timeLimit(value, key)
    }
}
