import RunModel

/// The types that values can have: the error for a node of another type names the type that was expected.
extension YAMLValue {
    /// The entries of a mapping; an empty value has none.
    func pairs(_ key: String, expected: String) throws(SettingsError) -> [(key: YAMLValue, value: YAMLValue)] {
        guard !isNull else { return [] }
        guard case .mapping(let pairs) = content else {
            throw .wrongType(place, key: key, expected: expected, found: kind, hint: nil)
        }
        return pairs
    }

    /// The entries of a list; an empty value has none.
    func list(_ key: String) throws(SettingsError) -> [YAMLValue] {
        guard !isNull else { return [] }
        guard case .list(let items) = content else {
            let hint: String? =
                if case .scalar(let text, _) = content { "write [ \"\(text)\" ]" } else { nil }
            throw .wrongType(place, key: key, expected: "a list", found: kind, hint: hint)
        }
        return items
    }

    /// A text of at least one character, without control characters.
    func text(_ key: String) throws(SettingsError) -> String {
        guard case .scalar(let text, _) = content, !isNull else {
            throw .wrongType(place, key: key, expected: "a text", found: kind, hint: nil)
        }
        guard !text.isEmpty else { throw .badValue(place, key: key, problem: "is empty", hint: nil) }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw .badValue(place, key: key, problem: "holds a control character", hint: nil)
        }
        return text
    }

    func wholeNumber(_ key: String) throws(SettingsError) -> Int {
        let number = try number(key, expected: "a whole number")
        guard
            number.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-") }),
            let parsed = Int(number)
        else {
            throw .wrongType(place, key: key, expected: "a whole number", found: kind, hint: nil)
        }
        return parsed
    }

    func percentage(_ key: String) throws(SettingsError) -> Percentage {
        let number = try number(key, expected: "a percentage")
        guard let percentage = Percentage(number) else {
            let bare = number.hasSuffix("%") ? Percentage(String(number.dropLast())) : nil
            throw .badValue(
                place, key: key, problem: "'\(number)' is not a percentage",
                hint: bare.map { "write \($0)" } ?? "write 0 to 100 with at most three decimals, such as 80 or 79.5"
            )
        }
        return percentage
    }

    func timeLimit(_ key: String) throws(SettingsError) -> Duration {
        let text = try text(key)
        guard let limit = Duration(timeLimit: text) else {
            throw .badValue(
                place, key: key, problem: "'\(text)' is not a time limit", hint: Self.timeLimitHint(text)
            )
        }
        return limit
    }

    /// What to write instead of a text that is no time limit: a number without a unit lacks only the unit.
    static func timeLimitHint(_ text: String) -> String {
        Duration(timeLimit: "\(text)m") != nil && text.utf8.allSatisfy { $0 < UInt8(ascii: "a") }
            ? "write \(text)s or \(text)m" : "write at most a week, such as 90s, 5m or 1h30m"
    }

    private func number(_ key: String, expected: String) throws(SettingsError) -> String {
        guard case .scalar(let text, isPlain: true) = content, !isNull else {
            let hint: String? =
                if case .scalar(let text, isPlain: false) = content, Percentage(text) != nil {
                    "write \(text) without quotes"
                } else {
                    nil
                }
            throw .wrongType(place, key: key, expected: expected, found: kind, hint: hint)
        }
        return text
    }

    /// A pattern of paths in the package.
    func pattern(_ key: String) throws(SettingsError) -> String {
        let pattern = try text(key)
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
            place, key: key, problem: "'\(pattern)' \(problem), so that it matches no file",
            hint: "write a path relative to the package"
                + (kept.isEmpty ? "" : ", such as '\(pattern.hasSuffix("/") ? "\(kept)/**" : kept)'")
        )
    }

    /// A bound on how long tests may take.
    func budget(_ key: String) throws(SettingsError) -> Duration {
        let bound = try text(key)
        guard let duration = Duration(budget: bound) else {
            throw .badValue(
                place, key: key, problem: "'\(bound)' is not a time bound",
                hint: "write at most a week, such as 250ms, 2s or 1m")
        }
        return duration
    }

    /// On or off, as YAML's own words for true and false say it as well.
    func isOn(_ key: String) throws(SettingsError) -> Bool {
        let text = try text(key)
        switch text {
        case "on", "true", "yes": return true
        case "off", "false", "no": return false
        default:
            throw .badValue(place, key: key, problem: "'\(text)' is neither on nor off", hint: "write on or off")
        }
    }
}
