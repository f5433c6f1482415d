/// A source of a test target or of one that helps it, as far as a look at its text tells what it declares.
public struct TestSource: Sendable, Hashable {
    /// A declaration, or what stands between two of them.
    public struct Part: Sendable, Hashable {
        /// What it is.
        public enum Kind: Sendable, Hashable {
            /// A function, an initialiser or a subscript, with its attributes and its body.
            case function
            /// The head of a type or an extension, without its members.
            case type
            /// A property, or anything else that is no function.
            case other
        }

        /// What it is.
        public var kind: Kind
        /// What it declares, without backticks and parameters; empty for what has no name.
        public var names: [Name]
        /// The types around it, joined by `/`; of a type itself, with it. Empty at the top of the file.
        public var suite: Name
        /// Its lines, counted from 1.
        public var lines: ClosedRange<Int>
        /// The last line of a type with its members; of anything else its own.
        public var lastLine: Int
        /// The words in it.
        public var words: Set<Name>

        package init(
            _ kind: Kind, names: [Name], suite: Name, lines: ClosedRange<Int>, lastLine: Int? = nil, words: Set<Name>
        ) {
            (self.kind, self.names, self.suite, self.lines) = (kind, names, suite, lines)
            (self.lastLine, self.words) = (lastLine ?? lines.upperBound, words)
        }
    }

    /// Relative to the package.
    public var path: String
    /// The test target, as the compiler names it, also where the source is of a helper.
    public var module: String
    /// What it declares, in the order of the source; `nil` where it cannot be read.
    public var parts: [Part]?
    /// Whether it is of another target, whose functions are no tests: one that helps the tests of this one.
    public var isOfHelper = false

    package init(path: String, module: String, parts: [Part]?) {
        (self.path, self.module, self.parts) = (path, module, parts)
    }
}
