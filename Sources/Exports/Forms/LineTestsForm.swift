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

    /// Makes the form of an answer.
    ///
    /// - Parameters:
    ///   - line: The line that was requested, and where it was in the run.
    ///   - answer: What the map says of it; `nil` for nothing.
    ///   - name: What a function is called for readers, by its mangled name.
    public init(
        run: RunID, path: String, line: (asked: Int32, ofRun: Int32?), isExecuted: Bool, _ answer: TestMap.LineAnswer?,
        in map: TestMap, unrecorded: Int, name: (String) -> String
    ) {
        self.run = run.description
        self.path = path
        (self.line, lineOfRun) = line
        self.isExecuted = isExecuted
        recorded = map.tests.count
        self.unrecorded = unrecorded
        tests = (answer?.tests ?? []).map { TestForm($0) }
        hasOthers = answer?.hasOthers ?? false
        functions = (answer?.functions ?? []).map { FunctionTestsForm($0, in: map, name: name) }
        testsOfFunction = (answer?.testsOfFunction ?? []).map { TestForm($0) }
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

    /// Makes the form of a function.
    ///
    /// - Parameter name: What a function is called for readers, by its mangled name.
    public init(_ function: TestMap.Function, in map: TestMap, name: (String) -> String) {
        symbol = function.symbol
        self.name = name(function.symbol)
        line = function.line
        lastLine = function.lastLine
        tests = map.tests(of: function.set).map { TestForm($0) }
        hasOthers = map.sets[function.set].hasOthers
    }
}
