import Foundation
import RunModel

/// Finds the mutants of the functions of a source that a change touches.
struct MutationFinder {
    private let path: String
    private let source: [UInt8]
    private let tree: SyntaxTree
    private let changed: [Range<Int>]
    /// Where each line begins.
    private let lines: [Int]
    private var points: [MutationPoint] = []

    /// - Parameter changed: The changed lines, counted from 1; an empty range at a place where lines were removed.
    init(path: String, source: [UInt8], tree: SyntaxTree, changed: [Range<Int>]) {
        self.path = path
        self.source = source
        self.tree = tree
        self.changed = changed
        lines = [0] + source.indices.filter { source[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    /// The mutants, without numbers, in the order of the text.
    func find() -> [MutationPoint] {
        var finder = self
        for (index, function) in tree.functions.enumerated() { finder.look(at: function, index) }
        return finder.points.sorted { $0.insertions[0].offset < $1.insertions[0].offset }
    }

    private mutating func look(at function: SyntaxTree.Function, _ index: Int) {
        let lines = lines(of: function)
        guard !function.isInlined, isChanged(index),
            let tokens = SwiftTokens(source, in: function.body.lowerBound + 1..<function.body.upperBound - 1),
            // What the compiler leaves out is not in its tree.
            !tokens.tokens.contains(where: { tokens.isSign($0, "#") && isConditional($0) })
        else { return }
        returnEarly(function, tokens, lines)
        negate(function, index, tokens, lines)
        changeConstants(function, index, tokens, lines)
    }

    // MARK: The three kinds

    private mutating func returnEarly(
        _ function: SyntaxTree.Function, _ tokens: SwiftTokens, _ lines: ClosedRange<Int>
    ) {
        let value: String
        switch function.result {
        case .nothing: value = ""
        case .literal(let text): value = " " + text
        case .truth, .other: return
        }
        let returned = "return\(value)"
        // What returns that anyway is no other function.
        let body = tokens.tokens.map(tokens.text).joined()
        guard body != "return" + value.dropFirst(), body != value.dropFirst() else { return }
        // Neither is one that does nothing but what no test can notice.
        let idle = tokens.idle
        let isIdle = { (token: SwiftTokens.Token) in idle.contains { $0.contains(token.range.lowerBound) } }
        guard tokens.tokens.isEmpty || !tokens.tokens.allSatisfy(isIdle) else { return }
        let hasReturn = tokens.tokens.contains { tokens.text($0) == "return" }
        guard hasReturn || !function.mayBeBuilt else { return }
        var insertions = [
            MutationPoint.Insertion(
                offset: function.body.lowerBound + 1,
                text: " if \(Switch.returns)(\(MutationPoint.number)) { \(returned) }; ")
        ]
        if function.result != .nothing, let first = tokens.tokens.first {
            // A second statement takes from the first that its value is returned.
            if function.isBranch, !hasReturn { return }
            if function.isExpression { insertions.append(.init(offset: first.range.lowerBound, text: "return ")) }
        }
        add(.earlyReturn, function, lines, at: function.body.lowerBound, function.name, returned, insertions)
    }

    private mutating func negate(
        _ function: SyntaxTree.Function, _ index: Int, _ tokens: SwiftTokens, _ lines: ClosedRange<Int>
    ) {
        for statement in tree.conditions where isOwn(statement.start, of: index) {
            let start = statement.start + statement.keyword.utf8.count
            guard source[statement.start..<min(start, source.count)].elementsEqual(statement.keyword.utf8),
                start < statement.body,
                let found = SwiftTokens(source, in: start..<statement.body), !found.hasComments
            else { continue }
            var parts = found.parts
            if statement.keyword == "guard", let last = parts.last {
                guard let word = found.tokens.last, found.text(word) == "else", last.lowerBound < word.range.lowerBound,
                    let before = found.tokens.dropLast().last
                else { continue }
                parts[parts.count - 1] = last.lowerBound..<before.range.upperBound
            }
            guard parts.count == statement.areExpressions.count else { continue }
            for (part, isExpression) in zip(parts, statement.areExpressions) where isExpression {
                negate(part, function, lines)
            }
        }
        guard function.result == .truth else { return }
        let body = function.body
        if function.isExpression {
            guard let first = tokens.tokens.first, let last = tokens.tokens.last,
                let found = SwiftTokens(source, in: first.range.lowerBound..<last.range.upperBound), !found.hasComments
            else { return }
            negate(first.range.lowerBound..<last.range.upperBound, function, lines)
        }
        for statement in tree.returns where isOwn(statement.range.lowerBound, of: index) {
            // The tree has the beginning of the last token.
            // What a closure returns is not known.
            guard
                !tree.closures.contains(where: {
                    body.contains($0.lowerBound) && $0.contains(statement.range.lowerBound)
                }),
                let last = tokens.tokens.first(where: { $0.range.lowerBound == statement.range.upperBound - 1 }),
                let first = tokens.tokens.first(where: { $0.range.lowerBound > statement.range.lowerBound }),
                let found = SwiftTokens(source, in: first.range.lowerBound..<last.range.upperBound), !found.hasComments
            else { continue }
            negate(first.range.lowerBound..<last.range.upperBound, function, lines)
        }
    }

    private mutating func negate(_ part: Range<Int>, _ function: SyntaxTree.Function, _ lines: ClosedRange<Int>) {
        let text = String(decoding: source[part], as: UTF8.self)
        // As constants these are changed already.
        guard text != "true", text != "false" else { return }
        add(
            .negatedCondition, function, lines, at: part.lowerBound, text, "!(\(text))",
            [
                .init(offset: part.lowerBound, text: "\(Switch.negated)(\(MutationPoint.number), "),
                .init(offset: part.upperBound, text: ")", isEnd: true),
            ])
    }

    private mutating func changeConstants(
        _ function: SyntaxTree.Function, _ index: Int, _ tokens: SwiftTokens, _ lines: ClosedRange<Int>
    ) {
        let patterns = patterns(in: tokens)
        let idle = tokens.idle
        var argumentsEnd = 0
        for (place, token) in tokens.tokens.enumerated() {
            // What stands behind `@available` or in a macro is no value.
            if tokens.isSign(token, "@") || tokens.isSign(token, "#") { argumentsEnd = endOfArguments(place, tokens) }
            guard place >= argumentsEnd, isOwn(token.range.lowerBound, of: index),
                !patterns.contains(where: { $0.contains(token.range.lowerBound) }),
                !idle.contains(where: { $0.contains(token.range.lowerBound) }),
                !isMember(place, tokens), let changed = Self.other(than: tokens.text(token), token.kind)
            else { continue }
            add(
                .changedConstant, function, lines, at: token.range.lowerBound, tokens.text(token), changed,
                [
                    .init(offset: token.range.lowerBound, text: "\(Switch.changed)(\(MutationPoint.number), "),
                    .init(offset: token.range.upperBound, text: ", \(changed))", isEnd: true),
                ])
        }
    }

    /// Another value of a literal; `nil` for what is none, or is written in a way that is rarely a plain value.
    private static func other(than text: String, _ kind: SwiftTokens.Token.Kind) -> String? {
        switch (kind, text) {
        case (.word, "true"): return "false"
        case (.word, "false"): return "true"
        case (.number, "1"): return "0"
        case (.number, _):
            if text.utf8.count <= 9, let number = Int(text) { return String(number + 1) }
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].utf8.count <= 9, let whole = Int(parts[0]), Int(parts[1]) != nil else {
                return nil
            }
            return "\(whole + 1).\(parts[1])"
        default: return nil
        }
    }

    // MARK: Places

    private func line(_ offset: Int) -> Int {
        var (low, high) = (0, lines.count)
        while low < high {
            let middle = (low + high) / 2
            if lines[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func text(ofLine line: Int) -> String {
        let end = line < lines.count ? lines[line] - 1 : source.count
        return String(decoding: source[lines[line - 1]..<end], as: UTF8.self).trimmingCharacters(in: .whitespaces)
    }

    private func touches(_ lines: ClosedRange<Int>) -> Bool {
        FileChange(path: path, basePath: nil, changes: changed.map { ChangedLines(base: 0..<0, head: $0) }).touches(
            lines)
    }

    /// The functions that lie in another one.
    private func functions(in index: Int) -> [SyntaxTree.Function] {
        let own = tree.functions[index].range
        return tree.functions[(index + 1)...].filter { own.contains($0.range.lowerBound) }
    }

    /// Whether a place lies in a function, and in none inside of it.
    private func isOwn(_ offset: Int, of index: Int) -> Bool {
        tree.functions[index].body.contains(offset) && !functions(in: index).contains { $0.range.contains(offset) }
    }

    private func lines(of function: SyntaxTree.Function) -> ClosedRange<Int> {
        line(function.range.lowerBound)...line(function.range.upperBound - 1)
    }

    /// Whether a line of a function is changed that lies in no function inside of it.
    private func isChanged(_ index: Int) -> Bool {
        let own = lines(of: tree.functions[index])
        guard touches(own) else { return false }
        let inside = functions(in: index).map { lines(of: $0) }
        return own.contains { line in touches(line...line) && !inside.contains { $0.contains(line) } }
            || inside.isEmpty
    }

    /// Where the labels of cases stand, from `case` to the colon.
    private func patterns(in tokens: SwiftTokens) -> [Range<Int>] {
        tree.caseLabels.compactMap { start in
            guard let first = tokens.tokens.firstIndex(where: { $0.range.lowerBound == start }) else { return nil }
            var depth = 0
            for token in tokens.tokens[first...] {
                // A `catch` may have no pattern.
                if depth == 0, tokens.isSign(token, ":") || tokens.isSign(token, "{") {
                    return start..<token.range.upperBound
                }
                depth += SwiftTokens.depth(of: token, in: source)
            }
            return nil
        }
    }

    /// Whether a number names a part of a tuple, and is no end of a range.
    private func isMember(_ place: Int, _ tokens: SwiftTokens) -> Bool {
        guard place > 0, tokens.isSign(tokens.tokens[place - 1], ".") else { return false }
        return place < 2 || !tokens.isSign(tokens.tokens[place - 2], ".")
    }

    private func isConditional(_ token: SwiftTokens.Token) -> Bool {
        source[token.range.upperBound...].starts(with: "endif".utf8)
    }

    /// The token behind the arguments of an attribute or macro.
    private func endOfArguments(_ place: Int, _ tokens: SwiftTokens) -> Int {
        var next = place + 2
        guard next < tokens.tokens.count, tokens.isSign(tokens.tokens[next], "(") else { return next }
        var depth = 0
        repeat {
            depth += SwiftTokens.depth(of: tokens.tokens[next], in: source)
            next += 1
        } while depth > 0 && next < tokens.tokens.count
        return next
    }

    private mutating func add(
        _ kind: Mutant.Kind, _ function: SyntaxTree.Function, _ lines: ClosedRange<Int>, at offset: Int,
        _ original: String, _ replacement: String, _ insertions: [MutationPoint.Insertion]
    ) {
        let line = line(offset)
        var mutant = Mutant(
            number: 0, kind: kind, path: path, line: line, column: offset - self.lines[line - 1] + 1,
            text: text(ofLine: line), function: function.name, functionLines: lines,
            original: original, replacement: replacement, isOnChangedLine: touches(line...line))
        mutant.isBehindClosure = tree.closures.contains { closure in
            closure.upperBound <= offset && self.line(closure.upperBound - 1) == line
                && self.line(closure.lowerBound) < line
        }
        points.append(MutationPoint(mutant: mutant, insertions: insertions))
    }
}
