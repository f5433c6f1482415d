public import RunModel

/// The tests that execute a line, as far as they were recorded, for programs.
public struct LineTestsForm: Sendable, Hashable, Codable {
    let run: String
    let path: String
    /// The line that was requested, counted from 1.
    let line: Int32
    /// Where it was in the run, which is elsewhere if the file has changed since; left out where the run did not have it.
    let lineOfRun: Int32?
    /// Whether the run executed the line, whoever did.
    let isExecuted: Bool
    /// Whether the line has code, unlike a comment; left out where the run did not measure the file.
    let isExecutable: Bool?
    /// How many tests it is recorded of what they execute.
    let recorded: Int
    /// How many ran of which it is not.
    let unrecorded: Int
    let tests: [TestForm]
    /// Whether code outside of any test executes it.
    let hasOthers: Bool
    /// The functions around it, the innermost last.
    let functions: [FunctionTestsForm]
    /// The tests that execute the innermost of them.
    let testsOfFunction: [TestForm]
    /// How many entries the lists do without, in an answer of a server that would be too large with them.
    let leftOut: LeftOut?

    /// How many more there are of what; 0 is absent.
    struct LeftOut: Hashable, Codable {
        let tests: Int?
        let functions: Int?
        let testsOfFunction: Int?
    }

    /// Makes the form of an answer.
    ///
    /// - Parameters:
    ///   - line: The line that was requested, and where it was in the run.
    ///   - answer: What the map says of it; `nil` for nothing.
    ///   - most: How many tests each list has at most, the first, and how many functions there are, the innermost.
    ///   - name: What a function is called for readers, by its mangled name.
    public init(
        run: RunID, path: String, line: (asked: Int32, ofRun: Int32?), isExecuted: Bool, isExecutable: Bool? = nil,
        _ answer: TestMap.LineAnswer?, in map: TestMap, unrecorded: Int,
        most: (tests: Int, functions: Int) = (.max, .max), name: (String) -> String
    ) {
        self.run = run.description
        self.path = path
        (self.line, lineOfRun) = line
        self.isExecuted = isExecuted
        self.isExecutable = isExecutable
        recorded = map.tests.count
        self.unrecorded = unrecorded
        let (found, around) = (answer?.tests ?? [], answer?.functions ?? [])
        let ofFunction = answer?.testsOfFunction ?? []
        tests = found.prefix(most.tests).map { TestForm($0) }
        hasOthers = answer?.hasOthers ?? false
        functions = around.suffix(most.functions).map {
            FunctionTestsForm($0, in: map, most: most.tests, name: name)
        }
        testsOfFunction = ofFunction.prefix(most.tests).map { TestForm($0) }
        let counts = [(found.count, most.tests), (around.count, most.functions), (ofFunction.count, most.tests)]
        let rests = counts.map { count, most in count > most ? count - most : nil }
        leftOut =
            rests.allSatisfy { $0 == nil }
            ? nil : LeftOut(tests: rests[0], functions: rests[1], testsOfFunction: rests[2])
    }
}

/// A function that a run executed, and the tests that did, for programs.
public struct FunctionTestsForm: Sendable, Hashable, Codable {
    /// The mangled name.
    let symbol: String
    let name: String
    let line: Int32
    let lastLine: Int32
    let tests: [TestForm]
    /// Whether code outside of any test executes it.
    let hasOthers: Bool
    /// How many more tests there are; left out where all are in `tests`.
    let testsLeftOut: Int?

    /// Makes the form of a function.
    ///
    /// - Parameters:
    ///   - most: How many tests it has at most, the first.
    ///   - name: What a function is called for readers, by its mangled name.
    public init(_ function: TestMap.Function, in map: TestMap, most: Int = .max, name: (String) -> String) {
        symbol = function.symbol
        self.name = name(function.symbol)
        line = function.line
        lastLine = function.lastLine
        let set = map.sets[function.set]
        tests = set.tests.prefix(most).map { TestForm(map.tests[Int($0)]) }
        hasOthers = set.hasOthers
        testsLeftOut = set.tests.count > most ? set.tests.count - most : nil
    }
}
