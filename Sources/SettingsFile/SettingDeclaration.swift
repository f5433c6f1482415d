import RunModel

/// A setting, declared in one place: the parser, `config show`, the JSON schema and the reference are made of it.
struct SettingDeclaration: Sendable {
    /// The path of the key, such as `tests.minimum`; for what the file cannot set, its name.
    let key: String
    /// The type of its value, for the reference.
    let type: String
    /// The default, for the reference; empty for a section.
    let preset: String
    /// What it does, in one sentence or more, for the reference; the first is the description in the schema.
    let meaning: String
    /// Members of its JSON schema, beyond those that follow from the rest of the declaration.
    var schema = ""
    /// Whether it can be set in the file.
    var isInFile = true
    /// Whether it holds other settings.
    var isSection = false
    /// For a section that may be a percentage, the name of the key that this sets.
    var shorthand: String?
    /// Whether a section without the key of the shorthand is an error.
    var needsShorthand = false
    /// The variable that outranks the file.
    var variable: String?
    /// The flag that outranks the variable.
    var flag: String?
    /// Takes a value of the file; the key is for errors.
    var read: @Sendable (YAMLValue, _ key: String, inout Settings) throws(SettingsError) -> Void = { _, _, _ in }
    /// The lines of `config show`.
    var entries: @Sendable (Settings) -> [SettingsEntry] = { _ in [] }
    /// Puts the variable over the file, and the flag over both.
    var override: @Sendable (inout Settings, [String: String], SettingsFlags) throws(SettingsError) -> Void =
        { _, _, _ in }

    /// The key as it is written in its section.
    var name: String { key.split(separator: ".").last.map(String.init) ?? key }
    /// The path of the section that it is in; empty at the top.
    var section: String { key.split(separator: ".").dropLast().joined(separator: ".") }
}

extension SettingDeclaration {
    typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable

    static func section(
        _ key: String, _ meaning: String, shorthand: String? = nil, needsShorthand: Bool = false
    ) -> Self {
        Self(
            key: key, type: shorthand == nil ? "mapping" : "percentage or mapping",
            preset: shorthand == nil ? "" : "off",
            meaning: meaning, isSection: true, shorthand: shorthand, needsShorthand: needsShorthand)
    }

    /// A single value.
    ///
    /// - Parameters:
    ///   - preset: The default in the reference, where the value itself does not say it.
    ///   - flag: The name of the flag, and its value.
    static func value<Value: Sendable & Hashable>(
        _ key: String, _ path: Path<Setting<Value>>, _ type: SettingType<Value>, preset: String? = nil,
        isInFile: Bool = true, variable: String? = nil,
        flag: (name: String, value: @Sendable (SettingsFlags) -> Value?)? = nil, _ meaning: String
    ) -> Self {
        let standard = type.show(Settings()[keyPath: path].value)
        // A default that is no plain value is described in words, which are no JSON.
        let schema = preset == nil ? #", "default": \#(json(standard))"# : ""
        return Self(
            key: key, type: type.name, preset: preset ?? "`\(standard)`", meaning: meaning,
            schema: type.schema + schema, isInFile: isInFile, variable: variable, flag: flag?.name,
            read: { value, key, settings throws(SettingsError) in
                settings[keyPath: path] = Setting(try type.read(value, key), from: .file(value.place))
            },
            entries: { settings in
                let setting = settings[keyPath: path]
                return [SettingsEntry(key: key, value: type.show(setting.value), origin: setting.origin)]
            },
            override: { settings, variables, flags throws(SettingsError) in
                if let variable, let text = variables[variable], !text.isEmpty {
                    let value = YAMLValue(variable: text, of: variable)
                    do throws(SettingsError) {
                        settings[keyPath: path] = Setting(try type.read(value, key), from: .environment(variable))
                    } catch {
                        throw error.named(variable, text)
                    }
                }
                if let flag, let value = flag.value(flags) {
                    settings[keyPath: path] = Setting(value, from: .flag(flag.name))
                }
            })
    }

    /// A list of values.
    ///
    /// - Parameters:
    ///   - unique: What no two entries may have in common.
    ///   - item: The name of an entry, by which a gate change finds its place.
    static func list<Value: Sendable & Hashable>(
        _ key: String, _ path: Path<[Setting<Value>]>, _ type: SettingType<Value>, of items: String,
        unique: @escaping @Sendable (Value) -> String? = { _ in nil },
        item: @escaping @Sendable (Value) -> String? = { _ in nil },
        flag: (name: String, value: @Sendable (SettingsFlags) -> [Value]?)? = nil, _ meaning: String
    ) -> Self {
        Self(
            key: key, type: "list of \(items)", preset: "none", meaning: meaning,
            schema: #""type": ["array", "null"], "items": { \#(type.schema) }, "default": []"#, flag: flag?.name,
            read: { value, key, settings throws(SettingsError) in
                for element in try value.list(key) {
                    let read = try type.read(element, key)
                    let others = settings[keyPath: path].compactMap { unique($0.value) }
                    if let name = unique(read), others.contains(where: { Name($0) == Name(name) }) {
                        throw .duplicateKey(element.place, key: "\(key): \(name)")
                    }
                    settings[keyPath: path].append(Setting(read, from: .file(element.place)))
                }
            },
            entries: { settings in
                let entries = settings[keyPath: path].map {
                    SettingsEntry(key: key, item: item($0.value), value: type.show($0.value), origin: $0.origin)
                }
                return entries.isEmpty ? [SettingsEntry(key: key, value: "(none)", origin: .builtIn)] : entries
            },
            override: { settings, _, flags throws(SettingsError) in
                guard let flag, let values = flag.value(flags) else { return }
                settings[keyPath: path] = values.map { Setting($0, from: .flag(flag.name)) }
            })
    }

    /// A mapping of names to values, each a line of its own in `config show`.
    static func mapping<Value: Sendable & Hashable>(
        _ key: String, _ path: Path<[Setting<Value>]>, of items: String, preset: String = "none",
        unset: String = "(none)", schema: String, name: @escaping @Sendable (Value) -> String,
        show: @escaping @Sendable (Value) -> String,
        read: @escaping @Sendable (_ name: String, YAMLValue, _ key: String) throws(SettingsError) -> Value,
        _ meaning: String
    ) -> Self {
        Self(
            key: key, type: "mapping of \(items)", preset: preset, meaning: meaning,
            schema: #""type": ["object", "null"], "additionalProperties": { \#(schema) }"#,
            read: { value, key, settings throws(SettingsError) in
                for (nameNode, value) in try value.pairs(key, expected: "a mapping of \(items)") {
                    let name = try nameNode.text(key)
                    let entry = try read(name, value, "\(key).\(name)")
                    settings[keyPath: path].append(Setting(entry, from: .file(nameNode.place)))
                }
            },
            entries: { settings in
                let entries = settings[keyPath: path].map {
                    SettingsEntry(key: "\(key).\(name($0.value))", value: show($0.value), origin: $0.origin)
                }
                return entries.isEmpty ? [SettingsEntry(key: key, value: unset, origin: .builtIn)] : entries
            })
    }

    /// A word of the file as JSON.
    private static func json(_ word: String) -> String {
        Int(word) != nil || word == "true" || word == "false" ? word : "\"\(word)\""
    }
}

extension YAMLValue {
    /// The value of a variable, which knows no quotes.
    fileprivate init(variable text: String, of name: String) {
        self.init(
            content: .scalar(text, isPlain: Int(text) != nil), place: Place(file: name, line: 1, column: 1))
    }
}

extension SettingsError {
    /// The same error about a variable.
    fileprivate func named(_ variable: String, _ text: String) -> SettingsError {
        switch self {
        case .badValue(_, _, let problem, let hint): .badEnvironment(name: variable, problem: problem, hint: hint)
        case .wrongType(_, _, let expected, _, _):
            .badEnvironment(name: variable, problem: "'\(text)' is not \(expected)", hint: nil)
        default: self
        }
    }
}
