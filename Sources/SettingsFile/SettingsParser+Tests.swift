import Gate
import RunModel

/// What `tests` says of flaky, quarantined and slow tests.
extension SettingsParser {
    func flakyRule(_ value: YAMLValue) throws(SettingsError) -> FlakyRule {
        let word = try text(value, SettingsKey.flaky.rawValue)
        guard let rule = FlakyRule(rawValue: word) else {
            throw .badValue(
                value.place, key: SettingsKey.flaky.rawValue, problem: "'\(word)' is neither 'warn' nor 'fail'",
                hint: "write warn to show flaky tests, or fail to let them block"
            )
        }
        return rule
    }

    /// The contracts; a test has one at most, and every contract has all its parts.
    func quarantine(_ value: YAMLValue) throws(SettingsError) -> [Setting<QuarantineEntry>] {
        var entries: [Setting<QuarantineEntry>] = []
        for item in try list(value, .quarantine) {
            let entry = try quarantineEntry(item)
            guard !entries.contains(where: { Name($0.value.test) == Name(entry.test) }) else {
                throw .duplicateKey(item.place, key: "\(SettingsKey.quarantine.rawValue): \(entry.test)")
            }
            entries.append(Setting(entry, from: .file(item.place)))
        }
        return entries
    }

    private static let partsOfEntry = ["test", "owner", "reason", "expires"]

    private func quarantineEntry(_ item: YAMLValue) throws(SettingsError) -> QuarantineEntry {
        let section = SettingsKey.quarantine.rawValue
        var parts: [String: (text: String, place: Place)] = [:]
        for (key, value) in try pairs(item, section, expected: "a mapping of test, owner, reason and expires") {
            let name = try text(key, section)
            guard Self.partsOfEntry.contains(name) else {
                throw .unknownKey(key.place, section: section, key: name, known: Self.partsOfEntry)
            }
            parts[name] = (try text(value, "\(section).\(name)"), value.place)
        }
        guard let test = parts["test"], let owner = parts["owner"], let reason = parts["reason"],
            let expires = parts["expires"]
        else {
            let missing = Self.partsOfEntry.filter { parts[$0] == nil }.map { "'\($0)'" }.joined(separator: ", ")
            throw .badValue(
                item.place, key: section, problem: "the entry lacks \(missing)",
                hint: "write { test: CoreTests.URLTests/testHost, owner: ana, reason: why, expires: 2026-12-01 }"
            )
        }
        guard let day = CalendarDay(expires.text) else {
            throw .badValue(
                expires.place, key: "\(section).expires", problem: "'\(expires.text)' is not a day",
                hint: "write a day such as 2026-12-01"
            )
        }
        return QuarantineEntry(test: test.text, owner: owner.text, reason: reason.text, expires: day)
    }

    func budgets(_ value: YAMLValue) throws(SettingsError) -> [Setting<BudgetRule>] {
        let section = SettingsKey.budgets.rawValue
        var rules: [Setting<BudgetRule>] = []
        for (key, value) in try pairs(value, section, expected: "a mapping of tests to time bounds") {
            let pattern = try text(key, section)
            let bound = try text(value, "\(section).\(pattern)")
            guard let duration = Duration(budget: bound) else {
                throw .badValue(
                    value.place, key: "\(section).\(pattern)", problem: "'\(bound)' is not a time bound",
                    hint: "write at most a week, such as 250ms, 2s or 1m"
                )
            }
            rules.append(Setting(BudgetRule(pattern: pattern, bound: duration), from: .file(key.place)))
        }
        return rules
    }
}
