import Mutation
public import RunModel

extension TestSource {
    /// Looks at the text of a source: what it declares and where, not what it means. Both sides of `#if` are read.
    ///
    /// - Parameters:
    ///   - path: Relative to the package.
    ///   - module: The test target, as the compiler names it.
    ///   - bytes: The text; one in which a string, a comment or a brace does not end has no parts that are known.
    public init(path: String, module: String, reading bytes: [UInt8]) {
        self.init(path: path, module: module, parts: nil)
        guard let tokens = SwiftTokens(bytes, in: bytes.indices) else { return }
        var reader = TestSourceReader(bytes, tokens)
        parts = reader.read()
    }
}

/// Walks through the declarations of a source; bodies of functions are passed over as a whole.
private struct TestSourceReader {
    private let bytes: [UInt8]
    private let tokens: SwiftTokens
    /// The lines on which each token begins and ends.
    private let starts: [Int], ends: [Int]
    private var place = 0
    private var parts: [TestSource.Part] = []
    /// The types whose braces are open: the part of each, and its name with those around it.
    private var open: [(part: Int, suite: String)] = []
    /// Where the attributes and modifiers of the next declaration begin.
    private var begin: Int?
    /// What stands between declarations and is none of them.
    private var loose: [Int] = []

    init(_ bytes: [UInt8], _ tokens: SwiftTokens) {
        self.bytes = bytes
        self.tokens = tokens
        var (starts, ends): ([Int], [Int]) = ([], [])
        var (line, offset) = (1, 0)
        func advance(to end: Int) {
            while offset < end {
                if bytes[offset] == UInt8(ascii: "\n") { line += 1 }
                offset += 1
            }
        }
        for token in tokens.tokens {
            advance(to: token.range.lowerBound)
            starts.append(line)
            advance(to: token.range.upperBound)
            ends.append(line)
        }
        (self.starts, self.ends) = (starts, ends)
    }

    private var count: Int { tokens.tokens.count }

    /// The parts in the order of the source; `nil` where braces do not match.
    mutating func read() -> [TestSource.Part]? {
        while place < count { guard readMember() else { return nil } }
        flush()
        guard open.isEmpty else { return nil }
        return parts.sorted { ($0.lines.lowerBound, $0.lines.upperBound) < ($1.lines.lowerBound, $1.lines.upperBound) }
    }

    // MARK: Tokens

    private func word(_ index: Int) -> String? {
        guard index < count, tokens.tokens[index].kind == .word else { return nil }
        return tokens.text(tokens.tokens[index])
    }

    private func isSign(_ sign: Character, _ index: Int) -> Bool {
        index < count && tokens.isSign(tokens.tokens[index], sign)
    }

    /// 1 for an opening bracket, -1 for a closing one; braces are none.
    private func depth(_ index: Int) -> Int {
        if isSign("(", index) || isSign("[", index) { return 1 }
        return isSign(")", index) || isSign("]", index) ? -1 : 0
    }

    /// The place behind the brackets that open here; the same place where none do.
    private func behindBrackets(_ index: Int) -> Int {
        var (next, depth) = (index, 0)
        guard self.depth(next) == 1 else { return index }
        while next < count {
            depth += self.depth(next)
            next += 1
            if depth == 0 { break }
        }
        return next
    }

    /// The place of the brace that closes the one that opens here; `nil` if none does.
    private func closing(_ index: Int) -> Int? {
        var depth = 0
        for next in index..<count {
            if isSign("{", next) { depth += 1 }
            if isSign("}", next) {
                depth -= 1
                if depth == 0 { return next }
            }
        }
        return nil
    }

    /// The name that begins here, without backticks, and the place behind it; one in backticks may have blanks.
    private func name(_ index: Int) -> (name: String, next: Int)? {
        guard let first = word(index) else { return nil }
        guard first.hasPrefix("`") else { return (first, index + 1) }
        for next in index..<min(index + 200, count) {
            let text = tokens.text(tokens.tokens[next])
            guard text.hasSuffix("`"), next > index || text.utf8.count > 1 else { continue }
            let range = tokens.tokens[index].range.lowerBound..<tokens.tokens[next].range.upperBound
            return (String(decoding: bytes[range].filter { $0 != UInt8(ascii: "`") }, as: UTF8.self), next + 1)
        }
        return nil
    }

    // MARK: Declarations

    private static let modifiers: Set = [
        "public", "private", "internal", "fileprivate", "package", "open", "static", "final", "override", "mutating",
        "nonmutating", "nonisolated", "isolated", "lazy", "weak", "unowned", "dynamic", "optional", "required",
        "convenience", "indirect", "prefix", "postfix", "infix", "consuming", "borrowing", "distributed",
    ]
    private static let types: Set = ["struct", "class", "enum", "actor", "extension", "protocol"]
    private static let functions: Set = ["func", "init", "deinit", "subscript"]
    private static let members = modifiers.union(types).union(functions).union([
        "var", "let", "case", "typealias", "associatedtype", "import", "operator", "precedencegroup", "macro",
    ])

    /// Reads one declaration, or a part of something else; `false` where braces do not match.
    private mutating func readMember() -> Bool {
        if isSign("}", place) { return close() }
        if isSign("@", place) {
            begin = begin ?? place
            place += 1
            while word(place) != nil {
                place += 1
                guard isSign(".", place) else { break }
                place += 1
            }
            place = behindBrackets(place)
            return true
        }
        // Signs are those of macros and conditions.
        guard let first = word(place) else { return addLoose() }
        if first == "class", let second = word(place + 1), second != "init", Self.members.contains(second) {
            return addModifier()
        }
        if Self.modifiers.contains(first) { return addModifier() }
        if Self.functions.contains(first) { return readFunction(first) }
        // A property may be called like one of them.
        if Self.types.contains(first), name(place + 1) != nil { return readType() }
        if first == "var" || first == "let" { return readProperty() }
        guard first == "import" else { return addLoose() }
        let line = starts[place]
        while place < count, starts[place] == line { place += 1 }
        begin = nil
        return true
    }

    private mutating func addModifier() -> Bool {
        begin = begin ?? place
        place = behindBrackets(place + 1)
        return true
    }

    private mutating func addLoose() -> Bool {
        loose += (begin ?? place)...place
        begin = nil
        place += 1
        return true
    }

    private mutating func close() -> Bool {
        flush()
        guard let type = open.popLast() else { return false }
        parts[type.part].lastLine = ends[place]
        begin = nil
        place += 1
        return true
    }

    /// Makes a part of what stands between declarations.
    private mutating func flush() {
        guard let first = loose.first, let last = loose.last else { return }
        add(.other, [], first...last)
        loose = []
    }

    @discardableResult
    private mutating func add(
        _ kind: TestSource.Part.Kind, _ names: [String], _ range: ClosedRange<Int>, suite: String? = nil
    ) -> Int {
        var words: Set<Name> = []
        for index in range {
            let token = tokens.tokens[index]
            switch token.kind {
            case .word: words.insert(Name(tokens.text(token).replacing("`", with: "")))
            // The code of an interpolation is a part of the string.
            case .text:
                words.formUnion(
                    tokens.text(token).split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { Name($0) })
            case .number, .sign: break
            }
        }
        parts.append(
            TestSource.Part(
                kind, names: names.map { Name($0) }, suite: Name(suite ?? open.last?.suite ?? ""),
                lines: starts[range.lowerBound]...ends[range.upperBound], words: words))
        return parts.count - 1
    }

    private mutating func readFunction(_ keyword: String) -> Bool {
        flush()
        let first = begin ?? place
        var next = place + 1
        var names = [keyword]
        if keyword == "func" {
            let found = name(next)
            names = found.map { [$0.name] } ?? []
            next = found?.next ?? next
        }
        var last = max(place, next - 1)
        var depth = 0
        while next < count {
            depth += self.depth(next)
            if depth == 0, isSign("{", next) {
                guard let end = closing(next) else { return false }
                last = end
                break
            }
            // A requirement of a protocol has no body: the next member begins on a line of its own.
            let isMember = isSign("@", next) || word(next).map(Self.members.contains) == true
            if depth == 0, isSign("}", next) || isMember && starts[next] > ends[last] { break }
            last = next
            next += 1
        }
        add(.function, names, first...last)
        begin = nil
        place = last + 1
        return true
    }

    private mutating func readType() -> Bool {
        flush()
        let first = begin ?? place
        var steps: [String] = []
        var next = place + 1
        while let step = name(next) {
            steps.append(step.name)
            next = step.next
            guard isSign(".", next) else { break }
            next += 1
        }
        while next < count, !isSign("{", next) {
            if isSign("}", next) { return addLoose() }
            next += 1
        }
        guard next < count, let last = steps.last else { return false }
        let around = open.last.map { "\($0.suite)/" } ?? ""
        let suite = around + steps.joined(separator: "/")
        let part = add(.type, [last], first...next, suite: suite)
        open.append((part, suite))
        begin = nil
        place = next + 1
        return true
    }

    /// Signs that cannot end a declaration, and those that cannot begin one.
    private static let leading: Set<Character> = ["=", ",", ":", "+", "-", "*", "/", "&", "|", "<", "?", ".", "(", "["]
    private static let following: Set<Character> = ["=", ",", ":", "+", "-", "*", "/", "&", "|", "<", "?", ".", "{"]

    private mutating func readProperty() -> Bool {
        flush()
        let first = begin ?? place
        let names = name(place + 1).map { [$0.name] } ?? []
        var last = place
        var next = place + 1
        var depth = 0
        while next < count {
            if depth == 0 {
                if isSign("}", next) { break }
                let isOpen = Self.leading.contains { isSign($0, last) } || Self.following.contains { isSign($0, next) }
                if starts[next] > ends[last], !isOpen { break }
            }
            if isSign("{", next) {
                guard let end = closing(next) else { return false }
                (last, next) = (end, end + 1)
                continue
            }
            depth += self.depth(next)
            last = next
            next += 1
        }
        add(.other, names, first...last)
        begin = nil
        place = last + 1
        return true
    }
}
