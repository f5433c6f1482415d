/// Which tests execute which code of a run.
///
/// It has the functions of the package's own targets that were executed. Tests that ran beside others in the same process are not
/// in it, because nothing is known of each of them alone.
public struct TestMap: Sendable, Hashable {
    /// Tests that execute the same code.
    public struct TestSet: Sendable, Hashable {
        /// Positions in `TestMap.tests`, ascending.
        public var tests: [Int32]
        /// Whether code outside of any test executes it, such as what a class sets up once for all of its tests.
        public var hasOthers: Bool

        /// Makes a set from its parts.
        public init(tests: [Int32], hasOthers: Bool = false) {
            self.tests = tests
            self.hasOthers = hasOthers
        }
    }

    /// Consecutive lines that the same tests execute.
    public struct Span: Sendable, Hashable {
        /// The first line, counted from 1.
        public var first: Int32
        /// The last line.
        public var last: Int32
        /// The position in `TestMap.sets`.
        public var set: Int

        /// Makes a span from its parts.
        public init(first: Int32, last: Int32, set: Int) {
            self.first = first
            self.last = last
            self.set = set
        }
    }

    /// A function that was executed.
    public struct Function: Sendable, Hashable {
        /// The mangled name, which is the same as long as module, name and types are the same.
        public var symbol: String
        /// The first line, counted from 1.
        public var line: Int32
        /// The last line.
        public var lastLine: Int32
        /// The position in `TestMap.sets` of the tests that execute any of it.
        public var set: Int
        /// Its executed lines, ascending; without those of functions inside of it, such as closures.
        public var spans: [Span]

        /// All of its lines, executed or not.
        public var lines: ClosedRange<Int> { Int(line)...Int(lastLine) }

        /// Makes a function from its parts.
        public init(symbol: String, line: Int32, lastLine: Int32, set: Int, spans: [Span]) {
            self.symbol = symbol
            self.line = line
            self.lastLine = lastLine
            self.set = set
            self.spans = spans
        }
    }

    /// A source with executed functions.
    public struct File: Sendable, Hashable {
        /// Relative to the package.
        public var path: String
        /// By their first line.
        public var functions: [Function]

        /// Makes a file from its parts.
        public init(path: String, functions: [Function]) {
            self.path = path
            self.functions = functions
        }
    }

    /// The tests that were recorded, sorted.
    public var tests: [TestID]
    /// Each set of tests once.
    public var sets: [TestSet]
    /// The sources, by the bytes of their paths.
    public var files: [File]
    /// The durations of tests that ran one at a time only to be recorded: among others, the duration of a test of Swift Testing
    /// includes its waiting for them. Those of all other tests are in their results.
    public var durations: [TestID: Duration]

    package init(tests: [TestID], sets: [TestSet], files: [File], durations: [TestID: Duration] = [:]) {
        self.tests = tests
        self.sets = sets
        self.files = files
        self.durations = durations
    }
}
