/// A part of an executed line that was not executed.
public struct MissedPart: Sendable, Hashable {
    /// The line, counted from 1.
    public let line: Int32
    /// The first byte of the part within its line (UTF-8), counted from 1.
    public let start: Int32
    /// The byte after it; `nil` at the end of the line.
    public let end: Int32?

    /// Makes a part of a line.
    public init(line: Int32, start: Int32, end: Int32?) {
        self.line = line
        self.start = start
        self.end = end
    }
}

/// A function of a source file, as the compiler made it: a closure is one of its own.
public struct SourceFunction: Sendable, Hashable {
    /// The readable name, or the symbol if it is unknown; untrusted text.
    public let name: String
    /// Where it begins; counted from 1, columns in bytes.
    public let line: Int32, column: Int32
    /// Where it ends.
    public let endLine: Int32, endColumn: Int32

    /// Makes a function from its parts.
    public init(name: String, line: Int32, column: Int32, endLine: Int32, endColumn: Int32) {
        self.name = name
        self.line = line
        self.column = column
        self.endLine = endLine
        self.endColumn = endColumn
    }

    /// Its first to its last line.
    public var lines: ClosedRange<Int> { Int(line)...Int(max(line, endLine)) }

    /// Whether it makes the initial value of a property or a global.
    public var isInitialValue: Bool { Self.isInitialValue(name) }

    /// Whether a function makes the initial value of a property (`vpfi`) or of a global (`WZ`), by its readable name or its symbol.
    public static func isInitialValue(_ name: String) -> Bool {
        ["variable initialization expression of ", "one-time initialization function for "].contains(
            where: name.hasPrefix)
            || ["vpfi", "WZ"].contains(where: name.hasSuffix)
    }

    /// Whether it is inside of another function, like a closure.
    func isInside(of other: SourceFunction) -> Bool {
        (other.line, other.column) <= (line, column) && (endLine, endColumn) <= (other.endLine, other.endColumn)
    }
}

/// The parts of a file that were not executed, in more detail than lines.
public struct UnexecutedCode: Sendable, Hashable {
    /// Unexecuted parts of executed lines, in ascending order.
    public var parts: [MissedPart]
    /// The functions that were never called, by their start; `nil` if they were not recorded one by one.
    public var functions: [SourceFunction]?

    package init(parts: [MissedPart] = [], functions: [SourceFunction]? = nil) {
        (self.parts, self.functions) = (parts, functions)
    }

    /// How many lines were partly executed.
    public var partialLines: Int { Set(parts.map(\.line)).count }

    /// The uncalled functions that are in no other uncalled function, each with the number of uncalled ones inside of it.
    public var outermostFunctions: [(function: SourceFunction, inside: Int)] {
        var found: [(function: SourceFunction, inside: Int)] = []
        for function in functions ?? [] {
            if let last = found.last, function.isInside(of: last.function) {
                found[found.count - 1].inside += 1
            } else {
                found.append((function, 0))
            }
        }
        return found
    }
}
