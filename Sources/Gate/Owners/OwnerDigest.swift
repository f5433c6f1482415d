public import RunModel

/// What of the owners of a project needs a look.
public struct OwnerDigests: Sendable, Hashable {
    /// How many owners are listed at most.
    public static let most = 500

    /// Who has most to do first, and last what nobody is known to own.
    public var list: [OwnerDigest]
    /// Whether that is not all: the owners of some tests or files were not looked up, as that would have taken too long, or there are more
    /// owners than are listed.
    public var isCut: Bool

    package init(_ list: [OwnerDigest] = [], isCut: Bool = false) { (self.list, self.isCut) = (list, isCut) }
}

/// What of one owner needs a look: what is red, flaky, slow, uncovered and about to expire.
public struct OwnerDigest: Sendable, Hashable {
    /// How many days before its end an entry of the quarantine is about to expire.
    public static let daysAhead = QuarantineEntry.daysAhead
    /// How many files with coverage are looked up at most.
    public static let mostFiles = 10_000

    /// Who; `nil` for what nobody is known to own. Untrusted text.
    public var owner: String?
    /// The tests that failed.
    public var failed: [TestID] = []
    /// The tests whose outcome varies.
    public var flaky: [FlakyTest] = []
    /// The slowest tests.
    public var slow: [SlowTest] = []
    /// The lines of the files that count; a file with several owners counts for each of them.
    public var lines = CoverageTally()
    /// The modules under a floor.
    public var modules: [String] = []
    /// The entries of the quarantine that expire soon, or have expired.
    public var expiring: [QuarantineEntry] = []

    /// Makes an empty digest.
    public init(owner: String?) { self.owner = owner }

    /// Whether nothing of it needs a look but perhaps lines that are not covered.
    public var isQuiet: Bool {
        failed.isEmpty && flaky.isEmpty && slow.isEmpty && modules.isEmpty && expiring.isEmpty
    }

    /// The digests of all owners, those with most red tests first, and last what nobody is known to own.
    ///
    /// - Parameters:
    ///   - results: The results of a run, at least those of the tests that failed.
    ///   - targets: The targets of its package.
    ///   - coverage: What it covered; `nil` without coverage.
    ///   - verdict: What the gate said of it.
    ///   - flaky: The flaky tests of the project.
    ///   - slow: Its slowest tests.
    ///   - described: Results of these tests, where they are not among those of the run.
    ///   - today: When entries of the quarantine are looked at.
    ///   - owner: Only the digest of this owner, however many others come before; of all when `nil`.
    public static func all(
        of results: [TestResult], targets: [Module], _ coverage: Coverage?, _ verdict: Verdict, flaky: [FlakyTest],
        slow: [SlowTest], described: [TestResult] = [], today: CalendarDay, only owner: String? = nil
    ) -> OwnerDigests {
        let asked = Set(flaky.map(\.id) + slow.map(\.id))
        let others = (results + described).filter { asked.contains($0.id) }
        let owners = RunOwners(results, targets: targets, verdict, others: others)
        let known = Dictionary(others.map { ($0.id, $0) }) { first, _ in first }
        var digests: [Name?: OwnerDigest] = [:]
        func add(_ names: [String], _ change: (inout OwnerDigest) -> Void) {
            let keys: [String?] = names.isEmpty ? [nil] : names.map { Optional($0) }
            for name in keys { change(&digests[name.map { Name($0) }, default: OwnerDigest(owner: name)]) }
        }
        func people(_ test: TestID) -> [String] { known[test].map { owners.names(of: $0) } ?? [] }
        for test in results where test.outcome.isFailure { add(owners.names(of: test)) { $0.failed.append(test.id) } }
        for test in flaky { add(people(test.id)) { $0.flaky.append(test) } }
        for test in slow { add(people(test.id)) { $0.slow.append(test) } }
        var lookup = owners.list.map { OwnerLookup($0) }
        let files = verdict.countedFiles(of: coverage)
        for file in files.prefix(mostFiles) {
            let tally = file.lineTally
            let names = lookup?.owners(of: file.path)?.owners ?? []
            // Of what is not looked up the owner is unknown, and not nobody.
            if lookup?.isCut == true { break }
            add(names) { $0.lines = $0.lines + tally }
        }
        for module in verdict.modules where CoverageMetric.allCases.contains(where: { module.isUnderFloor($0) }) {
            add(owners.owners(ofModule: module.module)) { $0.modules.append(module.module) }
        }
        let soon = today.adding(days: daysAhead)
        for entry in verdict.quarantine.map(\.entry) where entry.expires <= soon {
            add([entry.owner]) { $0.expiring.append(entry) }
        }
        let wanted = owner.map { Name($0) }
        let sorted = digests.filter { wanted == nil || $0.key == wanted }.values.sorted { $0.place < $1.place }
        let named = sorted.filter { $0.owner != nil }
        return OwnerDigests(
            Array(named.prefix(OwnerDigests.most)) + sorted.filter { $0.owner == nil },
            isCut: owners.isCut || lookup?.isCut == true || files.count > mostFiles || named.count > OwnerDigests.most)
    }

    /// What it is ordered by.
    private var place: (Int, Int, Int, Int, Int, Name) {
        (
            owner == nil ? 1 : 0, -failed.count, -modules.count, -expiring.count, -flaky.count, Name(owner ?? "")
        )
    }
}
