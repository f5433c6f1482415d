/// A regular expression in Go's notation, that costs a time which its length and that of the text determine.
///
/// All places that a text can have led to are followed at once (Thompson, 1968), and nothing is ever taken back. Refused are flags of
/// groups, `\b`, `\p`, `\Q`, `[[:alpha:]]` and characters by their number.
package struct LinearExpression: Sendable {
    enum Step: Sendable {
        case scalar(UInt32)
        /// Any scalar but a line feed.
        case anyOfLine
        /// Ranges in ascending order that do not touch.
        case set([ClosedRange<UInt32>], isNegated: Bool)
        /// Goes on at both places.
        case split(Int, Int)
        /// The beginning of the text.
        case start
        /// The end of the text.
        case end
        case match
    }

    private let steps: [Step]

    /// How much it is to follow.
    package var size: Int { steps.count }

    /// Reads an expression.
    package init(_ text: String) throws(ExpressionFault) {
        var parser = ExpressionParser(text)
        var compiler = ExpressionCompiler()
        try compiler.emit(try parser.whole())
        steps = compiler.steps + [.match]
    }

    /// Whether any part of a text matches.
    package func matches(_ text: String) -> Bool {
        let scalars = text.unicodeScalars.map(\.value)
        // By step: where in the text it was reached last.
        var reached = Array(repeating: -1, count: steps.count)
        var waiting: [Int] = []
        var next: [Int] = []
        for position in 0...scalars.count {
            waiting.removeAll(keepingCapacity: true)
            // A match may begin anywhere.
            next.append(0)
            while let place = next.popLast() {
                guard reached[place] != position else { continue }
                reached[place] = position
                switch steps[place] {
                case .match: return true
                case .split(let one, let other): next += [one, other]
                case .start: if position == 0 { next.append(place + 1) }
                case .end: if position == scalars.count { next.append(place + 1) }
                case .scalar, .anyOfLine, .set: waiting.append(place)
                }
            }
            guard position < scalars.count else { break }
            for place in waiting where steps[place].takes(scalars[position]) { next.append(place + 1) }
        }
        return false
    }
}

extension LinearExpression.Step {
    /// Whether it leads over a scalar.
    fileprivate func takes(_ scalar: UInt32) -> Bool {
        switch self {
        case .scalar(let own): own == scalar
        case .anyOfLine: scalar != 0x0A
        case .set(let ranges, let isNegated): Self.isIn(ranges, scalar) != isNegated
        case .split, .start, .end, .match: false
        }
    }

    private static func isIn(_ ranges: [ClosedRange<UInt32>], _ scalar: UInt32) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(scalar)
    }
}

/// Why an expression is not understood.
package struct ExpressionFault: Error, Hashable {
    /// In words, of a pattern; may hold untrusted text.
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// A regular expression in its parts.
indirect enum ExpressionNode {
    case scalar(UInt32)
    case anyOfLine
    case set([ClosedRange<UInt32>], isNegated: Bool)
    case start
    case end
    case sequence([ExpressionNode])
    case choice([ExpressionNode])
    case repeated(ExpressionNode, least: Int, most: Int?)
}

/// Makes steps of parts.
private struct ExpressionCompiler {
    private(set) var steps: [LinearExpression.Step] = []
    private var work = 0

    /// How many steps an expression has at most.
    private static let mostSteps = 4096
    /// Parts without a step may be repeated, too: how often they are looked at is limited.
    private static let mostWork = 16 * mostSteps

    mutating func emit(_ node: ExpressionNode) throws(ExpressionFault) {
        work += 1
        guard steps.count < Self.mostSteps, work <= Self.mostWork else {
            throw ExpressionFault("its pattern repeats too much")
        }
        switch node {
        case .scalar(let scalar): steps.append(.scalar(scalar))
        case .anyOfLine: steps.append(.anyOfLine)
        case .set(let ranges, let isNegated): steps.append(.set(ranges, isNegated: isNegated))
        case .start: steps.append(.start)
        case .end: steps.append(.end)
        case .sequence(let nodes): for node in nodes { try emit(node) }
        case .choice(let nodes): try emit(choice: nodes)
        case .repeated(let node, let least, let most): try emit(node, least: least, most: most)
        }
    }

    private mutating func emit(choice nodes: [ExpressionNode]) throws(ExpressionFault) {
        var ends: [Int] = []
        for (index, node) in nodes.enumerated() {
            guard index < nodes.count - 1 else {
                try emit(node)
                break
            }
            let split = open()
            try emit(node)
            ends.append(open())
            steps[split] = .split(split + 1, steps.count)
        }
        for end in ends { steps[end] = .split(steps.count, steps.count) }
    }

    private mutating func emit(_ node: ExpressionNode, least: Int, most: Int?) throws(ExpressionFault) {
        for _ in 0..<least { try emit(node) }
        guard let most else {
            let split = open()
            try emit(node)
            steps.append(.split(split, split))
            steps[split] = .split(split + 1, steps.count)
            return
        }
        var splits: [Int] = []
        for _ in least..<max(least, most) {
            splits.append(open())
            try emit(node)
        }
        for split in splits { steps[split] = .split(split + 1, steps.count) }
    }

    /// Adds a step whose places are not known yet.
    private mutating func open() -> Int {
        steps.append(.match)
        return steps.count - 1
    }
}
