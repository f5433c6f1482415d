import RunModel

/// The types that values can have: each takes a node, and says what it wanted where it is another.
extension SettingsParser {
    /// The known keys of a section with their values; a section with nothing in it is an empty one.
    func section(_ value: YAMLValue, _ key: SettingsKey?) throws(SettingsError) -> [(SettingsKey, YAMLValue)] {
        let known = SettingsKey.keys(in: key)
        let path = key?.rawValue ?? ""
        guard !value.isNull else { return [] }
        var found: [(SettingsKey, YAMLValue)] = []
        for (key, value) in try pairs(value, path.isEmpty ? "the file" : path, expected: "a mapping of keys to values")
        {
            let name = try text(key, path.isEmpty ? "a key" : "a key in \(path)")
            guard let match = known.first(where: { Name($0.name) == Name(name) }) else {
                throw .unknownKey(key.place, section: path, key: name, known: known.map(\.name))
            }
            found.append((match, value))
        }
        return found
    }

    func pairs(
        _ value: YAMLValue,
        _ key: String,
        expected: String
    ) throws(SettingsError) -> [(key: YAMLValue, value: YAMLValue)] {
        if value.isNull { return [] }
        guard case .mapping(let pairs) = value.content else {
            throw .wrongType(value.place, key: key, expected: expected, found: value.kind, hint: nil)
        }
        return pairs
    }

    func list(_ value: YAMLValue, _ key: SettingsKey) throws(SettingsError) -> [YAMLValue] {
        if value.isNull { return [] }
        guard case .list(let items) = value.content else {
            let hint: String? =
                if case .scalar(let text, _) = value.content { "write [ \"\(text)\" ]" } else { nil }
            throw .wrongType(value.place, key: key.rawValue, expected: "a list", found: value.kind, hint: hint)
        }
        return items
    }

    /// A text of at least one character, without control characters.
    func text(_ value: YAMLValue, _ key: String) throws(SettingsError) -> String {
        guard case .scalar(let text, _) = value.content, !value.isNull else {
            throw .wrongType(value.place, key: key, expected: "a text", found: value.kind, hint: nil)
        }
        guard !text.isEmpty else { throw .badValue(value.place, key: key, problem: "is empty", hint: nil) }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw .badValue(value.place, key: key, problem: "holds a control character", hint: nil)
        }
        return text
    }

    /// `true` or `false`, without quotes; the other words for them are texts.
    func boolean(_ value: YAMLValue, _ key: SettingsKey) throws(SettingsError) -> Bool {
        switch value.content {
        case .scalar("true", isPlain: true): return true
        case .scalar("false", isPlain: true): return false
        default:
            throw .wrongType(
                value.place, key: key.rawValue, expected: "true or false", found: value.kind, hint: nil)
        }
    }

    func wholeNumber(_ value: YAMLValue, _ key: SettingsKey) throws(SettingsError) -> Int {
        let number = try number(value, key.rawValue, expected: "a whole number")
        guard
            number.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-") }),
            let parsed = Int(number)
        else {
            throw .wrongType(value.place, key: key.rawValue, expected: "a whole number", found: value.kind, hint: nil)
        }
        return parsed
    }

    func percentage(_ value: YAMLValue, _ key: String) throws(SettingsError) -> Percentage {
        let number = try number(value, key, expected: "a percentage")
        guard let percentage = Percentage(number) else {
            let bare = number.hasSuffix("%") ? Percentage(String(number.dropLast())) : nil
            throw .badValue(
                value.place, key: key, problem: "'\(number)' is not a percentage",
                hint: bare.map { "write \($0)" } ?? "write 0 to 100 with at most three decimals, such as 80 or 79.5"
            )
        }
        return percentage
    }

    func timeLimit(_ value: YAMLValue, _ key: SettingsKey) throws(SettingsError) -> Duration {
        let text = try text(value, key.rawValue)
        guard let limit = Duration(timeLimit: text) else {
            throw .badValue(
                value.place, key: key.rawValue, problem: "'\(text)' is not a time limit", hint: Self.timeLimitHint(text)
            )
        }
        return limit
    }

    /// On or off, as YAML's own words for true and false say it as well.
    func isOn(_ value: YAMLValue, _ key: String) throws(SettingsError) -> Bool {
        let text = try text(value, key)
        switch text {
        case "on", "true", "yes": return true
        case "off", "false", "no": return false
        default:
            throw .badValue(value.place, key: key, problem: "'\(text)' is neither on nor off", hint: "write on or off")
        }
    }

    /// A number without a unit lacks only that.
    static func timeLimitHint(_ text: String) -> String {
        Duration(timeLimit: "\(text)m") != nil && text.utf8.allSatisfy { $0 < UInt8(ascii: "a") }
            ? "write \(text)s or \(text)m" : "write at most a week, such as 90s, 5m or 1h30m"
    }

    private func number(_ value: YAMLValue, _ key: String, expected: String) throws(SettingsError) -> String {
        guard case .scalar(let text, isPlain: true) = value.content, !value.isNull else {
            let hint: String? =
                if case .scalar(let text, isPlain: false) = value.content, Percentage(text) != nil {
                    "write \(text) without quotes"
                } else {
                    nil
                }
            throw .wrongType(value.place, key: key, expected: expected, found: value.kind, hint: hint)
        }
        return text
    }
}
