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
        var wanted: [Int32: TestID] = [:]
        for failure in failures {
            if let position = positions[failure.id] { wanted[position] = failure.id }
        }
        var contacts = Dictionary(uniqueKeysWithValues: wanted.values.map { ($0, ChangeContact()) })
        var isBounded = isWhole && !changes.isEmpty
        for change in changes {
            guard let path = change.path, let file = byPath[Name(path)] else {
                isBounded = false
                continue
            }
            let touched = file.functions.filter { change.touches($0.lines) }
            isBounded = isBounded && change.isInside(touched) && !touched.contains { sets[$0.set].hasOthers }
            for function in touched {
                let words = Self.short(name(function.symbol))
                for position in sets[function.set].tests {
                    guard let test = wanted[position], contacts[test]?.functions.contains(words) == false else {
                        continue
                    }
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

extension FileChange {
    /// Whether all of it lies inside the bodies of functions: what stands around them may reach any test.
    fileprivate func isInside(_ functions: [TestMap.Function]) -> Bool {
        guard let path, basePath.map({ Name($0) }) == Name(path), leadsElsewhere != true, (exposed ?? []).isEmpty else {
            return false
        }
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
