import RunModel

/// Tells apart tests with the same name in the same suite: by file, and within a file by their order.
struct TestDiscriminators {
    private var discriminators: [EventTestID: String] = [:]

    init(_ ids: [EventTestID]) {
        // Sets only where two tests have one name: there are few, and sets are large.
        var first: [TestID: EventTestID] = [:]
        var groups: [TestID: Set<EventTestID>] = [:]
        for id in ids {
            let known = first[id.test] ?? id
            first[id.test] = known
            if known != id { groups[id.test, default: [known]].insert(id) }
        }
        for group in groups.values {
            let isInSeveralFiles = Set(group.map { Name($0.file) }).count > 1
            var numbers: [Name: Int] = [:]
            for id in group.sorted(by: { $0.position < $1.position }) {
                let number = numbers[Name(id.file), default: 0] + 1
                numbers[Name(id.file)] = number
                discriminators[id] = (isInSeveralFiles ? id.file : "") + (number > 1 ? "#\(number)" : "")
            }
        }
    }

    /// The identity of a test, which is the same in every run.
    subscript(id: EventTestID) -> TestID {
        guard let discriminator = discriminators[id] else { return id.test }
        return TestID(
            module: id.test.module, suite: id.test.suite, name: id.test.name, discriminator: discriminator
        )
    }
}

extension EventTestID {
    /// Line and column, for the order within a file.
    fileprivate var position: (Int, Int) {
        let numbers = place.split(separator: ":").suffix(2).map { Int($0) ?? 0 }
        return (numbers.first ?? 0, numbers.last ?? 0)
    }
}
