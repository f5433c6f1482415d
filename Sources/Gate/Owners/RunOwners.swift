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
    /// So many failed tests are looked up at most.
    public static let most = 20

    /// Who changed a line last.
    public struct Entry: Sendable, Hashable, Codable {
        /// Which test failed there.
        public var test: TestID
        /// The name of the author; untrusted text.
        public var name: String

        /// Makes an entry from its parts.
        public init(test: TestID, name: String) {
            self.test = test
            self.name = name
        }
    }

    /// The tests with their authors.
    public var entries: [Entry]

    /// Makes a list.
    public init(_ entries: [Entry]) { self.entries = entries }
}

extension FailureAuthors: Limited {
    /// What is beyond a limit.
    public var fault: String? { Self.fault("authors", count: entries.count, most: Self.most) }
}

/// Who owns the tests, files and modules of a run.
public struct RunOwners: Sendable {
    /// So many files of a module are looked up at most.
    public static let mostFiles = 1000

    /// The `CODEOWNERS` that the run was judged with; `nil` where there is none.
    public let list: CodeOwners?

    private let files: TestFiles
    private let modules: [Name: Module]
    private let contracts: [TestID: String]
    private let authors: [TestID: String]

    /// Takes what the run and its verdict say.
    public init(_ run: TestRun, _ verdict: Verdict) {
        list = verdict.owners.map { CodeOwners($0) }
        files = TestFiles(run)
        modules = Dictionary(run.modules.map { (Name($0.name), $0) }) { first, _ in first }
        contracts = Dictionary(
            verdict.quarantine.filter(\.isInForce).compactMap { status in status.id.map { ($0, status.entry.owner) } }
        ) { first, _ in first }
        authors = Dictionary((verdict.authors?.entries ?? []).map { ($0.test, $0.name) }) { first, _ in first }
    }

    /// The failed tests that nobody owns, and where they failed within the package: the first `FailureAuthors.most`.
    ///
    /// - Parameters:
    ///   - file: Who owns which file.
    ///   - policy: Whose quarantine names owners, too.
    public static func unowned(
        in run: TestRun, by file: CodeOwnersFile?, _ policy: Policy
    ) -> [(test: TestID, place: SourceLocation)] {
        let (list, files) = (file.map { CodeOwners($0) }, TestFiles(run))
        let named = Set(policy.quarantine.map { Name($0.test) })
        var found: [(test: TestID, place: SourceLocation)] = []
        for test in run.failures where found.count < FailureAuthors.most {
            guard let place = test.firstFailure?.location ?? test.location, !named.contains(Name(test.id.description))
            else { continue }
            let owners = list?.owners(of: files.file(of: test) ?? place.path)?.owners ?? []
            if owners.isEmpty, CodeOwners.isPath(place.path) { found.append((test.id, place)) }
        }
        return found
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
    public func file(of test: TestResult) -> String? { files.file(of: test) ?? test.firstFailure?.location?.path }

    /// Who owns the file that a test is declared in, or where it is not known, the file at which it failed.
    public func owners(of test: TestResult) -> FileOwners? {
        guard let list, let path = file(of: test) else { return nil }
        return list.owners(of: path)
    }

    /// Who owns a module: the owners of its sources, those of most files first.
    ///
    /// - Parameter name: Its manifest name.
    public func owners(ofModule name: String) -> [String] {
        guard let list, let module = modules[Name(name)] else { return [] }
        var counts: [Name: Int] = [:]
        for path in module.sourcePaths.prefix(Self.mostFiles) {
            for owner in list.owners(of: path)?.owners ?? [] { counts[Name(owner), default: 0] += 1 }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key.text)
    }

    /// Who owns what a violation is about, if that is a module or a file.
    public func owners(of violation: Violation) -> [String] {
        switch violation.subject {
        case .module(let name): owners(ofModule: name)
        case .file(let path): list?.owners(of: path)?.owners ?? []
        case .build, .tests, .test, .quarantine, .change, .project, .settings: []
        }
    }
}
