import Gate
import RunModel

/// The rules on the change, the project and single files.
extension SettingsParser {
    /// `patch: 90`, or `patch: { line: 90, min-lines: 5 }`.
    mutating func readPatchRule(_ value: YAMLValue) throws(SettingsError) {
        guard let line = try lineOrSection(value, .patchRule, .patchLine) else { return }
        var rule = PatchRule(line: line.value)
        for (key, value) in try sectionUnlessScalar(value, .patchRule) where key == .minimumLines {
            let number = try wholeNumber(value, key)
            guard (1...1_000_000).contains(number) else {
                throw .badValue(
                    value.place, key: key.rawValue, problem: "\(number) is not from 1 to 1000000",
                    hint: "write 1 to judge every change"
                )
            }
            rule.minimumLines = number
        }
        settings.patch = Setting(rule, from: line.origin)
    }

    /// `project: 80`, or `project: { line: 80, may-drop: 0.5 }`.
    mutating func readProjectRule(_ value: YAMLValue) throws(SettingsError) {
        if case .scalar = value.content, !value.isNull {
            settings.projectFloor = Setting(
                try percentage(value, SettingsKey.projectRule.rawValue), from: .file(value.place))
            return
        }
        for (key, value) in try section(value, .projectRule) {
            let percentage = Setting<Percentage?>(try percentage(value, key.rawValue), from: .file(value.place))
            if key == .mayDrop { settings.mayDrop = percentage } else { settings.projectFloor = percentage }
        }
    }

    /// `files: 50`, or `files: { line: 50 }`.
    mutating func readFileRule(_ value: YAMLValue) throws(SettingsError) {
        guard let line = try lineOrSection(value, .fileRule, .fileLine) else { return }
        settings.fileFloor = Setting(line.value, from: line.origin)
    }

    /// The floor of a rule that must have one: the value itself, or what stands under `line`; `nil` for nothing at all.
    private func lineOrSection(
        _ value: YAMLValue, _ rule: SettingsKey, _ line: SettingsKey
    ) throws(SettingsError) -> Setting<Percentage>? {
        guard !value.isNull else { return nil }
        if case .scalar = value.content {
            return Setting(try percentage(value, rule.rawValue), from: .file(value.place))
        }
        for (key, value) in try section(value, rule) where key == line {
            return Setting(try percentage(value, key.rawValue), from: .file(value.place))
        }
        throw .badValue(
            value.place, key: rule.rawValue, problem: "sets no floor", hint: "write { line: 90 } or remove it")
    }

    private func sectionUnlessScalar(
        _ value: YAMLValue, _ rule: SettingsKey
    ) throws(SettingsError) -> [(SettingsKey, YAMLValue)] {
        if case .scalar = value.content { [] } else { try section(value, rule) }
    }
}
