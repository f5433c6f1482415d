public import RunModel

/// Which tests have to notice a mutant, by the per-test coverage of a run.
public struct MutantTests: Sendable {
    private let map: TestMap
    private let changes: [Name: FileChange]
    private let durations: [TestID: Duration]
    private let known: Set<TestID>
    /// What a test takes that is new.
    private let median: Duration
    /// Whether the tree with the mutants is that of the run, so that lines decide.
    public let isExact: Bool

    /// Makes it of a run.
    ///
    /// - Parameters:
    ///   - map: The per-test coverage of the run.
    ///   - changes: How the tree with the mutants differs from that of the run.
    ///   - isExact: Whether it does not, nor anything outside of the package.
    ///   - durations: How long the tests took last; what the map says comes first.
    public init(map: TestMap, changes: [FileChange], isExact: Bool, durations: [TestID: Duration] = [:]) {
        self.isExact = isExact
        self.map = map
        self.changes = Dictionary(
            changes.compactMap { change in change.path.map { (Name($0), change) } },
            uniquingKeysWith: { first, _ in first })
        self.durations = durations.merging(map.durations) { $1 }
        known = Set(map.tests)
        let sorted = self.durations.values.sorted()
        median = sorted.isEmpty ? .milliseconds(10) : sorted[sorted.count / 2]
    }

    /// How long a test takes; for one that is new, as long as the median.
    public func duration(of test: TestID) -> Duration { durations[test] ?? median }

    /// The tests of a mutant, those that take the least time first; none where no test executes it.
    ///
    /// In the tree of the run a line decides. In another one its function does, and where no test executed that, the target: what
    /// changed may have brought a test there. Tests of which nothing is known run wherever their target depends on the source: they are
    /// new, were not mapped, or the sources of their target changed.
    ///
    /// - Parameters:
    ///   - modules: The targets of the package.
    ///   - undeclared: What they depend on besides what the manifest says.
    ///   - discovered: The tests that there are.
    public func tests(
        of mutant: Mutant, in modules: [Module], undeclared: UndeclaredDependencies, among discovered: [TestID]
    ) -> [TestID] {
        let reachable = Set(Self.reachable(from: mutant.path, modules, undeclared, discovered))
        let executing = executing(mutant)
        let changed = Set(
            modules.filter { module in
                module.kind == .test && module.sourcePaths.contains { changes[Name($0)] != nil }
            }.map { Name($0.compilerName) })
        let wanted = discovered.filter { test in
            // A test may start a program of the package without depending on its target.
            if executing?.contains(test) == true { return true }
            return reachable.contains(test)
                && (executing == nil || !known.contains(test) || changed.contains(Name(test.module)))
        }
        return wanted.sorted { (duration(of: $0), $0) < (duration(of: $1), $1) }
    }

    /// All tests that reach a mutant by what sources say, in the order in which they are discovered: those of the targets that depend on
    /// its source, be it by an import or a program that no manifest names, those that execute it by the map, and all that there are where
    /// a test may start the source as a program, or none depends on it.
    ///
    /// A map does not know what a test does by a program that a shell starts, by a file that another test wrote, or by what an earlier
    /// test left in a cache. Of a test that no source connects with the mutant nobody knows whether it would notice it by a file.
    public func allTests(
        of mutant: Mutant, in modules: [Module], undeclared: UndeclaredDependencies, among discovered: [TestID]
    ) -> [TestID] {
        let owner = modules.first { $0.sourcePaths.contains { Name($0) == Name(mutant.path) } }
        var reachable = Set(Self.reachable(from: mutant.path, modules, undeclared, discovered))
        guard !reachable.isEmpty, let owner, owner.kind != .executable else { return discovered }
        reachable.formUnion(executing(mutant) ?? [])
        return discovered.filter(reachable.contains)
    }

    /// The tests that execute a mutant by the map; `nil` where the map does not tell.
    private func executing(_ mutant: Mutant) -> Set<TestID>? {
        guard isExact else {
            let found = executingFunction(of: mutant)
            return found?.isEmpty == true ? nil : found
        }
        guard map.file(mutant.path) != nil else { return [] }
        guard mutant.kind != .earlyReturn, !mutant.isBehindClosure else { return executingFunction(of: mutant) }
        return map.answer(mutant.path, line: Int32(mutant.line)).flatMap { $0.hasOthers ? nil : Set($0.tests) }
    }

    private func executingFunction(of mutant: Mutant) -> Set<TestID>? {
        let change = changes[Name(mutant.path)]
        guard let base = change.map(\.basePath) ?? mutant.path else { return nil }
        let lines = mutant.functionLines
        guard let first = change.map({ $0.baseLine(of: lines.lowerBound) }) ?? lines.lowerBound,
            let last = change.map({ $0.baseLine(of: lines.upperBound) }) ?? lines.upperBound, first <= last
        else { return nil }
        // The map's function begins with its body; closures lie inside of it.
        let inside = map.file(base)?.functions.filter { first...last ~= Int($0.line) && Int($0.lastLine) <= last } ?? []
        let most = inside.map(\.lines.count).max()
        // Accessors on one line have the same lines.
        let functions = inside.filter { $0.lines.count == most }
        if functions.contains(where: { map.sets[$0.set].hasOthers }) { return nil }
        return Set(functions.flatMap { map.tests(of: $0.set) })
    }

    /// The tests of the targets that depend on a source.
    private static func reachable(
        from path: String, _ modules: [Module], _ undeclared: UndeclaredDependencies, _ discovered: [TestID]
    ) -> [TestID] {
        let change = ChangedFiles(paths: [path], package: "")
        switch AffectedTests(of: change, in: modules, undeclared: undeclared.targets) {
        case .all: return discovered
        case .some(let names):
            let targets = Set(modules.filter { names.contains($0.name) }.map { Name($0.compilerName) })
            return discovered.filter { targets.contains(Name($0.module)) }
        }
    }
}
