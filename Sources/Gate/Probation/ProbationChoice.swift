public import RunModel

/// Which tests of a run are on probation: those that the base has not, and those that are not what they were there.
///
/// A test is another one if its own lines changed, or something of its test target, or of one that helps it, that it uses, however far away:
/// whatever it names by a word is taken for what it uses. What changed outside of these targets is judged by the run itself.
public struct ProbationChoice: Sendable, Hashable {
    /// The tests, each with its reason: the new ones first, each kind ordered by identity.
    public let entries: [Probation.Entry]

    /// What a run is compared with.
    public struct Base: Sendable, Hashable {
        /// How files differ from it.
        public var changes: [FileChange]
        /// The tests of its stored run; `nil` where there is none. A test is then new if all of its lines are.
        public var known: Set<TestID>?

        package init(changes: [FileChange], known: Set<TestID>?) { (self.changes, self.known) = (changes, known) }

        /// How sources differ from it, by their paths; below a link or a submodule that leads elsewhere all of them do.
        public func changesByPath(of paths: [String]) -> [Name: FileChange] {
            let found = changes.compactMap { change in change.path.map { (Name($0), change) } }
            let places = found.filter { $0.1.leadsElsewhere == true }
            var byPath = Dictionary(found) { first, _ in first }
            guard !places.isEmpty else { return byPath }
            for path in paths where byPath[Name(path)] == nil {
                byPath[Name(path)] = places.first { path.utf8.starts(with: "\($0.0.text)/".utf8) }?.1
            }
            return byPath
        }
    }

    /// Chooses among the tests of a run.
    ///
    /// - Parameters:
    ///   - tests: All of them.
    ///   - sources: The sources of the test targets in which something changed, and of their helpers: what did, and what tests may use.
    ///   - bases: What the run is compared with; a test that is another one than on any of them is on probation.
    public init(among tests: [TestID], in sources: [TestSource], against bases: [Base]) {
        let ofModule = Dictionary(grouping: tests) { Name($0.module) }
        let byModule = Dictionary(grouping: sources) { Name($0.module) }
        var reasons: [TestID: Probation.Reason] = [:]
        for base in bases {
            if let known = base.known {
                for test in tests where !known.contains(test) && reasons[test] == nil { reasons[test] = .new }
            }
            let changes = base.changesByPath(of: sources.map(\.path))
            for (module, sources) in byModule {
                guard let own = ofModule[module], sources.contains(where: { changes[Name($0.path)] != nil }) else {
                    continue
                }
                var spread = Spread(own, sources, changes)
                spread.run()
                for (test, reason) in spread.reasons where reasons[test] == nil {
                    // Where the tests of the base are known, one of them is not new however many of its lines are.
                    reasons[test] = base.known != nil && reason == .new ? .changed : reason
                }
            }
        }
        entries = reasons.map { Probation.Entry(test: $0.key, reason: $0.value) }.inOrder
    }
}

extension Baseline {
    /// Whether it is known of each base what changed since.
    ///
    /// - Parameter comparison: What changed since this base.
    public func isWhollyCompared(changed comparison: ChangeComparison?) -> Bool {
        commit != nil && comparison != nil
            && (others ?? []).allSatisfy { $0.baseline.commit != nil && $0.comparison != nil }
    }

    /// What new and changed tests are looked for against: each base, and what changed since; `nil` where that is not known of all of them.
    ///
    /// - Parameter comparison: What changed since this base.
    public func probationBases(changed comparison: ChangeComparison?) -> [ProbationChoice.Base]? {
        guard isWhollyCompared(changed: comparison) else { return nil }
        let all = [(self, comparison)] + (others ?? []).map { ($0.baseline, $0.comparison) }
        return all.map { baseline, comparison in
            ProbationChoice.Base(
                changes: comparison?.changes ?? [], known: baseline.run.map { Set($0.outcomes.map(\.id)) })
        }
    }

    /// What a probation against these bases is kept by; see `Probation.base`.
    public var probationKey: String {
        BaseCommit.key(of: ([self] + (others ?? []).map(\.baseline)).compactMap(\.commit))
    }
}

/// Follows a change through the sources of one test target.
private struct Spread {
    /// A part of a source, and where it is.
    private struct Place {
        let part: TestSource.Part
        let path: Name
        /// The tests that it declares.
        let tests: [TestID]
        var isReached = false
    }

    private let tests: [TestID]
    private let sources: [TestSource]
    private let changes: [Name: FileChange]
    private var places: [Place] = []
    /// The names of what changed, or uses what changed, each with the name of what changed.
    private var names: [Name: String] = [:]
    /// The types of which all tests are others, with the name of what changed.
    private var suites: [Name: String] = [:]
    private(set) var reasons: [TestID: Probation.Reason] = [:]

    init(_ tests: [TestID], _ sources: [TestSource], _ changes: [Name: FileChange]) {
        (self.tests, self.sources, self.changes) = (tests, sources, changes)
        var declared: [[Name]: [TestID]] = [:]
        for test in tests { declared[[test.plainSuite, test.baseName], default: []].append(test) }
        for source in sources {
            for part in source.parts ?? [] {
                let mayBeTest = part.kind == .function && !source.isOfHelper
                let own = mayBeTest ? part.names.first.flatMap { declared[[part.suite, $0]] } : nil
                places.append(Place(part: part, path: Name(source.path), tests: own ?? []))
            }
        }
    }

    /// Finds all that changed, then all that uses it.
    mutating func run() {
        for index in places.indices {
            guard let change = changes[places[index].path] else { continue }
            let part = places[index].part
            if change.leadsElsewhere == true || change.touches(part.lines) || change.exposes(part.lines) {
                touch(index, isAdded: change.adds(part.lines))
            } else if part.kind == .type, removesMember(of: part, change) {
                reach(index, by: part.names.first?.text ?? "")
            }
        }
        judgeUnreadable()
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for index in places.indices where !places[index].isReached {
                guard let origin = origin(of: places[index].part) else { continue }
                reach(index, by: origin)
                isGrowing = true
            }
        }
        for place in places {
            guard let origin = suites[place.part.suite] else { continue }
            for test in place.tests where reasons[test] == nil { reasons[test] = .uses(origin) }
        }
    }

    /// A part has lines that changed.
    private mutating func touch(_ index: Int, isAdded: Bool) {
        let place = places[index]
        guard place.tests.isEmpty else {
            places[index].isReached = true
            for test in place.tests { reasons[test] = isAdded ? .new : .changed }
            return
        }
        // What stands at the top of a file and has no name may be about all of it.
        if place.part.kind == .other, place.part.names.isEmpty, place.part.suite.text.isEmpty {
            places[index].isReached = true
            for other in places where other.path == place.path {
                for test in other.tests where reasons[test] == nil { reasons[test] = .file }
            }
            return
        }
        reach(index, by: place.part.names.first?.text ?? place.part.suite.text)
    }

    /// A part changed, or uses something that did: what it declares stands for that from now on.
    private mutating func reach(_ index: Int, by origin: String) {
        places[index].isReached = true
        let (part, tests) = (places[index].part, places[index].tests)
        guard tests.isEmpty else {
            for test in tests where reasons[test] == nil { reasons[test] = .uses(origin) }
            return
        }
        // What a type is made of and begins with is that of each of its tests, and of whoever makes one.
        let isOfType = part.kind != .function || part.names.contains { Self.ofType.contains($0.text) }
        if isOfType, let type = part.suite.text.split(separator: "/").last {
            suites[part.suite] = suites[part.suite] ?? origin
            names[Name(type)] = names[Name(type)] ?? origin
        }
        for name in part.names where !Self.ofType.contains(name.text) { names[name] = names[name] ?? origin }
    }

    /// Functions that are called without being named.
    private static let ofType: Set = [
        "init", "deinit", "subscript", "setUp", "setUpWithError", "tearDown", "tearDownWithError", "invokeTest",
    ]

    /// What changed of all that a part uses; `nil` if nothing did.
    private func origin(of part: TestSource.Part) -> String? {
        part.words.lazy.filter { names[$0] != nil }.min().flatMap { names[$0] }
    }

    /// Whether lines were removed between the members of a type.
    private func removesMember(of type: TestSource.Part, _ change: FileChange) -> Bool {
        guard type.lastLine > type.lines.upperBound else { return false }
        let members = type.lines.upperBound...type.lastLine
        let others = places.filter { $0.path == Name(change.path ?? "") }.map(\.part)
        return change.changes.contains { lines in
            guard lines.head.isEmpty, lines.head.isPlace(in: members) else { return false }
            // It is the innermost type that has lost it, and no function that has lost a line of its body.
            return !others.contains { other in
                guard other != type else { return false }
                if other.kind != .type { return lines.head.isPlace(in: other.lines) }
                let inner = other.lines.upperBound...max(other.lines.upperBound, other.lastLine)
                return members.lowerBound < inner.lowerBound && lines.head.isPlace(in: inner)
            }
        }
    }

    /// Of a source that changed and cannot be read, all tests may be others that no other source declares, and of a helper's all that there
    /// are.
    private mutating func judgeUnreadable() {
        let changed = sources.filter { source in
            guard source.parts == nil, let change = changes[Name(source.path)] else { return false }
            return change.leadsElsewhere == true || !change.changes.isEmpty
        }
        guard !changed.isEmpty else { return }
        let declared = changed.contains(where: \.isOfHelper) ? [] : Set(places.flatMap(\.tests))
        for test in tests where !declared.contains(test) && reasons[test] == nil { reasons[test] = .file }
    }
}

extension Range<Int> {
    /// Whether an empty side of a change is a place between two lines that both belong to these.
    fileprivate func isPlace(in lines: ClosedRange<Int>) -> Bool {
        lines.lowerBound < lowerBound && lowerBound <= lines.upperBound
    }
}

extension FileChange {
    /// Whether any of these lines may be compiled for the first time.
    fileprivate func exposes(_ lines: ClosedRange<Int>) -> Bool {
        (exposed ?? []).contains { !$0.isEmpty && $0.overlaps(lines) }
    }

    /// Whether all of these lines are new.
    fileprivate func adds(_ lines: ClosedRange<Int>) -> Bool {
        changes.contains { $0.head.contains(lines.lowerBound) && $0.head.contains(lines.upperBound) }
    }
}

extension TestID {
    /// Its suite as a source declares it, without backticks.
    fileprivate var plainSuite: Name { Name(suite.replacing("`", with: "")) }

    /// The name of its function, without backticks and parameters.
    fileprivate var baseName: Name {
        guard name.hasPrefix("`") else { return Name(name.prefix { $0 != "(" }) }
        return Name(name.dropFirst().prefix { $0 != "`" })
    }
}
