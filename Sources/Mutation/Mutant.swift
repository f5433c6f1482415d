/// A small change of a source that the tests should notice.
public struct Mutant: Sendable, Hashable, Codable {
    /// What is changed.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// The function returns at once.
        case earlyReturn = "early-return"
        /// A condition, or the answer of a function that says yes or no, is the opposite.
        case negatedCondition = "negated-condition"
        /// A number or a truth value is another one.
        case changedConstant = "changed-constant"
    }

    /// Its number, from 1; no other mutant of the same build has it.
    public var number: Int
    /// What is changed.
    public var kind: Kind
    /// The source, relative to the package.
    public var path: String
    /// The line, counted from 1.
    public var line: Int
    /// The place on the line, in bytes counted from 1.
    public var column: Int
    /// The line as it is, without the space around it.
    public var text: String
    /// The function around it, such as `find(_:in:)`.
    public var function: String
    /// The lines of that function.
    public var functionLines: ClosedRange<Int>
    /// The text that is changed; for an early return the name of the function.
    public var original: String
    /// What it is changed to.
    public var replacement: String
    /// Whether the line is one that the change touches, and not only its function.
    public var isOnChangedLine: Bool
    /// Whether a closure of several lines ends before it on its line. For the compiler that line belongs to the closure, so which tests
    /// execute the mutant is not told by the line. Not encoded: only the choice of tests asks for it.
    public var isBehindClosure = false

    private enum CodingKeys: String, CodingKey {
        case number, kind, path, line, column, text, function, functionLines, original, replacement, isOnChangedLine
    }

    package init(
        number: Int, kind: Kind, path: String, line: Int, column: Int = 1, text: String = "", function: String,
        functionLines: ClosedRange<Int>,
        original: String, replacement: String, isOnChangedLine: Bool = true
    ) {
        self.number = number
        self.kind = kind
        self.path = path
        self.line = line
        self.column = column
        self.text = text
        self.function = function
        self.functionLines = functionLines
        self.original = original
        self.replacement = replacement
        self.isOnChangedLine = isOnChangedLine
    }
}

/// A mutant, and the texts that have to be inserted for it.
struct MutationPoint: Sendable, Hashable {
    /// A text before the byte at an offset.
    struct Insertion: Sendable, Hashable {
        var offset: Int
        var text: String
        /// Whether it ends something that began before, so that it comes before what begins at the same place.
        var isEnd = false
    }

    var mutant: Mutant
    /// Written with `MutationPoint.number` where the number of the mutant belongs.
    var insertions: [Insertion]

    /// Stands for the number of the mutant.
    static let number = "\u{0}"
}
