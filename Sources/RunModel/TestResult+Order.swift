import Foundation

extension [TestResult] {
    /// Orders the results by the identities of their tests; those of one test stay in the order they have.
    ///
    /// Results are large and identities are four texts: places are sorted by keys that lie side by side, and every result
    /// is moved once, within the list. The order is that of `TestID`.
    public mutating func orderByIdentity() {
        guard !isOrderedByIdentity else { return }
        guard let keys = IdentityKeys(self) else { return sort { $0.id < $1.id } }
        var origins = (0..<Int32(count)).sorted { keys.order(Int($0), Int($1)) < 0 }
        // A buffer moves what it swaps, an array copies it.
        withUnsafeMutableBufferPointer { results in
            for start in results.indices {
                // Every result of a cycle goes to its place, and the first to the place that is left.
                var place = start
                while Int(origins[place]) != start {
                    let origin = Int(origins[place])
                    results.swapAt(place, origin)
                    origins[place] = Int32(place)
                    place = origin
                }
                origins[place] = Int32(place)
            }
        }
    }

    /// The results in the order of `orderByIdentity`.
    public func orderedByIdentity() -> [TestResult] {
        var results = self
        results.orderByIdentity()
        return results
    }

    /// Whether every test comes behind those with lesser identities, and none comes twice.
    public var isOrderedByIdentity: Bool {
        withUnsafeBufferPointer { results in
            results.indices.dropFirst().allSatisfy { results[$0 - 1].id < results[$0].id }
        }
    }
}

/// The identities of results as bytes: the parts of each in a row, separated by a byte that is below all others.
private struct IdentityKeys {
    private var bytes: [UInt8] = []
    private var ends: [Int] = [0]

    /// `nil` where an identity has that byte itself.
    init?(_ results: [TestResult]) {
        bytes.reserveCapacity(results.count * 64)
        ends.reserveCapacity(results.count + 1)
        for result in results {
            let id = result.id
            append(id.module)
            append(id.suite)
            append(id.name)
            append(id.discriminator)
            ends.append(bytes.count)
        }
        let zeros = bytes.withUnsafeBufferPointer { bytes in bytes.reduce(0) { $0 + ($1 == 0 ? 1 : 0) } }
        guard zeros == results.count * 4 else { return nil }
    }

    private mutating func append(_ part: String) {
        bytes.append(contentsOf: part.utf8)
        bytes.append(0)
    }

    /// The order of two identities by their places: below, equal to or above 0.
    func order(_ left: Int, _ right: Int) -> Int {
        let (one, other) = (ends[left]..<ends[left + 1], ends[right]..<ends[right + 1])
        let order = bytes.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map {
                memcmp($0 + one.lowerBound, $0 + other.lowerBound, Swift.min(one.count, other.count))
            }
        }
        return order.map { $0 == 0 ? one.count - other.count : Int($0) } ?? 0
    }
}
