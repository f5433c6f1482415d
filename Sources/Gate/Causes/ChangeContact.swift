import RunModel

/// What a test executes of a change.
struct ChangeContact: Sendable, Hashable {
    /// The changed functions that it executes, by the names that people read, each once.
    var functions: [String] = []
    /// Whether it executes nothing of the change by itself, though all of the change is known; `false` where nobody knows.
    var executesNone = false
    /// Whether it is certain that nothing of the change reaches it, not even by what other tests leave behind.
    var isNone = false

    /// The longest name of a function, in characters.
    fileprivate static let longestName = 120
}

extension TestMap {
    /// What tests execute of a change, by test. Those that were not recorded are not among them.
    ///
    /// A test executes nothing of a change only where every change lies inside the bodies of functions that other tests execute, and the
    /// test's own file is not among what changed. Nothing reaches it only where, besides, no test of its library executes any of it: they
    /// share a process, and what one computes another one reads.
    ///
    /// - Parameters:
    ///   - isWhole: Whether the changes are all that changed, and reach tests by nothing but their processes.
    ///   - library: That of a test; `nil` where it is not known.
    ///   - file: The file that a test is declared in, where it is known.
    ///   - name: What people call the function of a symbol.
    func contacts(
        of failures: [TestResult], with changes: [FileChange], isWhole: Bool,
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
            guard let path = change.path, seen.insert(Name(path)).inserted, let file = byPath[Name(path)] else {
                isBounded = false
                continue
            }
            let touched = file.functions.filter { change.touches($0.lines) }
            isBounded = isBounded && change.isInside(touched) && !touched.contains { sets[$0.set].hasOthers }
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
        let paths = Set(changes.compactMap(\.path).map { Name($0) })
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
    fileprivate func isInside(_ functions: [TestMap.Function]) -> Bool {
        guard let path, basePath.map({ Name($0) }) == Name(path), leadsElsewhere != true, (exposed ?? []).isEmpty
        else { return false }
        // By their first line, each with the last line of it and of all before: a stranger may send many of both.
        let lines = functions.map(\.lines).sorted { $0.lowerBound < $1.lowerBound }
        var ends: [Int] = []
        for own in lines { ends.append(max(ends.last ?? own.upperBound, own.upperBound)) }
        return changes.allSatisfy { change in
            let (first, last) = (change.head.lowerBound, change.head.upperBound - 1)
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
