public import RunModel

/// What a test executes of a change.
struct ChangeContact: Sendable, Hashable {
    /// The changed functions that it executes, by the names that people read, each once.
    var functions: [String] = []
    /// How many more functions there are.
    var more = 0
    /// Whether it executes nothing of the change by itself, though all of the change is known; `false` where nobody knows.
    var executesNone = false
    /// Whether nothing at all executes the change, no other test either: what they share with it, such as a file, may hand the change on.
    var isNone = false
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
            executesNone: executesNone, isOfBase: true)
    }
}

extension FailureObservation.Recorded {
    /// What failed tests execute of a change by the per-test coverage of a run of the base, by test. Those that it does not have are not among them.
    ///
    /// - Parameters:
    ///   - run: The run in which they failed.
    ///   - changes: How files differ from the base, as git told it: what was read back from a file lacks `FileChange.mayEndBlock`.
    ///   - name: What people call the function of a symbol.
    public static func all(
        of failures: [TestResult], in run: TestRun, by map: TestMap, changes: [FileChange],
        named name: (String) -> String
    ) -> [TestID: FailureObservation.Recorded] {
        let files = TestFiles(run)
        let contacts = map.contacts(
            of: failures, with: changes, on: .base, isWhole: true, file: { files.file(of: $0) }, named: name)
        let isUnexecuted = map.hasNothing(of: changes, on: .base) && !changes.contains(where: \.mayEndBlock)
        var recorded: [TestID: FailureObservation.Recorded] = [:]
        for (test, contact) in contacts {
            recorded[test] = FailureObservation.Recorded(
                functions: Array(contact.functions.prefix(FailureCause.mostFunctions)),
                functionCount: contact.functions.count, executesNone: contact.executesNone,
                isUnexecuted: isUnexecuted)
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
    /// test's own file is not among what changed. Those may still hand the change on: in their process, or by a file.
    ///
    /// - Parameters:
    ///   - side: The side of the change that the map is of. That of the base has no function that the change adds.
    ///   - isWhole: Whether the changes are all that changed, and reach tests by nothing but their processes.
    ///   - file: The file that a test is declared in, where it is known.
    ///   - name: What people call the function of a symbol.
    func contacts(
        of failures: [TestResult], with changes: [FileChange], on side: ChangeSide = .head, isWhole: Bool,
        file: (TestResult) -> String?, named name: (String) -> String
    ) -> [TestID: ChangeContact] {
        let byPath = Dictionary(files.map { (Name($0.path), $0) }) { first, _ in first }
        let positions = Dictionary(tests.enumerated().map { ($1, Int32($0)) }) { first, _ in first }
        let wanted = failures.compactMap { failure in positions[failure.id].map { (position: $0, test: failure.id) } }
        guard !wanted.isEmpty else { return [:] }
        var contacts = Dictionary(wanted.map { ($0.test, ChangeContact()) }) { first, _ in first }
        var known = Dictionary(wanted.map { ($0.test, Set<Name>()) }) { first, _ in first }
        var testsOfSet: [Int: [TestID]] = [:]
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
            contacts[failure.id] = ChangeContact(executesNone: true)
        }
        return contacts
    }

    /// Whether none of its functions, which are those that were executed, has lines of a change.
    fileprivate func hasNothing(of changes: [FileChange], on side: ChangeSide) -> Bool {
        let byPath = Dictionary(files.map { (Name($0.path), $0) }) { first, _ in first }
        return changes.allSatisfy { change in
            let functions = side.path(of: change).flatMap { byPath[Name($0)] }?.functions ?? []
            return !functions.contains { side.touches($0.lines, in: change) }
        }
    }

    /// `URLRule.match` of `closure #1 in URLRule.match(_:)`: a closure is a part of its function.
    static func short(_ name: String) -> String {
        let outer = name.ranges(of: " in ").last.map { name[$0.upperBound...] } ?? name[...]
        let words = outer.prefix { $0 != "(" }
        return String((words.isEmpty ? name[...] : words).prefix(ChangeContact.longestName))
    }
}

extension TestRun {
    /// Whether nothing of a change was executed, by any test or by anything else: all of it lies inside the bodies of functions that
    /// were never called. What a process did that was cut off is not known, nor what tests do that were not chosen.
    func executesNone(of changes: [FileChange]) -> Bool {
        let cut: Set<Outcome> = [.crashed, .timedOut, .notRun]
        let isCut = tests.contains { test in
            cut.contains(test.outcome) || test.attempts.contains { cut.contains($0.outcome) }
        }
        guard !changes.isEmpty, !isPartial, !isCut, let coverage else { return false }
        let files = Dictionary(coverage.files.map { (Name($0.path), $0) }) { first, _ in first }
        return changes.allSatisfy { change in
            // What a macro of C says in the body of a function reaches further.
            guard let path = change.path, path.hasSuffix(".swift"), !change.changes.isEmpty,
                let file = files[Name(path)], let uncalled = file.unexecuted?.functions,
                let called = file.calledFunctions
            else { return false }
            return change.isInside(uncalled.filter { !$0.isInitialValue }.map(\.lines), on: .head)
                && !called.contains { change.touches($0.lines) }
        }
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
        if side == .base {
            // Lines that end the body of a function of the base begin something that its map does not have.
            guard path?.hasSuffix(".swift") == true, !mayEndBlock,
                !functions.contains(where: { SourceFunction.isInitialValue($0.symbol) })
            else { return false }
        }
        return isInside(functions.map(\.lines), on: side)
    }

    /// The same, by the lines of the functions.
    fileprivate func isInside(_ bodies: [ClosedRange<Int>], on side: ChangeSide) -> Bool {
        guard let path, basePath.map({ Name($0) }) == Name(path), leadsElsewhere != true, (exposed ?? []).isEmpty
        else { return false }
        // By their first line, each with the last line of it and of all before: a stranger may send many of both.
        let lines = bodies.sorted { $0.lowerBound < $1.lowerBound }
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
