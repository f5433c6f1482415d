import Foundation

extension PassedTests {
    /// The same tests ordered by identity; `nil` when one is there twice.
    ///
    /// Suites are far fewer than tests: they are put in order first, so that tests are only compared by their names.
    func ordered() -> PassedTests? {
        let ranks = suiteRanks()
        var places = [Int](repeating: 0, count: suites.count + 1)
        for entry in entries { places[ranks[Int(entry.suite)] + 1] += 1 }
        for rank in places.indices.dropFirst() { places[rank] += places[rank - 1] }
        let starts = places
        var ordered = self
        for entry in entries {
            let rank = ranks[Int(entry.suite)]
            ordered.entries[places[rank]] = entry
            places[rank] += 1
        }
        let isUnique = texts.lend { texts in
            ordered.entries.withUnsafeMutableBufferPointer { entries in
                for (start, end) in zip(starts, starts.dropFirst()) where end - start > 1 {
                    var suite = UnsafeMutableBufferPointer(rebasing: entries[start..<end])
                    suite.sort { byteOrder(texts[$0.name], texts[$1.name]) < 0 }
                    for index in 1..<suite.count
                    where byteOrder(texts[suite[index - 1].name], texts[suite[index].name]) == 0 {
                        return false
                    }
                }
                return true
            }
        }
        return isUnique ? ordered : nil
    }

    /// For every suite how many of other names come before it; suites that were begun again have the same rank.
    private func suiteRanks() -> [Int] {
        texts.lend { texts in
            func order(_ left: Int, _ right: Int) -> Int {
                let order = byteOrder(texts[suites[left].module], texts[suites[right].module])
                return order == 0 ? byteOrder(texts[suites[left].name], texts[suites[right].name]) : order
            }
            var ranks = [Int](repeating: 0, count: suites.count)
            var (rank, last): (Int, Int?) = (0, nil)
            for suite in suites.indices.sorted(by: { order($0, $1) < 0 }) {
                if let last, order(last, suite) != 0 { rank += 1 }
                ranks[suite] = rank
                last = suite
            }
            return ranks
        }
    }

    /// How many of them, which are in order, come before a test; `nil` when it is one of them.
    func count(before id: TestID) -> Int? {
        var (module, suite, name) = (id.module, id.suite, id.name)
        return module.withUTF8 { module in
            suite.withUTF8 { suite in
                name.withUTF8 { name in
                    var (low, high) = (0, count)
                    while low < high {
                        let middle = (low + high) / 2
                        let order = withIdentity(middle) { foundModule, foundSuite, foundName in
                            var order = byteOrder(foundModule, UnsafeRawBufferPointer(module))
                            if order == 0 { order = byteOrder(foundSuite, UnsafeRawBufferPointer(suite)) }
                            return order == 0 ? byteOrder(foundName, UnsafeRawBufferPointer(name)) : order
                        }
                        if order == 0 {
                            // Theirs is empty, so that any other comes behind.
                            return id.discriminator.isEmpty ? nil : middle + 1
                        }
                        if order < 0 { low = middle + 1 } else { high = middle }
                    }
                    return low
                }
            }
        }
    }
}

/// The order of two texts by their bytes: below, equal to or above 0.
private func byteOrder(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    var order: Int32 = 0
    if let one = left.baseAddress, let other = right.baseAddress {
        order = memcmp(one, other, min(left.count, right.count))
    }
    return order == 0 ? left.count - right.count : Int(order)
}
