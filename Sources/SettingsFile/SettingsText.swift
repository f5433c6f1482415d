/// The text of a settings file, to which entries of lists and numbers can be written; everything else stays as it is written.
///
/// Inside of brackets all that is added stands on the line of what follows it: only the writer knows where their content may be broken
/// into lines.
public struct SettingsText: Sendable, Hashable {
    private let file: String
    /// Whether the text begins with a byte order mark.
    private let hasMark: Bool
    private let lineBreak: String
    private var lines: [String]

    /// Takes the text of a file; errors use its name.
    public init(_ text: String, file: String) {
        self.file = file
        hasMark = text.unicodeScalars.first == "\u{FEFF}"
        lineBreak = text.unicodeScalars.contains("\r") ? "\r\n" : "\n"
        // To a String, a line feed behind a carriage return is no character of its own.
        lines = text.unicodeScalars.dropFirst(hasMark ? 1 : 0).split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in String(String.UnicodeScalarView(line.last == "\r" ? line.dropLast() : line)) }
        if lines.last == "" { lines.removeLast() }
    }

    /// The text.
    public var text: String { (hasMark ? "\u{FEFF}" : "") + lines.map { $0 + lineBreak }.joined() }

    /// Adds an entry to a list: in front of its others, or with the keys that lead to it where there is none.
    ///
    /// - Parameters:
    ///   - fields: The keys and values of the entry, in their order; values are written as texts, in quotes where that is needed.
    ///   - keys: The keys that lead to the list, such as `["tests", "quarantine"]`.
    /// - Throws: What is wrong with the file, or that the list is written in a form in which nothing can be added.
    public mutating func add(_ fields: [(key: String, value: String)], to keys: [String]) throws(SettingsError) {
        var node = try YAMLDocument.read(text, file: file)
        var above: (line: Int, indentation: Int) = (lines.count, -Self.step)
        for (depth, key) in keys.enumerated() {
            guard let found = node, !found.isNull else {
                return insert(
                    Self.entry(fields, below: keys[depth...], indentation: above.indentation + Self.step), above.line)
            }
            guard case .mapping(let pairs) = found.content, !isInBrackets(found) else { throw unsupported(found, keys) }
            let indentation = found.place.column - 1
            guard let pair = pairs.first(where: { $0.key.isText(key) }) else {
                let line = depth == 0 ? lines.count : above.line
                return insert(Self.entry(fields, below: keys[depth...], indentation: indentation), line)
            }
            above = (pair.key.place.line, indentation)
            node = pair.value
        }
        guard let list = node, !list.isNull else {
            return insert(Self.entry(fields, below: [], indentation: above.indentation + Self.step), above.line)
        }
        guard case .list(let items) = list.content, let first = items.first else { throw unsupported(list, keys) }
        guard isInBrackets(list) else {
            return insert(Self.entry(fields, below: [], indentation: list.place.column - 1), list.place.line - 1)
        }
        let entry = fields.map { "\($0.key): \(Self.scalar($0.value))" }.joined(separator: ", ")
        try replace(first, "", by: "{ \(entry) }, ", keys)
    }

    /// Sets a number in a mapping: in the place of the one that is there, or before its other keys.
    ///
    /// A mapping that is not there yet stands before the others, too, since the first pattern that matches a module wins.
    ///
    /// - Parameters:
    ///   - number: The number as it is written.
    ///   - key: Its key in the mapping.
    ///   - keys: The keys that lead to the mapping, such as `["coverage", "modules", "Core"]`.
    ///   - shorthand: The key that a number stands for where the mapping could be: `95` for `{ line: 95 }`.
    ///   - previous: The key after which a mapping that is not there yet has to stand; `nil` if before all others.
    /// - Throws: What is wrong with the file, or that it is written in a form in which nothing can be set.
    public mutating func set(
        _ number: String, for key: String, in keys: [String], shorthand: String, after previous: String? = nil
    ) throws(SettingsError) {
        let path = keys + [key]
        var node = try YAMLDocument.read(text, file: file)
        var above: (line: Int, indentation: Int) = (lines.count, -Self.step)
        for (depth, name) in path.enumerated() {
            let rest = path[depth...]
            guard let found = node, !found.isNull else {
                return insert(
                    Self.setting(rest, to: number, indentation: above.indentation + Self.step), above.line)
            }
            if depth == keys.count, case .scalar(let old, isPlain: true) = found.content {
                return try replace(
                    found, old, by: name == shorthand ? number : "{ \(shorthand): \(old), \(name): \(number) }", keys)
            }
            guard case .mapping(let pairs) = found.content, let first = pairs.first else {
                throw unsupported(found, keys)
            }
            guard let pair = pairs.first(where: { $0.key.isText(name) }) else {
                let previous = depth + 1 == keys.count ? previous : nil
                let before = pairs.firstIndex { pair in previous.map { pair.key.isText($0) } ?? false }
                guard isInBrackets(found) else {
                    let below = before.map { pairs[$0].value.lastLine } ?? first.key.place.line - 1
                    let new = Self.setting(rest, to: number, indentation: found.place.column - 1)
                    return insert(new, depth == 0 ? lines.count : below)
                }
                let next = before.map { $0 + 1 } ?? 0
                let new = Self.setting(rest, to: number, indentation: 0)
                guard new.count == 1, pairs.indices.contains(next) else { throw unsupported(found, keys) }
                return try replace(pairs[next].key, "", by: new[0] + ", ", keys)
            }
            if depth == keys.count {
                guard case .scalar(let old, isPlain: true) = pair.value.content, !pair.value.isNull else {
                    throw unsupported(pair.value, keys)
                }
                return try replace(pair.value, old, by: number, keys)
            }
            above = (pair.key.place.line, found.place.column - 1)
            node = pair.value
        }
    }

    private static let step = 2

    /// The lines of an entry, below the keys that do not exist yet.
    private static func entry(
        _ fields: [(key: String, value: String)], below keys: ArraySlice<String>, indentation: Int
    ) -> [String] {
        func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
        let outer = keys.enumerated().map { blanks(indentation + $0 * step) + "\($1):" }
        let own = indentation + keys.count * step
        return outer
            + fields.enumerated().map { index, field in
                blanks(own) + (index == 0 ? "- " : "  ") + "\(field.key): \(scalar(field.value))"
            }
    }

    /// The lines that set a number, with those of its `keys` that are missing; the last one is its own.
    private static func setting(_ keys: ArraySlice<String>, to number: String, indentation: Int) -> [String] {
        let outer = keys.dropLast(2).enumerated().map {
            String(repeating: " ", count: indentation + $0 * step) + "\(scalar($1)):"
        }
        let own = String(repeating: " ", count: indentation + outer.count * step)
        let inner = keys.suffix(2).map { scalar($0) }
        return outer + [own + (inner.count == 2 ? "\(inner[0]): { \(inner[1]): \(number) }" : "\(inner[0]): \(number)")]
    }

    /// A text that YAML reads back as the same text.
    private static func scalar(_ text: String) -> String {
        let first = text.unicodeScalars.first?.properties
        let isSafe = text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || " ._-/()".unicodeScalars.contains(scalar)
        }
        if first?.isAlphabetic == true || first?.numericType != nil, isSafe, !text.hasSuffix(" "), text != "null" {
            return text
        }
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            // YAML ends lines at some of these, and refuses others.
            case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}":
                "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst()
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }

    /// Inserts lines below the line with a number, which is counted from 1; before all for 0.
    private mutating func insert(_ new: [String], _ line: Int) {
        lines.insert(contentsOf: new, at: min(line, lines.count))
    }

    /// Writes another text in the place of one that stands there without quotes.
    private mutating func replace(
        _ value: YAMLValue, _ old: String, by new: String, _ keys: [String]
    ) throws(SettingsError) {
        let (line, column) = (value.place.line - 1, value.place.column - 1)
        guard lines.indices.contains(line) else { throw unsupported(value, keys) }
        let scalars = lines[line].unicodeScalars
        let rest = scalars.dropFirst(column)
        guard rest.starts(with: old.unicodeScalars) else { throw unsupported(value, keys) }
        lines[line] =
            String(String.UnicodeScalarView(scalars.prefix(column))) + new
            + String(String.UnicodeScalarView(rest.dropFirst(old.unicodeScalars.count)))
    }

    private func isInBrackets(_ value: YAMLValue) -> Bool {
        guard lines.indices.contains(value.place.line - 1) else { return true }
        let first = lines[value.place.line - 1].unicodeScalars.dropFirst(value.place.column - 1).first
        return first == "[" || first == "{"
    }

    private func unsupported(_ value: YAMLValue, _ keys: [String]) -> SettingsError {
        .unsupported(
            value.place, what: "adding to \(value.kind) here is",
            hint: "write \(keys.joined(separator: ".")) with one entry a line, or add the entry by hand")
    }
}

extension YAMLValue {
    /// The line where its last part begins.
    fileprivate var lastLine: Int {
        switch content {
        case .scalar: place.line
        case .list(let items): items.last?.lastLine ?? place.line
        case .mapping(let pairs): pairs.last?.value.lastLine ?? place.line
        }
    }

    /// Whether it is this text.
    fileprivate func isText(_ text: String) -> Bool {
        if case .scalar(text, _) = content { true } else { false }
    }
}
