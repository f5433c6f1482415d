/// The tests that a change cannot break, as far as per-test coverage tells: they execute none of the changed functions.
///
/// A function decides only where lines changed wholly inside of its body. Everything else, such as signatures, types, stored
/// properties, resources, tests and the manifest, is judged by target (`AffectedTests`). Never deselected are
/// tests that the map does not have (new ones, and those of Swift Testing that were not mapped), unsteady ones, and those of targets
/// that may execute a changed target in a way that no map sees (`UndeclaredDependencies`).
public struct DeselectedTests: Sendable, Hashable, Codable {
    /// A run with per-test coverage, and what else is known of it.
    public struct Knowledge: Sendable {
        /// The run.
        public var run: RunID
        /// Its per-test coverage.
        public var map: TestMap
        /// The functions that were never called, by path; a file that is not in it is judged by target.
        public var uncalled: [Name: [SourceFunction]]
        /// The targets of the package in that run.
        public var modules: [Module]
        /// What they depended on besides what the manifest says.
        public var undeclared: UndeclaredDependencies
        /// Tests that run in any case: those that failed, crashed, were flaky or skipped, and those that depend on their order.
        public var unsteady: Set<TestID>
        /// Sources with functions that the compiler copies into their callers, by path: whether these are called, no counter of theirs says.
        public var inlined: Set<Name>
        /// The toolchain; the map says nothing about a build with another one.
        public var toolchain: Toolchain?
        /// Its other inputs besides the tree; `nil` if unknown.
        public var inputs: RunInputs?

        package init(
            run: RunID, map: TestMap, uncalled: [Name: [SourceFunction]], modules: [Module],
            undeclared: UndeclaredDependencies, unsteady: Set<TestID> = [], inlined: Set<Name> = [],
            toolchain: Toolchain? = nil, inputs: RunInputs? = nil
        ) {
            self.run = run
            self.map = map
            self.uncalled = uncalled
            self.modules = modules
            self.undeclared = undeclared
            self.unsteady = unsteady
            self.inlined = inlined
            self.toolchain = toolchain
            self.inputs = inputs
        }
    }

    /// The run with the per-test coverage.
    public let run: RunID
    /// The toolchain of that run; with another one nothing is deselected.
    public let toolchain: Toolchain?
    /// The other inputs of that run besides its tree; `nil` if unknown.
    public let inputs: RunInputs?
    /// The tests that need not run.
    public let tests: Set<TestID>
    /// Why more tests run than those that execute changed functions, in words; `nil` if functions alone decide.
    public let reason: String?
    /// Tests that run in any case, because they are unsteady.
    public let unsteady: Set<TestID>

    /// Works out which tests need not run; none if the change can break everything.
    ///
    /// - Parameters:
    ///   - files: Every file that differs from the tree of the run.
    ///   - changes: The changed lines of the package's files.
    public init(_ knowledge: Knowledge, files: ChangedFiles, changes: [FileChange]) {
        run = knowledge.run
        toolchain = knowledge.toolchain
        inputs = knowledge.inputs
        unsteady = knowledge.unsteady
        let byPath = Dictionary(grouping: changes.filter { $0.path != nil }) { Name($0.path ?? "") }
        var executing: Set<Int32> = []
        var others: [String?] = []
        var decidedByFunction: Set<String> = []
        for path in files.paths {
            let own = path.flatMap(files.inPackage)
            let isInTarget = knowledge.modules.contains { !$0.path.isEmpty && own?.hasPrefix($0.path + "/") == true }
            if let path, !isInTarget, ChangedFiles.isForPeople(path) { continue }
            if let own,
                let tests = Self.tests(executing: byPath[Name(own)] ?? [], of: own, knowledge)
            {
                executing.formUnion(tests)
                decidedByFunction.formUnion(AffectedTests.targets(of: path, in: files.package, knowledge.modules))
            } else {
                others.append(path)
            }
        }
        var targets: [String] = []
        if !others.isEmpty {
            let change = ChangedFiles(paths: others, package: files.package)
            switch AffectedTests(of: change, in: knowledge.modules, undeclared: knowledge.undeclared.targets) {
            case .all(let words):
                reason = words
                tests = []
                return
            case .some(let names): targets = names
            }
            // A test may start a program of the package without depending on its target.
            executing.formUnion(Self.tests(executingWhatDependsOn: others, in: files.package, knowledge))
        }
        let reaching = knowledge.undeclared.testTargets(reaching: decidedByFunction, in: knowledge.modules)
        let unseen = knowledge.modules.map(\.name).filter { reaching.contains($0) && !targets.contains($0) }
        reason = Self.reason(targets, unseen)
        let affected = Set(
            knowledge.modules.filter { targets.contains($0.name) || reaching.contains($0.name) }
                .map { Name($0.compilerName) })
        let all = knowledge.map.tests.enumerated().filter { position, test in
            !executing.contains(Int32(position)) && !affected.contains(Name(test.module))
                && !knowledge.unsteady.contains(test)
        }
        tests = Set(all.map(\.element))
    }

    /// Why more tests run than those that execute changed functions.
    ///
    /// - Parameters:
    ///   - targets: Those whose tests run because a target decides.
    ///   - unseen: Those whose tests may execute what changed in a way that the map does not see.
    private static func reason(_ targets: [String], _ unseen: [String]) -> String? {
        var reasons: [String] = []
        if !targets.isEmpty {
            reasons.append("all tests of \(targets.joined(separator: ", ")), because of other changes")
        }
        if !unseen.isEmpty {
            reasons.append(
                "all tests of \(unseen.joined(separator: ", ")), "
                    + "which may execute what changed unseen by the per-test coverage")
        }
        return reasons.isEmpty ? nil : reasons.joined(separator: "; ")
    }

    /// The tests that execute anything in the targets of some files, and in those that depend on them.
    private static func tests(
        executingWhatDependsOn paths: [String?], in package: String, _ knowledge: Knowledge
    ) -> Set<Int32> {
        let seeds = paths.flatMap { AffectedTests.targets(of: $0, in: package, knowledge.modules) }
        let targets = AffectedTests.dependents(
            of: Set(seeds), in: knowledge.modules, undeclared: knowledge.undeclared.targets)
        let sources = Set(
            knowledge.modules.filter { targets.contains($0.name) }.flatMap { $0.sourcePaths.map { Name($0) } })
        let functions = knowledge.map.files.filter { sources.contains(Name($0.path)) }.flatMap(\.functions)
        return Set(functions.flatMap { knowledge.map.sets[$0.set].tests })
    }

    /// The tests that execute a changed function of a file; `nil` where functions do not decide.
    private static func tests(
        executing changes: [FileChange], of path: String, _ knowledge: Knowledge
    ) -> Set<Int32>? {
        guard let module = knowledge.modules.first(where: { $0.sourcePaths.contains { Name($0) == Name(path) } }),
            module.isSwift, [.library, .executable].contains(module.kind),
            !module.mayHaveTopLevelCode(in: path), !knowledge.inlined.contains(Name(path)),
            // No test executes the code that runs while the package is built.
            !module.isUsedInBuild(of: knowledge.modules, knowledge.undeclared),
            let uncalled = knowledge.uncalled[Name(path)], changes.count == 1, let change = changes.first,
            change.basePath.map({ Name($0) == Name(path) }) == true, !change.changes.isEmpty, !change.mayEndBlock
        else { return nil }
        let functions = knowledge.map.file(path)?.functions ?? []
        var tests: Set<Int32> = []
        for lines in change.changes {
            let inside = functions.filter { lines.base.isInside($0.lines) }
            guard
                !inside.isEmpty || uncalled.contains(where: { !$0.isInitialValue && lines.base.isInside($0.lines) })
            else { return nil }
            // Closures that are removed with the lines, or begin and end among them, are changed as well.
            for function in functions where lines.base.touches(function.lines) {
                // An initial value may be followed by another property.
                guard !SourceFunction.isInitialValue(function.symbol) else { return nil }
                let set = knowledge.map.sets[function.set]
                // It is unknown which tests depend on code that runs outside of tests.
                guard !set.hasOthers else { return nil }
                tests.formUnion(set.tests)
            }
        }
        return tests
    }
}

extension DeselectedTests {
    /// How a run differs from that of the per-test coverage although no file of the tree says so, in words; `nil` if it does not. What is
    /// not known of one of them may differ.
    public func difference(from toolchain: Toolchain?, _ now: RunInputs?) -> String? {
        if toolchain != self.toolchain { return "another toolchain" }
        guard let inputs, let now else { return "unknown settings and environment" }
        if inputs.package != now.package { return "another package" }
        if inputs.platform != now.platform { return "another system" }
        if inputs.environment != now.environment { return "another environment" }
        if inputs.checkout != now.checkout { return "other filters or line ends of git" }
        if inputs.evidenceVersion != now.evidenceVersion { return "evidence of another version of Kanmon" }
        guard let before = inputs.dependencies, let after = now.dependencies else { return "unknown dependencies" }
        return before == after ? nil : "other dependencies"
    }
}

extension DeselectedTests {
    /// Attributes by which the compiler copies a function into its callers, also into those of other targets and without optimization.
    private static let inlining = ["@_transparent", "@_alwaysEmitIntoClient"].map { Array($0.utf8) }

    /// Whether a source has functions that the compiler copies into their callers; words in comments count, too.
    public static func hasInlinedFunctions(_ source: [UInt8]) -> Bool {
        source.indices.contains { place in
            source[place] == UInt8(ascii: "@") && inlining.contains { source[place...].starts(with: $0) }
        }
    }
}

extension DeselectedTests {
    private enum CodingKeys: String, CodingKey { case run, toolchain, inputs, tests, reason, unsteady }

    /// Reads what `encode(to:)` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        run = try container.decode(RunID.self, forKey: .run)
        toolchain = try container.decodeIfPresent(Toolchain.self, forKey: .toolchain)
        inputs = try container.decodeIfPresent(RunInputs.self, forKey: .inputs)
        tests = Set(try container.decode([TestID].self, forKey: .tests))
        reason = try container.decodeIfPresent(String.self, forKey: .reason)
        unsteady = Set(try container.decode([TestID].self, forKey: .unsteady))
    }

    /// Writes the tests in their order, so that the same tests are the same bytes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(run, forKey: .run)
        try container.encodeIfPresent(toolchain, forKey: .toolchain)
        try container.encodeIfPresent(inputs, forKey: .inputs)
        try container.encode(tests.sorted(), forKey: .tests)
        try container.encodeIfPresent(reason, forKey: .reason)
        try container.encode(unsteady.sorted(), forKey: .unsteady)
    }
}

extension Module {
    /// Whether a source may have statements outside of functions. The coverage map takes everything from the first to the last of them
    /// for one function.
    public func mayHaveTopLevelCode(in path: String) -> Bool {
        path.split(separator: "/").last == "main.swift" || kind == .executable && sources.count == 1
    }

    /// Whether it runs while another module is built: a macro or a plugin of that module depends on it. A plugin that no module uses
    /// is a command, which runs only when somebody calls it.
    fileprivate func isUsedInBuild(of modules: [Module], _ undeclared: UndeclaredDependencies) -> Bool {
        let reached = AffectedTests.dependents(of: [name], in: modules, undeclared: undeclared.targets)
        let builders = modules.filter { [.macro, .plugin].contains($0.kind) && reached.contains($0.name) }
        return builders.contains { builder in modules.contains { $0.dependencies.contains(builder.name) } }
    }
}

extension Range<Int> {
    /// Whether the changed lines lie between the first and the last line of a function, both excluded: those two may also hold the
    /// signature, or code behind the body.
    fileprivate func isInside(_ function: ClosedRange<Int>) -> Bool {
        function.lowerBound < lowerBound && upperBound <= function.upperBound
    }
}
