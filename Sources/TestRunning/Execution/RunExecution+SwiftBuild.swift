import Evidence
import Foundation
import RunModel

// Swift Build makes a library and a runner for each test target, and not one program with all tests.

extension RunExecution {
    /// Builds with Swift Build, always from nothing: what its earlier builds have left is not looked into.
    mutating func buildBySwiftBuild(
        _ invocation: TestInvocation, _ log: TranscriptFile
    ) async throws(RunnerError) -> Bool {
        progress(.began(.build))
        var outcome = try await buildByPreview(invocation, log)
        var (duration, builds) = (outcome.duration, 1)
        // It says nothing about the package, and the next one begins with nothing as well.
        while case .signaled(let signal) = outcome.termination, outcome.cause == nil, builds < Self.mostBuilds {
            let note = Note(
                .buildSystemFailed, subject: BuildSystem.swiftbuild.rawValue,
                detail: "signal \(signal) ended Swift Build, which was started again")
            if !notes.contains(note) { notes.append(note) }
            forgetLastStep()
            log.clear()
            outcome = try await buildByPreview(invocation, log)
            duration += outcome.duration
            builds += 1
        }
        outcome.duration = duration
        noteWhatWasCut(try log.finish(), RunFiles.Name.buildLog)
        if outcome.wasTimedOut { timedOut("the build", outcome) }
        guard outcome.termination.isSuccess, outcome.cause == nil else {
            if outcome.cause == nil, let reason = whySwiftBuildFailed(outcome) {
                gaps.append(Gap(.buildSystemFailed, subject: BuildSystem.swiftbuild.rawValue, detail: reason))
            }
            progress(.buildFailed(outcome.duration))
            return false
        }
        progress(.ended(.build, outcome.duration))
        return true
    }

    /// How often a build is made that a signal ends: Swift 6.3.1 has been seen to crash in one build of ten.
    private static let mostBuilds = 3

    private mutating func buildByPreview(
        _ invocation: TestInvocation, _ log: TranscriptFile
    ) async throws(RunnerError) -> ChildOutcome {
        try removeIfPresent("\(request.scratchPath)/out")
        return try await step(
            .build, invocation.build, mergesStreams: true, BuildWatcher(log: log, progress: progress))
    }

    /// Why Swift Build itself failed, and not what it built; `nil` where it names an error of a source or of the package.
    private func whySwiftBuildFailed(_ outcome: ChildOutcome) -> String? {
        if case .signaled(let signal) = outcome.termination { return "signal \(signal) ended Swift Build" }
        let log = FileManager.default.contents(atPath: files.buildLog) ?? Data()
        return SwiftBuildLog(String(decoding: log, as: UTF8.self)).failure
    }

    /// Finds what Swift Build has made, and says which test targets have no runner; `nil` where SwiftPM's own build system built.
    mutating func findProducts(
        of package: PackageDescription, _ invocation: TestInvocation
    ) async throws(RunnerError) -> BuiltFolder? {
        guard request.options.buildSystem == .swiftbuild else { return nil }
        let captured = CapturedOutput(limit: 1 << 16)
        let outcome = try await step(.describe, invocation.findProducts, captured)
        let lines = String(decoding: captured.output, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard outcome.termination.isSuccess, let path = lines.last(where: { $0.hasPrefix("/") }) else {
            if !isCancelled {
                let said = captured.errorText.trimmingCharacters(in: .whitespacesAndNewlines)
                gaps.append(
                    Gap(.testsNotRun, detail: "SwiftPM does not say where its products are: \(said.prefix(500))"))
            }
            return BuiltFolder(path: "", modules: [])
        }
        let found = BuiltFolder(path: String(path), modules: package.modules)
        for name in found.missing where !selection.disabledTargets.contains(where: { Name($0) == Name(name) }) {
            gaps.append(
                Gap(
                    .testsNotRun, subject: name,
                    detail: "Swift Build made no \(name)\(BuiltFolder.runnerSuffix) with a library beside it"))
        }
        return found
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
            // 69 is its way to say that there are no such tests.
            if second.termination == .exited(69) { continue }
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

    /// Adds a list of XCTest; answers whether it is one.
    mutating func add(xctest list: Data, of runner: String) -> Bool {
        guard let found = try? DiscoveredTests(xctestList: Array(list), swiftTestingList: nil) else { return false }
        for test in found.entries where owners[Name(test.name)] == nil {
            owners[Name(test.name)] = runner
            xctest.append(test)
        }
        return true
    }

    /// Adds a list of Swift Testing; answers whether it is one.
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
