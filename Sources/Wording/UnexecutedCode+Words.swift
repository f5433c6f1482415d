public import RunModel

extension UnattributedFile.Kind {
    /// What the file is: `of a test target`.
    public var words: String {
        switch self {
        case .test: "of a test target"
        case .dependency: "of another package"
        case .generated: "made by the build or a plugin"
        case .notMeasured: "of a target that is not measured"
        case .unknown: "of no target that is known"
        }
    }
}

extension MissedPart {
    /// Line and columns as editors count them: `12:14–26`, `12:14–` to the end of the line.
    ///
    /// - Parameter text: The line, to convert bytes to characters; without it columns are bytes.
    public func words(in text: String?) -> String {
        let columns = text.map { characters(in: $0) }
        let first = columns?.lowerBound ?? Int(start)
        guard let end else { return "\(line):\(first)–" }
        let last = (columns?.upperBound ?? Int(end)) - 1
        return first == last ? "\(line):\(first)" : "\(line):\(first)–\(last)"
    }

    /// The characters of the part in its line, counted from 1.
    ///
    /// A part that begins or ends within a character includes all of it, because the columns of an editor are
    /// characters. A tab is one character.
    public func characters(in text: String) -> Range<Int> {
        var first: Int?
        var behind = 1
        var byte: Int32 = 1
        for (index, character) in text.enumerated() {
            let next = byte + Int32(clamping: character.utf8.count)
            if first == nil, next > start { first = index + 1 }
            if end.map({ byte < $0 }) ?? true { behind = index + 2 }
            byte = next
        }
        let lower = first ?? text.count + 1
        return lower..<max(lower, behind)
    }
}

extension UnexecutedCode {
    /// `3 functions never called, 4 lines executed in part`; `nil` if all of it was executed, or if it is unknown.
    public var summary: String? {
        let functions = self.functions?.count ?? 0
        let words =
            (functions > 0 ? ["\(Figures.counted(functions, "function")) never called"] : [])
            + (partialLines > 0 ? ["\(Figures.counted(partialLines, "line")) executed in part"] : [])
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}

extension UncalledFunction {
    /// `lines 12–20 twice(_:)`, with the closures in it counted; untrusted text.
    public func words(inside: Int) -> String {
        name + (inside > 0 ? " and \(Figures.counted(inside, "closure")) in it" : "")
    }
}
