import Yams

/// A node of the settings file, with its place: all that the settings need of YAML.
struct YAMLValue {
    /// What a node can be.
    enum Content {
        /// A text, and whether it is written without quotes.
        case scalar(String, isPlain: Bool)
        case list([YAMLValue])
        case mapping([(key: YAMLValue, value: YAMLValue)])
    }

    let content: Content
    let place: Place

    /// Its kind in words.
    var kind: String {
        switch content {
        case .scalar("", isPlain: true): "nothing"
        case .scalar(let text, isPlain: true): "'\(text)'"
        case .scalar(let text, isPlain: false): "the text '\(text)' in quotes"
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }

    /// Whether it is empty or a word for null.
    var isNull: Bool {
        if case .scalar(let text, isPlain: true) = content { ["", "~", "null"].contains(text) } else { false }
    }
}

/// The only user of Yams: text to nodes, and its errors to errors of settings.
enum YAMLDocument {
    /// The largest text that is read.
    static let byteLimit = 1 << 20

    /// Reads the one document in `text`; `nil` when there is none.
    ///
    /// A byte order mark at its beginning is ignored, also for columns.
    static func read(_ text: String, file: String) throws(SettingsError) -> YAMLValue? {
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        try Settings.checkSize(text.utf8.count, file: file)
        try YAMLGuard.check(text, file: file)
        // The encoding is given, because the default depends on the environment. The resolver has no rules, because
        // "no" and "1:20" are texts.
        let root: Node?
        do {
            root = try compose(yaml: text, .basic, .default, .utf8)
        } catch let error as YamlError {
            throw SettingsError(error, text: text, file: file)
        } catch {
            throw .syntax(Place(file: file, line: 1, column: 1), problem: "\(error)", hint: nil)
        }
        return try root.map { node throws(SettingsError) in try value(of: node, file: file, depth: 0) }
    }

    private static func value(of node: Node, file: String, depth: Int) throws(SettingsError) -> YAMLValue {
        let place = Place(file: file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
        guard depth <= YAMLGuard.depthLimit else {
            throw .unsupported(place, what: "such deep nesting is", hint: "nest less")
        }
        switch node {
        case .scalar(let scalar):
            return YAMLValue(content: .scalar(scalar.string, isPlain: scalar.style == .plain), place: place)
        case .sequence(let sequence):
            var values: [YAMLValue] = []
            for element in sequence { values.append(try value(of: element, file: file, depth: depth + 1)) }
            return YAMLValue(content: .list(values), place: place)
        case .mapping(let mapping):
            var pairs: [(YAMLValue, YAMLValue)] = []
            for (key, element) in mapping {
                pairs.append(
                    (
                        try value(of: key, file: file, depth: depth + 1),
                        try value(of: element, file: file, depth: depth + 1)
                    )
                )
            }
            return YAMLValue(content: .mapping(pairs), place: place)
        case .alias:
            throw .unsupported(place, what: "anchors and aliases are", hint: "write the value again")
        }
    }
}

extension SettingsError {
    /// The error of the YAML parser, with its place and in plain words.
    fileprivate init(_ error: YamlError, text: String, file: String) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let place = Self.place(of: mark, in: text, file: file)
            if problem == "but found another document" {
                self = .unsupported(place, what: "a second document is", hint: "remove '---' and what follows")
            } else if Self.scalar(at: mark, in: text) == "\t" || problem.contains("tab character") {
                self = .syntax(place, problem: "a tab cannot indent", hint: "write spaces in place of the tab")
            } else {
                self = .syntax(
                    place, problem: [problem, context?.text].compactMap(\.self).joined(separator: " "), hint: nil)
            }
        case .duplicatedKeysInMapping(let keys, let context):
            let place = Place(file: file, line: context.mark.line, column: context.mark.column)
            self = .duplicateKey(place, key: keys.first ?? "")
        case .reader(let problem, let offset, _, _):
            self = .syntax(Self.place(ofCharacter: offset ?? 0, in: text, file: file), problem: problem, hint: nil)
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            self = .syntax(Place(file: file, line: 1, column: 1), problem: "\(error)", hint: nil)
        }
    }

    /// The place of a mark; at the end of the text the parser's mark is on a line that does not exist.
    private static func place(of mark: Mark, in text: String, file: String) -> Place {
        let lines = lines(of: text)
        guard mark.line > lines.count, let last = lines.last else {
            return Place(file: file, line: mark.line, column: mark.column)
        }
        return Place(file: file, line: lines.count, column: last.count + 1)
    }

    private static func place(ofCharacter offset: Int, in text: String, file: String) -> Place {
        let lines = lines(of: String(text.prefix(offset)))
        return Place(file: file, line: max(1, lines.count), column: (lines.last?.count ?? 0) + 1)
    }

    private static func scalar(at mark: Mark, in text: String) -> Unicode.Scalar? {
        let lines = lines(of: text)
        return lines.indices.contains(mark.line - 1) ? lines[mark.line - 1].dropFirst(mark.column - 1).first : nil
    }

    private static func lines(of text: String) -> [Substring.UnicodeScalarView] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
            Substring($0).unicodeScalars
        }
    }
}
