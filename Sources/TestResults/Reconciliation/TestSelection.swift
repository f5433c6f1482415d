import Foundation
import RunModel

/// The tests that a pass was to run, from its record or from the arguments of its test steps.
struct TestSelection {
    /// Whether XCTest was to run.
    private(set) var runsXCTest = true
    /// Whether Swift Testing was to run.
    private(set) var runsSwiftTesting = true
    private var filters: [String] = []
    private var skips: [String] = []
    private var specifiers: [String]?
    private let tests: Set<TestID>?

    /// Reads what was requested.
    ///
    /// - Parameter isCutShort: Whether a time limit ended the pass, so that not all of its processes were started.
    init(_ steps: [RunStep], engine: Engine, tests: [TestID]?, isCutShort: Bool = false) {
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
                specifiers = (specifiers ?? []) + words.split(separator: ",").map(String.init)
            }
        }
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

    /// Whether an XCTest case was requested. SwiftPM searches `Module.Class/method` with the same expressions.
    func includes(xctest id: TestID) -> Bool {
        if let isWanted = includes(id) { return isWanted }
        guard isPartial else { return true }
        let text = id.specifier
        let className = "\(id.module).\(id.suite.replacing("/", with: "."))"
        let wanted: Set = [Name(text), Name(className)]
        if let specifiers, !specifiers.contains(where: { wanted.contains(Name($0)) }) { return false }
        func matches(_ pattern: String) -> Bool { text.range(of: pattern, options: .regularExpression) != nil }
        return (filters.isEmpty || filters.contains(where: matches)) && !skips.contains(where: matches)
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
