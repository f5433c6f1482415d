import Foundation
import RunModel
import TestResults

// The tests that there are, as the programs with them say.

extension RunExecution {
    /// Asks the binary for its tests, both libraries at once. A list that is none becomes a note, and the answer is `nil`.
    ///
    /// - Parameter ownMain: The package's own main, if it has one: such a one may know nothing of Swift Testing.
    mutating func list(
        _ invocation: TestInvocation, ownMain: String? = nil, _ modules: [Module] = []
    ) async throws(RunnerError) -> DiscoveredTests? {
        progress(.began(.list))
        let commands = [invocation.listXCTest, invocation.listSwiftTesting]
        let limits = Supervision.Limits(run: min(.seconds(20), timeLeft), grace: .seconds(1))
        let captured = [CapturedOutput(), CapturedOutput(limit: 1 << 20)]
        let processes = commands.map {
            ChildProcess($0, limits: limits, mergesStreams: false, isolation: isolation)
        }
        async let first = processes[0].run(captured[0])
        async let second = processes[1].run(captured[1])
        let outcomes: [ChildOutcome]
        do {
            outcomes = [try await first, try await second]
        } catch {
            // The binary is not where SwiftPM's native build system puts it; `swift test` will find it.
            notes.append(Note(.listUnavailable, subject: invocation.testBinary, detail: "\(error)"))
            progress(.ended(.list, .zero))
            return nil
        }
        for (command, outcome) in zip(commands, outcomes) { record(.list, command, outcome) }
        // Whoever ends the run does not want to hear about lists.
        if isCancelled { return nil }
        let xctest = try keepXCTestList(captured[0], outcomes[0])
        let isListed = FileManager.default.fileExists(atPath: files.swiftTestingList)
        let swiftTesting =
            if let ownMain, !isListed, outcomes[1].termination != .exited(69), !outcomes[1].wasTimedOut {
                try listWithoutSwiftTesting(main: ownMain, modules)
            } else {
                try keepSwiftTestingList(outcomes[1], of: invocation.testBinary)
            }
        progress(.discovered((xctest?.entries.count ?? 0) + (swiftTesting?.entries.count ?? 0)))
        progress(.ended(.list, outcomes.map(\.duration).max() ?? .zero))
        guard let xctest, let swiftTesting else { return nil }
        return xctest + swiftTesting
    }

    private mutating func keepXCTestList(
        _ captured: CapturedOutput,
        _ outcome: ChildOutcome
    ) throws(RunnerError) -> DiscoveredTests? {
        let output = captured.output
        guard outcome.termination.isSuccess, !captured.isCut,
            let list = try? DiscoveredTests(xctestList: Array(output), swiftTestingList: nil)
        else {
            notes.append(Note(.listUnavailable, subject: "XCTest", detail: Self.whyNoList(outcome)))
            return nil
        }
        try onFileSystem("write", files.xctestList) {
            try output.write(to: URL(filePath: files.xctestList), options: .withoutOverwriting)
        }
        return list
    }

    private mutating func keepSwiftTestingList(
        _ outcome: ChildOutcome, of binary: String
    ) throws(RunnerError) -> DiscoveredTests? {
        if hasNoSwiftTests(outcome, of: binary) {
            try removeIfPresent(files.swiftTestingList)
            return DiscoveredTests()
        }
        let bytes = FileManager.default.contents(atPath: files.swiftTestingList)
        guard outcome.termination.isSuccess, let bytes,
            let list = try? DiscoveredTests(xctestList: nil, swiftTestingList: Array(bytes))
        else {
            try removeIfPresent(files.swiftTestingList)
            notes.append(Note(.listUnavailable, subject: "Swift Testing", detail: Self.whyNoList(outcome)))
            return nil
        }
        return list
    }

    /// Whether a program says that it has no tests of Swift Testing, which is 69. Any code of the package may end it so: then the records
    /// that the compiler made of its tests contradict it.
    private mutating func hasNoSwiftTests(_ outcome: ChildOutcome, of binary: String) -> Bool {
        guard outcome.termination == .exited(69) else { return false }
        let size = ObjectSections.size(of: "swift5_tests", inFileAt: binary)
        if size == 0 { return true }
        let known = size == nil ? "whether it has none cannot be seen" : "has some"
        gaps.append(
            Gap(
                .listUnavailable, subject: "Swift Testing",
                detail: "the program exits with 69, as one without tests does, and \(known)"))
        return true
    }

    private static func whyNoList(_ outcome: ChildOutcome) -> String {
        if outcome.wasTimedOut { return "it did not end after listing its tests" }
        switch outcome.termination {
        case .exited(0): return "it did not print a list"
        case .exited(let status): return "it exited with status \(status)"
        case .signaled(let signal): return "signal \(signal) ended it"
        }
    }

    /// Asks each runner for its tests, and keeps their lists as one. Where one has no list, the tests of all run without.
    mutating func list(_ invocation: inout TestInvocation) async throws(RunnerError) -> DiscoveredTests? {
        guard var products = invocation.products else { return nil }
        var lists = RunnerLists()
        progress(.began(.list))
        let begin = clock.now
        for (number, runner) in products.runners.enumerated() where !isCancelled {
            let file = "\(files.work)/list-\(number + 1).jsonl"
            let xctest = CapturedOutput()
            let limit = min(.seconds(20), timeLeft)
            let first = try await step(.list, invocation.listXCTest(of: runner.path), limit: limit, xctest)
            let second = try await step(
                .list, invocation.listSwiftTesting(of: runner.path, into: file), limit: limit,
                CapturedOutput(limit: 1 << 20))
            // Whoever ends the run does not want to hear about lists.
            if isCancelled { return nil }
            if !first.termination.isSuccess || xctest.isCut || !lists.add(xctest: xctest.output, of: runner.path) {
                lists.isWhole = false
                notes.append(Note(.listUnavailable, subject: runner.module, detail: Self.whyNoList(first)))
            }
            if hasNoSwiftTests(second, of: runner.path) { continue }
            let bytes = FileManager.default.contents(atPath: file)
            if !second.termination.isSuccess || !lists.add(swiftTesting: bytes, of: runner.path) {
                lists.isWhole = false
                notes.append(Note(.listUnavailable, subject: runner.module, detail: Self.whyNoList(second)))
            }
        }
        progress(.ended(.list, clock.now - begin))
        guard lists.isWhole, let tests = lists.tests else { return nil }
        products.owners = lists.owners
        invocation.products = products
        try onFileSystem("write", files.xctestList) {
            try lists.xctestFile().write(to: URL(filePath: files.xctestList), options: .withoutOverwriting)
        }
        if !lists.swiftTesting.isEmpty {
            try onFileSystem("write", files.swiftTestingList) {
                try lists.swiftTesting.write(
                    to: URL(filePath: files.swiftTestingList), options: .withoutOverwriting)
            }
        }
        progress(.discovered(tests.entries.count))
        return tests
    }
}

/// The lists of several runners, put together. A test that several have, as one of a library that each contains, is the first's.
struct RunnerLists: Sendable, Hashable {
    /// Whether each runner has listed its tests.
    var isWhole = true
    /// The runner of each test, by the name that its library gives it.
    private(set) var owners: [Name: String] = [:]
    /// What Swift Testing listed, each line once.
    private(set) var swiftTesting = Data()
    private var lines: Set<Data> = []
    private var xctest: [DiscoveredTests.Entry] = []

    /// Adds a list of XCTest; returns whether it is one.
    mutating func add(xctest list: Data, of runner: String) -> Bool {
        guard let found = try? DiscoveredTests(xctestList: Array(list), swiftTestingList: nil) else { return false }
        for test in found.entries where owners[Name(test.name)] == nil {
            owners[Name(test.name)] = runner
            xctest.append(test)
        }
        return true
    }

    /// Adds a list of Swift Testing; returns whether it is one.
    mutating func add(swiftTesting list: Data?, of runner: String) -> Bool {
        guard let list, let found = try? DiscoveredTests(xctestList: nil, swiftTestingList: Array(list)) else {
            return false
        }
        for test in found.entries where owners[Name(test.name)] == nil { owners[Name(test.name)] = runner }
        for line in list.split(separator: UInt8(ascii: "\n")) where lines.insert(Data(line)).inserted {
            swiftTesting += line + [UInt8(ascii: "\n")]
        }
        return true
    }

    /// All tests, XCTest's first; `nil` where what was put together is no list.
    var tests: DiscoveredTests? {
        let list = swiftTesting.isEmpty ? nil : Array(swiftTesting)
        return (try? DiscoveredTests(xctestList: nil, swiftTestingList: list)).map {
            DiscoveredTests(entries: xctest) + $0
        }
    }

    /// The cases of XCTest as one program would list them.
    func xctestFile() throws -> Data {
        struct Node: Encodable {
            var name: String
            var tests: [Node]?
        }
        var classes: [Node] = []
        for test in xctest {
            let parts = test.name.split(separator: "/", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            if classes.last.map({ Name($0.name) == Name(parts[0]) }) != true {
                classes.append(Node(name: parts[0], tests: []))
            }
            classes[classes.count - 1].tests?.append(Node(name: parts[1]))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(
            Node(name: "All tests", tests: [Node(name: "runners", tests: classes)]))
    }
}
