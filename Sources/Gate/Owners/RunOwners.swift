public import RunModel

/// Whom to ask about a test that failed or is flaky.
public enum TestOwner: Sendable, Hashable {
    /// Whom the quarantine names; untrusted text.
    case quarantine(String)
    /// Whom `CODEOWNERS` names for the file of the test, at least one; untrusted text.
    case codeOwners([String])
    /// Who changed the line last at which the test failed: nobody owns it. Untrusted text.
    case author(String)

    /// Who it is.
    public var names: [String] {
        switch self {
        case .quarantine(let name), .author(let name): [name]
        case .codeOwners(let names): names
        }
    }
}

/// Who changed the lines last at which tests failed that nobody owns, as git said on the machine of the run.
public struct FailureAuthors: Sendable, Hashable, Codable {
    /// How many failed tests are looked up at most.
    public static let most = 20

    /// Who changed a line last.
    public struct Entry: Sendable, Hashable, Codable {
        /// Which test failed there.
        public var test: TestID
        /// The name of the author; untrusted text.
        public var name: String

        package init(test: TestID, name: String) { (self.test, self.name) = (test, name) }
    }

    /// The tests with their authors.
    public var entries: [Entry]

    package init(_ entries: [Entry]) { self.entries = entries }
}

extension FailureAuthors: Limited {
    /// What is beyond a limit.
    public var fault: String? { Self.fault("authors", count: entries.count, most: Self.most) }
}

/// Who owns what of a run needs a look: failed and flaky tests, modules and files that a rule is broken in.
///
/// They are looked up at once, within a limit of work, whatever the run and its `CODEOWNERS` are: of what is beyond it nobody is known.
public struct RunOwners: Sendable {
    /// How many files of a module are looked up at most.
    public static let mostFiles = 1000
    /// How many tests are looked up at most.
    public static let mostTests = 2000

    /// The `CODEOWNERS` that the run was judged with; `nil` where there is none.
    public let list: CodeOwners?
    /// Whether not everything was looked up, as that would have taken too long.
    public let isCut: Bool

    private let paths: [TestID: String]
    private let tests: [TestID: FileOwners]
    private let modules: [Name: [String]]
    private let files: [Name: [String]]
    private let contracts: [TestID: String]
    private let authors: [TestID: String]

    /// Looks up what needs it.
    ///
    /// - Parameter others: Further tests that are asked about.
    public init(_ run: TestRun, _ verdict: Verdict, others: [TestResult] = []) {
        self.init(run.tests, targets: run.modules, verdict, others: others)
    }

    /// Looks up what needs it, of a run of which only that is read.
    ///
    /// - Parameters:
    ///   - results: The results of its tests that are known.
    ///   - targets: The targets of its package.
    ///   - others: Further tests that are asked about.
    public init(_ results: [TestResult], targets: [Module], _ verdict: Verdict, others: [TestResult] = []) {
        let list = verdict.owners.map { CodeOwners($0) }
        var lookup = list.map { OwnerLookup($0) }
        let repeated = Set((verdict.probation?.failures ?? []).map(\.test))
        let unproven = repeated.isEmpty ? [] : results.filter { repeated.contains($0.id) }
        let (failed, flaky) = (results.filter(\.outcome.isFailure), results.filter(\.isFlaky))
        let asked = failed + flaky + unproven + others
        let looked = Self.look(asked, among: results, targets, &lookup)
        (paths, tests) = (looked.paths, looked.owners)
        var (modules, files): ([Name: [String]], [Name: [String]]) = ([:], [:])
        let byName = Dictionary(targets.map { (Name($0.name), $0) }) { first, _ in first }
        for name in verdict.sunkModules where lookup != nil {
            modules[name] = byName[name].map { Self.look($0, &lookup) }
        }
        for violation in verdict.violations where lookup != nil {
            guard case .file(let path) = violation.subject else { continue }
            files[Name(path)] = lookup?.owners(of: path)?.owners
        }
        contracts = Dictionary(
            verdict.quarantine.filter(\.isInForce).compactMap { status in status.id.map { ($0, status.entry.owner) } }
        ) { first, _ in first }
        authors = Dictionary((verdict.authors?.entries ?? []).map { ($0.test, $0.name) }) { first, _ in first }
        (self.list, self.modules, self.files) = (list, modules, files)
        isCut = lookup?.isCut == true || list != nil && asked.count > Self.mostTests
    }

    private static func look(
        _ asked: [TestResult], among results: [TestResult], _ targets: [Module], _ lookup: inout OwnerLookup?
    ) -> (paths: [TestID: String], owners: [TestID: FileOwners]) {
        guard !asked.isEmpty, lookup != nil else { return ([:], [:]) }
        let places = TestFiles(tests: results, targets: targets)
        var (paths, owners): ([TestID: String], [TestID: FileOwners]) = ([:], [:])
        for test in asked.prefix(mostTests) {
            guard let path = places.file(of: test) ?? test.firstFailure?.location?.path else { continue }
            paths[test.id] = path
            owners[test.id] = lookup?.owners(of: path)
        }
        return (paths, owners)
    }

    /// The owners of the sources of a module, those of most files first.
    private static func look(_ module: Module, _ lookup: inout OwnerLookup?) -> [String] {
        var counts: [Name: Int] = [:]
        for path in module.sourcePaths.prefix(mostFiles) {
            for owner in lookup?.owners(of: path)?.owners ?? [] { counts[Name(owner), default: 0] += 1 }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { $0.key.text }
    }

    /// Whom to ask about a test: the entry of the quarantine comes first, then `CODEOWNERS`, then the author of the line; `nil` if
    /// nobody is known.
    public func owner(of test: TestResult) -> TestOwner? {
        if let name = contracts[test.id] { return .quarantine(name) }
        if let owners = owners(of: test)?.owners, !owners.isEmpty { return .codeOwners(owners) }
        return authors[test.id].map { .author($0) }
    }

    /// Who owns a test, by the quarantine or else by `CODEOWNERS`; empty if nobody is known.
    public func names(of test: TestResult) -> [String] {
        switch owner(of: test) {
        case .quarantine(let name): [name]
        case .codeOwners(let names): names
        case .author, nil: []
        }
    }

    /// The file that a test is declared in or, where that is not known, the file at which it failed; `nil` where neither is.
    public func file(of test: TestResult) -> String? { paths[test.id] }

    /// Who owns that file, and by which lines.
    public func owners(of test: TestResult) -> FileOwners? { tests[test.id] }

    /// Who owns the sources of a module that is under a floor, those of most files first.
    ///
    /// - Parameter name: Its manifest name.
    public func owners(ofModule name: String) -> [String] { modules[Name(name)] ?? [] }

    /// Who owns what a violation is about, if that is a module or a file.
    public func owners(of violation: Violation) -> [String] {
        switch violation.subject {
        case .module(let name): owners(ofModule: name)
        case .file(let path): files[Name(path)] ?? []
        case .build, .tests, .test, .quarantine, .change, .project, .settings: []
        }
    }
}

extension Verdict {
    /// The modules that are under a floor, or that miss one.
    public var sunkModules: Set<Name> {
        let under = modules.filter { module in CoverageMetric.allCases.contains { module.isUnderFloor($0) } }
        let missed = violations.compactMap { violation -> Name? in
            guard violation.coverage != nil, case .module(let name) = violation.subject else { return nil }
            return Name(name)
        }
        return Set(under.map { Name($0.module) } + missed)
    }
}

extension TestRun {
    /// The failed tests that nobody owns, and where they failed within the package: the first `FailureAuthors.most`.
    ///
    /// - Parameters:
    ///   - file: Who owns which file.
    ///   - policy: Whose quarantine names owners, too.
    public func unownedFailures(
        by file: CodeOwnersFile?, _ policy: Policy
    ) -> [(test: TestID, place: SourceLocation)] {
        var lookup = file.map { OwnerLookup(CodeOwners($0)) }
        let (places, named) = (TestFiles(self), Set(policy.quarantine.map { Name($0.test) }))
        var found: [(test: TestID, place: SourceLocation)] = []
        for test in failures where found.count < FailureAuthors.most {
            guard let place = test.firstFailure?.location ?? test.location, !named.contains(Name(test.id.description))
            else { continue }
            let owners = lookup?.owners(of: places.file(of: test) ?? place.path)?.owners ?? []
            // Of what was not looked up somebody may be the owner.
            if lookup?.isCut == true { break }
            if owners.isEmpty, CodeOwners.isPath(place.path) { found.append((test.id, place)) }
        }
        return found
    }
}
