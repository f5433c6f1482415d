public import RunModel

/// What a test executes of a change.
struct ChangeContact: Sendable, Hashable {
    /// The changed functions that it executes, by the names that people read, each once.
    var functions: [String] = []
    /// How many more functions there are.
    var more = 0
    /// Whether it executes nothing of the change by itself, though all of the change is known; `false` where nobody knows.
    var executesNone = false
    /// Whether it is certain that nothing of the change reaches it, not even by what other tests leave behind.
    var isNone = false
    /// Whether its target does not even depend on what changed: alone in its process, it is out of reach however it runs.
    var isApart = false
    /// Whether it was recorded before the change: where it fails now, it may execute more than it did then.
    var isOfBase = false

    /// The longest name of a function, in characters.
    fileprivate static let longestName = 120
}

extension ChangeContact {
    /// What was recorded on the base.
    ///
    /// - Parameter isWhole: Whether the changes are all that changed, and reach tests by nothing but their processes.
    init(_ recorded: FailureObservation.Recorded, isWhole: Bool) {
        let executesNone = isWhole && recorded.executesNone && recorded.functions.isEmpty
        self.init(
            functions: recorded.functions, more: max(0, recorded.functionCount - recorded.functions.count),
            executesNone: executesNone, isApart: executesNone && recorded.isApart, isOfBase: true)
    }
}

extension FailureObservation.Recorded {
    /// What failed tests execute of a change by the test map of a run of the base, by test. Those that it does not have are not among them.
    ///
    /// - Parameters:
    ///   - run: The run in which they failed.
    ///   - changes: How files differ from the base, as git told it: what was read back from a file lacks `FileChange.mayEndBlock`.
    ///   - affected: The test targets that the change can break.
    ///   - name: What people call the function of a symbol.
    public static func all(
        of failures: [TestResult], in run: TestRun, by map: TestMap, changes: [FileChange], affected: AffectedTests,
        named name: (String) -> String
    ) -> [TestID: FailureObservation.Recorded] {
        let files = TestFiles(run)
        let contacts = map.contacts(
            of: failures, with: changes, on: .base, isWhole: true, library: { _ in nil },
            file: { files.file(of: $0) }, named: name)
        var apart: Set<Name> = []
        if case .some(let targets) = affected {
            apart = Set(
                run.modules.filter { $0.kind == .test && !targets.contains($0.name) }.map { Name($0.compilerName) })
        }
        var recorded: [TestID: FailureObservation.Recorded] = [:]
        for (test, contact) in contacts {
            recorded[test] = FailureObservation.Recorded(
                functions: Array(contact.functions.prefix(FailureCause.mostFunctions)),
                functionCount: contact.functions.count, executesNone: contact.executesNone,
                isApart: apart.contains(Name(test.module)))
        }
        return recorded
    }
}

/// One of the two sides of a change.
enum ChangeSide {
    /// What is tested.
    case head
    /// What it is compared with.
    case base

    /// The path of a file on this side; `nil` where there is none.
    func path(of change: FileChange) -> String? { self == .head ? change.path : change.basePath }

    /// The lines of a change on this side.
    func lines(of change: ChangedLines) -> Range<Int> { self == .head ? change.head : change.base }

    /// Whether a change touches lines of this side.
    func touches(_ lines: ClosedRange<Int>, in change: FileChange) -> Bool {
        self == .head ? change.touches(lines) : change.touches(ofBase: lines)
    }
}

extension TestMap {
    /// What tests execute of a change, by test. Those that were not recorded are not among them.
    ///
    /// A test executes nothing of a change only where every change lies inside the bodies of functions that other tests execute, and the
    /// test's own file is not among what changed. Nothing reaches it only where, besides, no test of its library executes any of it: they
    /// share a process, and what one computes another one reads.
    ///
    /// - Parameters:
    ///   - side: The side of the change that the map is of. That of the base has no function that the change adds.
    ///   - isWhole: Whether the changes are all that changed, and reach tests by nothing but their processes.
    ///   - library: That of a test; `nil` where it is not known.
    ///   - file: The file that a test is declared in, where it is known.
    ///   - name: What people call the function of a symbol.
    func contacts(
        of failures: [TestResult], with changes: [FileChange], on side: ChangeSide = .head, isWhole: Bool,
        library: (TestID) -> TestingLibrary?, file: (TestResult) -> String?, named name: (String) -> String
    ) -> [TestID: ChangeContact] {
        let byPath = Dictionary(files.map { (Name($0.path), $0) }) { first, _ in first }
        let positions = Dictionary(tests.enumerated().map { ($1, Int32($0)) }) { first, _ in first }
        let wanted = failures.compactMap { failure in positions[failure.id].map { (position: $0, test: failure.id) } }
        guard !wanted.isEmpty else { return [:] }
        var contacts = Dictionary(wanted.map { ($0.test, ChangeContact()) }) { first, _ in first }
        var known = Dictionary(wanted.map { ($0.test, Set<Name>()) }) { first, _ in first }
        var testsOfSet: [Int: [TestID]] = [:]
        var libraries: Set<TestingLibrary?> = []
        var isBounded = isWhole && !changes.isEmpty
        var seen: Set<Name> = []
        for change in changes {
            guard let path = side.path(of: change), seen.insert(Name(path)).inserted, let file = byPath[Name(path)]
            else {
                isBounded = false
                continue
            }
            let touched = file.functions.filter { side.touches($0.lines, in: change) }
            isBounded =
                isBounded && change.isInside(touched, on: side) && !touched.contains { sets[$0.set].hasOthers }
            for function in touched {
                let own: [TestID]
                if let known = testsOfSet[function.set] {
                    own = known
                } else {
                    own = wanted.filter { sets[function.set].contains($0.position) }.map(\.test)
                    testsOfSet[function.set] = own
                    for position in sets[function.set].tests { libraries.insert(library(tests[Int(position)])) }
                }
                guard !own.isEmpty else { continue }
                let words = Self.short(name(function.symbol))
                for test in own where known[test]?.insert(Name(words)).inserted == true {
                    contacts[test]?.functions.append(words)
                }
            }
        }
        let paths = Set((changes.compactMap(\.path) + changes.compactMap(\.basePath)).map { Name($0) })
        for failure in failures where isBounded && contacts[failure.id]?.functions.isEmpty == true {
            guard let own = file(failure), !paths.contains(Name(own)) else { continue }
            let sharesProcess = libraries.contains(nil) || libraries.contains(failure.library)
            contacts[failure.id] = ChangeContact(executesNone: true, isNone: !sharesProcess)
        }
        return contacts
    }

    /// `URLRule.match` of `closure #1 in URLRule.match(_:)`: a closure is a part of its function.
    static func short(_ name: String) -> String {
        let outer = name.ranges(of: " in ").last.map { name[$0.upperBound...] } ?? name[...]
        let words = outer.prefix { $0 != "(" }
        return String((words.isEmpty ? name[...] : words).prefix(ChangeContact.longestName))
    }
}

extension TestMap.TestSet {
    /// Whether a test is in it, by its position.
    fileprivate func contains(_ position: Int32) -> Bool {
        var (low, high) = (0, tests.count)
        while low < high {
            let middle = (low + high) / 2
            if tests[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low < tests.count && tests[low] == position
    }
}

extension FileChange {
    /// Whether all of it lies inside the bodies of functions: what stands around them may reach any test.
    fileprivate func isInside(_ functions: [TestMap.Function], on side: ChangeSide) -> Bool {
        guard let path, basePath.map({ Name($0) }) == Name(path), leadsElsewhere != true, (exposed ?? []).isEmpty
        else { return false }
        if side == .base {
            // Lines that end the body of a function of the base begin something that its map does not have.
            guard path.hasSuffix(".swift"), !mayEndBlock,
                !functions.contains(where: { SourceFunction.isInitialValue($0.symbol) })
            else { return false }
        }
        // By their first line, each with the last line of it and of all before: a stranger may send many of both.
        let lines = functions.map(\.lines).sorted { $0.lowerBound < $1.lowerBound }
        var ends: [Int] = []
        for own in lines { ends.append(max(ends.last ?? own.upperBound, own.upperBound)) }
        return changes.allSatisfy { change in
            let (first, last) = (side.lines(of: change).lowerBound, side.lines(of: change).upperBound - 1)
            var (low, high) = (0, lines.count)
            while low < high {
                let middle = (low + high) / 2
                if lines[middle].lowerBound < first { low = middle + 1 } else { high = middle }
            }
            // Of an empty range both lines around it lie in the function.
            return low > 0 && last < ends[low - 1]
        }
    }
}
