import RunModel

/// One function of the made-up package: when it came, and how far the tests reach.
struct DemoFunction: Sendable {
    /// How many of its lines the tests execute.
    enum Reach: Sendable {
        /// All.
        case whole
        /// All but the lines that handle an error.
        case happy
        /// None.
        case none
    }

    let name: String
    /// The change that it came with, counted from 0.
    var since = 0
    var reach = Reach.whole
    /// The change from which on all of it is executed.
    var testedSince: Int?
}

/// One source file of the made-up package, as it is after each change.
struct DemoFile: Sendable {
    let module: String
    let name: String
    let functions: [DemoFunction]

    var path: String { "Sources/\(module)/\(name).swift" }

    /// The text after a change, and the executable lines with how often the tests executed them.
    func state(at change: Int) -> (lines: [String], counts: [LineCount], functions: CoverageTally) {
        var lines = ["/// What \(module) knows about \(name).", "public struct \(name): Sendable, Hashable {"]
        var counts: [LineCount] = []
        var tally = CoverageTally()
        for function in present(at: change) {
            let reach = function.testedSince.map { change >= $0 } == true ? .whole : function.reach
            tally.total += 1
            if reach != .none { tally.covered += 1 }
            let calls = UInt64(1 + Noise.number(function.name, below: 900))
            lines.append("")
            lines.append("    /// Answers `\(function.name)`; a fault is thrown and never guessed away.")
            for (offset, line) in Self.body(of: function.name).enumerated() {
                lines.append(line)
                let isFault = (2...3).contains(offset)
                let isMissed = reach == .none || (isFault && reach == .happy)
                let count = isMissed ? 0 : isFault ? 1 + calls / 40 : calls
                counts.append(LineCount(line: Int32(lines.count), count: ExecutionCount(count)))
            }
        }
        lines.append("}")
        return (lines, counts, tally)
    }

    /// The lines that came between two changes; functions are only ever added, each behind those before.
    func difference(from base: Int, to head: Int) -> FileChange? {
        let before = state(at: base).lines.count
        let after = state(at: head).lines.count
        guard after > before, !present(at: head).isEmpty else { return nil }
        guard !present(at: base).isEmpty else {
            return FileChange(path: path, basePath: nil, changes: [ChangedLines(base: 1..<1, head: 1..<(after + 1))])
        }
        return FileChange(
            path: path, basePath: path,
            changes: [ChangedLines(base: before..<before, head: before..<after)])
    }

    /// Whether the file is there after a change.
    func exists(at change: Int) -> Bool { !present(at: change).isEmpty }

    private func present(at change: Int) -> [DemoFunction] { functions.filter { $0.since <= change } }

    /// Seven lines, all of them executable; the third and fourth handle an error.
    private static func body(of name: String) -> [String] {
        let value = name.first.map { $0.isNumber } == true ? "value" : name
        let statements = [
            "        let parts = input.split(separator: \"/\").map(String.init)",
            "        let scaled = (input.width * input.height).roundedUp(toMultipleOf: 16)",
            "        let words = input.text.precomposedStringWithCanonicalMapping  // 「か゛」も「が」",
            "        let remaining = max(0, input.limit - input.used)",
        ]
        let last = ["parts.last ?? input.name", "Answer(scaled)", "words.count", "remaining"]
        let kind = Noise.number(name, below: statements.count)
        return [
            "    public func \(value)(_ input: Input) throws(Fault) -> Answer {",
            "        guard input.isWellFormed else {",
            "            throw .malformed(input.name)",
            "        }",
            statements[kind],
            "        return \(last[kind])",
            "    }",
        ]
    }
}
