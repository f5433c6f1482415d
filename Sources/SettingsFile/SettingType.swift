import RunModel

/// The type of a setting's value: how it is read and shown, and how the reference and the schema describe it.
struct SettingType<Value: Sendable>: Sendable {
    /// What the reference calls it: `whole number from 1 to 64`.
    let name: String
    /// The members of the JSON schema that describe it.
    let schema: String
    /// Reads a value; the key is for errors.
    let read: @Sendable (YAMLValue, _ key: String) throws(SettingsError) -> Value
    /// The value in the words of the file.
    let show: @Sendable (Value) -> String

    /// The same type for a setting that need not be set; `unset` is shown where it is not.
    func optional(_ unset: String) -> SettingType<Value?> {
        SettingType<Value?>(
            name: name, schema: schema, read: { value, key throws(SettingsError) in try read(value, key) },
            show: { $0.map(show) ?? unset })
    }
}

extension SettingType<String> {
    /// A text that passes a check.
    static func text(
        _ name: String, schema: String = #""type": "string", "minLength": 1"#, hint: String? = nil,
        show: @escaping @Sendable (String) -> String = { $0 },
        problem: @escaping @Sendable (String) -> String? = { _ in nil }
    ) -> Self {
        Self(
            name: name, schema: schema,
            read: { value, key throws(SettingsError) in
                let text = try value.text(key)
                if let problem = problem(text) {
                    throw .badValue(value.place, key: key, problem: "'\(text)' \(problem)", hint: hint)
                }
                return text
            }, show: show)
    }

    /// A pattern of paths in the package.
    static let pattern = Self(
        name: "pattern", schema: #""type": "string", "pattern": "^[^/](.*[^/])?$""#,
        read: { value, key throws(SettingsError) in try value.pattern(key) }, show: { $0 })
}

extension SettingType<Bool> {
    static let boolean = Self(
        name: "`true` or `false`", schema: #""type": "boolean""#,
        read: { value, key throws(SettingsError) in
            switch value.content {
            case .scalar("true", isPlain: true): return true
            case .scalar("false", isPlain: true): return false
            default:
                throw .wrongType(value.place, key: key, expected: "true or false", found: value.kind, hint: nil)
            }
        }, show: { $0 ? "true" : "false" })
}

extension SettingType<Int> {
    /// A whole number; the hint is for one that is too small.
    static func wholeNumber(_ range: ClosedRange<Int>, hint: String? = nil) -> Self {
        let (least, most) = (range.lowerBound, range.upperBound)
        return Self(
            name: "whole number from \(Figures.grouped(least)) to \(Figures.grouped(most))",
            schema: #""type": "integer", "minimum": \#(least), "maximum": \#(most)"#,
            read: { value, key throws(SettingsError) in
                let number = try value.wholeNumber(key)
                guard range.contains(number) else {
                    throw .badValue(
                        value.place, key: key, problem: "\(number) is not from \(least) to \(most)",
                        hint: number < least ? hint : nil)
                }
                return number
            }, show: { "\($0)" })
    }
}

extension SettingType<Percentage> {
    static let percentage = Self(
        name: "percentage", schema: #""type": "number", "minimum": 0, "maximum": 100"#,
        read: { value, key throws(SettingsError) in try value.percentage(key) }, show: { "\($0)" })
}

extension SettingType<Percentage?> {
    static let floor = SettingType<Percentage>.percentage.optional("(none)")
    static let points = Self(name: "percentage points", schema: floor.schema, read: floor.read, show: floor.show)
}

extension SettingType<Duration> {
    private static let pattern = "^([0-9]{1,6}h)?([0-9]{1,6}m)?([0-9]{1,6}s)?$"

    static let timeLimit = Self(
        name: "time limit", schema: #""type": "string", "minLength": 2, "pattern": "\#(pattern)""#,
        read: { value, key throws(SettingsError) in try value.timeLimit(key) }, show: { $0.timeLimitDescription })
}

extension SettingType<Duration?> {
    static let timeLimitOrOff = Self(
        name: "time limit or `off`",
        schema: #""anyOf": [ { \#(SettingType<Duration>.timeLimit.schema) }, { "const": "off" }, { "const": false } ]"#,
        read: { value, key throws(SettingsError) in
            if case .scalar("off", _) = value.content { return nil }
            return try value.timeLimit(key)
        }, show: { $0?.timeLimitDescription ?? "off" })
}

extension SettingType<Duration?> {
    /// A time limit, or `0s` for no time at all; what holds where nothing is set is shown in these words.
    static func timeLimitOrNone(unset: String) -> Self {
        Self(
            name: "time limit, or `0s` for none", schema: SettingType<Duration>.timeLimit.schema,
            read: { value, key throws(SettingsError) in
                if case .scalar("0s", _) = value.content { return Duration.zero }
                return try value.timeLimit(key)
            }, show: { $0?.timeLimitDescription ?? unset })
    }
}

extension SettingType {
    /// One of several words.
    static func choice(
        _ words: [String], hint: String, read: @escaping @Sendable (String) -> Value?,
        show: @escaping @Sendable (Value) -> String
    ) -> Self {
        let quoted = words.map { "`\($0)`" }
        return Self(
            name: quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? ""),
            schema: #""enum": [ \#(words.map { "\"\($0)\"" }.joined(separator: ", ")) ]"#,
            read: { value, key throws(SettingsError) in
                let word = try value.text(key)
                guard words.contains(word), let choice = read(word) else {
                    let problem =
                        words.count == 2
                        ? "neither '\(words[0])' nor '\(words[1])'" : "none of \(words.joined(separator: ", "))"
                    throw .badValue(value.place, key: key, problem: "'\(word)' is \(problem)", hint: hint)
                }
                return choice
            }, show: show)
    }
}

extension SettingType where Value: RawRepresentable<String> {
    /// One of several words.
    static func choice(_ values: [Value], hint: String) -> Self {
        choice(values.map(\.rawValue), hint: hint, read: { Value(rawValue: $0) }, show: { $0.rawValue })
    }
}
