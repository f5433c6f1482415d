import RunModel

/// What a test executes of a change.
struct ChangeContact: Sendable, Hashable {
    /// The changed functions that it executes, by the names that people read, each once.
    var functions: [String] = []
    /// Whether it is certain that nothing of the change reaches it; `false` where nobody knows.
    var isNone = false
}

extension TestMap {
    /// What tests execute of a change, by test. Those that were not recorded are not among them.
    ///
    /// That nothing reaches a test is certain only where every change lies inside the bodies of functions that other tests execute, and
    /// no test's own file or other file is among what changed.
    ///
    /// - Parameters:
    ///   - isWhole: Whether the changes are all that changed.
    ///   - file: The file that a test is declared in, where it is known.
    ///   - name: What people call the function of a symbol.
    func contacts(
        of failures: [TestResult], with changes: [FileChange], isWhole: Bool, file: (TestResult) -> String?,
        named name: (String) -> String
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
            guard let path = change.path, seen.insert(Name(path)).inserted, let file = byPath[Name(path)] else {
                isBounded = false
                continue
            }
            let touched = file.functions.filter { change.touches($0.lines) }
            isBounded = isBounded && change.isInside(touched) && !touched.contains { sets[$0.set].hasOthers }
            for function in touched {
                let own =
                    testsOfSet[function.set]
                    ?? wanted.filter { sets[function.set].contains($0.position) }.map(\.test)
                testsOfSet[function.set] = own
                guard !own.isEmpty else { continue }
                let words = Self.short(name(function.symbol))
                for test in own where known[test]?.insert(Name(words)).inserted == true {
                    contacts[test]?.functions.append(words)
                }
            }
        }
        let paths = Set(changes.compactMap(\.path).map { Name($0) })
        for failure in failures where isBounded && contacts[failure.id]?.functions.isEmpty == true {
            contacts[failure.id]?.isNone = file(failure).map { !paths.contains(Name($0)) } ?? false
        }
        return contacts
    }

    /// `URLRule.match` of `closure #1 in URLRule.match(_:)`: a closure is a part of its function.
    static func short(_ name: String) -> String {
        let outer = name.ranges(of: " in ").last.map { name[$0.upperBound...] } ?? name[...]
        let words = outer.prefix { $0 != "(" }
        return words.isEmpty ? name : String(words)
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
    /// So many comparisons of changed lines with functions are made for one file; of more nothing is certain.
    private static let mostComparisons = 2_000_000

    /// Whether all of it lies inside the bodies of functions: what stands around them may reach any test.
    fileprivate func isInside(_ functions: [TestMap.Function]) -> Bool {
        guard let path, basePath.map({ Name($0) }) == Name(path), leadsElsewhere != true, (exposed ?? []).isEmpty,
            changes.count * functions.count <= Self.mostComparisons
        else { return false }
        return changes.allSatisfy { change in
            let (first, last) = (change.head.lowerBound, change.head.upperBound - 1)
            return functions.contains { function in
                let lines = function.lines
                // Of an empty range both lines around it lie in the function.
                return lines.lowerBound < first && last < lines.upperBound
            }
        }
    }
}
