import Gate
import RunModel

/// Reads sections by the declarations of the settings; a key that none declares is an error.
enum SettingsReader {
    /// Reads a section; `nil` is the file itself.
    static func read(
        _ value: YAMLValue, _ section: SettingDeclaration? = nil, into settings: inout Settings
    ) throws(SettingsError) {
        guard !value.isNull else { return }
        let path = section?.key ?? ""
        let known = SettingDeclaration.all.filter { $0.isInFile && $0.section == path }
        let shorthand = known.first { $0.key == section?.shorthand }
        if let shorthand, case .scalar = value.content { return try shorthand.read(value, path, &settings) }
        var found: Set<String> = []
        for (key, value) in try value.pairs(
            path.isEmpty ? "the file" : path, expected: "a mapping of keys to values")
        {
            let name = try key.text(path.isEmpty ? "a key" : "a key in \(path)")
            guard let setting = known.first(where: { Name($0.name) == Name(name) }) else {
                throw .unknownKey(key.place, section: path, key: name, known: known.map(\.name))
            }
            found.insert(setting.key)
            if setting.isSection {
                try read(value, setting, into: &settings)
            } else {
                try setting.read(value, setting.key, &settings)
            }
        }
        if section?.needsShorthand == true, let shorthand, !found.contains(shorthand.key) {
            throw .badValue(value.place, key: path, problem: "sets no floor", hint: "write { line: 90 } or remove it")
        }
    }
}

/// One line of `config show`.
public struct SettingsEntry: Sendable, Hashable {
    /// The path of the key, such as `tests.timeouts.run`.
    public let key: String
    /// The name of an entry of a list, where it has one.
    let item: String?
    /// The value in the words of the file; in parentheses, what holds where no value is set.
    public var value: String
    /// Where it came from.
    public let origin: Origin

    init(key: String, item: String? = nil, value: String, origin: Origin) {
        self.key = key
        self.item = item
        self.value = value
        self.origin = origin
    }
}

extension Settings {
    /// Every value with its key and its origin, in the order of the reference.
    public func described() -> [SettingsEntry] { SettingDeclaration.all.flatMap { $0.entries(self) } }

    /// The places of all keys that the file sets.
    var places: [SettingsPlace] {
        let set = described().compactMap { entry -> SettingsPlace? in
            guard case .file(let place) = entry.origin else { return nil }
            return SettingsPlace(key: entry.item.map { "\(entry.key).\($0)" } ?? entry.key, place: place.description)
        }
        // A key that has a short form is also found under the name of its section.
        let short = SettingDeclaration.all.compactMap { section in
            set.first { $0.key == section.shorthand }.map { SettingsPlace(key: section.key, place: $0.place) }
        }
        return set + short
    }
}
