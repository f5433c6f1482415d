import RunModel

/// The tests that a pass was to run, from its record or from the arguments of its test steps.
struct TestSelection {
    /// Whether XCTest was to run.
    private(set) var runsXCTest = true
    /// Whether Swift Testing was to run.
    private(set) var runsSwiftTesting = true
    private let filters: [TestNamePattern]
    private let skips: [TestNamePattern]
    private var specifiers: Set<Name>?
    private let tests: Set<TestID>?

    /// How many scalars of names are compared with parts of expressions at most.
    private static let mostWork = 1 << 28

    /// Reads what was requested.
    ///
    /// - Parameter isCutShort: Whether a time limit ended the pass, so that not all of its processes were started.
    init(_ steps: [RunStep], engine: Engine, tests: [TestID]?, isCutShort: Bool = false) {
        var (filters, skips): ([String], [String]) = ([], [])
        self.tests = tests.map(Set.init)
        if tests?.isEmpty == true { (runsXCTest, runsSwiftTesting) = (false, false) }
        for step in steps where step.kind == .test {
            var arguments = step.arguments.dropFirst()[...]
            while let argument = arguments.popFirst() {
                switch argument {
                case "--filter": if let pattern = arguments.popFirst() { filters.append(pattern) }
                case "--skip": if let pattern = arguments.popFirst() { skips.append(pattern) }
                case "--disable-xctest": runsXCTest = false
                case "--disable-swift-testing": runsSwiftTesting = false
                case _ where argument.hasPrefix("--filter="): filters.append(String(argument.dropFirst(9)))
                case _ where argument.hasPrefix("--skip="): skips.append(String(argument.dropFirst(7)))
                default: break
                }
            }
            if engine == .direct, step.library == .xctest, let words = step.arguments.dropFirst().first,
                !words.hasPrefix("-")
            {
                specifiers = (specifiers ?? []).union(words.split(separator: ",").map { Name($0) })
            }
        }
        // Where the tests are recorded, the expressions are not needed: there is one for each.
        self.filters = tests == nil ? filters.map { TestNamePattern($0) } : []
        self.skips = tests == nil ? skips.map { TestNamePattern($0) } : []
        // A pass that was never begun has no steps to tell; its tests are missed anyway, whatever the engine.
        if engine == .direct, !steps.isEmpty {
            runsXCTest = steps.contains { $0.kind == .test && $0.library != .swiftTesting }
            // Its process is the second: where the first was ended, it was requested anyway.
            runsSwiftTesting = isCutShort || steps.contains { $0.kind == .test && $0.library != .xctest }
        }
    }

    /// Whether only some tests were requested.
    var isPartial: Bool { tests != nil || !filters.isEmpty || !skips.isEmpty || specifiers != nil }

    /// Whether a test was requested; `nil` when only the arguments of the steps tell, which the libraries read for
    /// themselves.
    func includes(_ id: TestID) -> Bool? { tests?.contains(id) }

    /// Those of listed XCTest cases that were requested. SwiftPM searches `Module.Class/method` with the same expressions.
    ///
    /// Where it is not certain what an expression finds, the test is expected: a test that did not run is then missed, and never overlooked.
    func requested(xctest listed: [TestID]) -> [TestID] {
        var work = 0
        return listed.filter { includes(xctest: $0, &work) }
    }

    private func includes(xctest id: TestID, _ work: inout Int) -> Bool {
        if let isWanted = includes(id) { return isWanted }
        guard isPartial else { return true }
        let text = id.specifier
        let className = "\(id.module).\(id.suite.replacing("/", with: "."))"
        if let specifiers, !specifiers.contains(Name(text)), !specifiers.contains(Name(className)) { return false }
        work += (text.utf8.count + 1) * (filters + skips).reduce(0) { $0 + $1.size }
        guard work <= Self.mostWork else { return true }
        return (filters.isEmpty || filters.contains { $0.matches(text) ?? true })
            && !skips.contains { $0.matches(text) ?? false }
    }
}

extension RunStep {
    /// The library that a step of the direct engine ran; `nil` for a step that ran both.
    var library: TestingLibrary? {
        guard kind == .test, let place = arguments.firstIndex(of: "--testing-library") else {
            return arguments.first.map(TestProgram.isNamed) == true ? .xctest : nil
        }
        return arguments.dropFirst(place + 1).first == "swift-testing" ? .swiftTesting : .xctest
    }
}
