import RunModel
import Testing

@Suite struct TestOrderTests {
    private static func results(_ names: [String]) -> [TestResult] {
        names.enumerated().map { place, name in
            let parts = name.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            return TestResult(
                id: TestID(module: parts[0], suite: parts[1], name: parts[2]), library: .xctest, outcome: .passed,
                displayName: "\(place)")
        }
    }

    @Test(arguments: [
        ["m|b|x", "m|a|y", "m|a|x", "l|z|z"], ["m|s|ab", "m|s|a", "m|sa|b", "m|s|", "|m|s"],
        ["m|s|caf\u{E9}", "m|s|cafe\u{301}", "m|s|日本", "m|s|z"], ["m|s|a\u{0}b", "m|s\u{0}a|b", "m|s|a"],
        ["m|s|a", "m|s|b", "m|s|a", "m|s|a"], [],
    ])
    func `results are ordered as their identities are, those of one test as they came`(names: [String]) {
        let results = Self.results(names)
        let expected = results.enumerated().sorted { one, other in
            one.element.id == other.element.id ? one.offset < other.offset : one.element.id < other.element.id
        }.map(\.element)
        var ordered = results
        ordered.orderByIdentity()
        #expect(ordered == expected)
        #expect(results.isOrderedByIdentity == (Set(results.map(\.id)).count == results.count && results == expected))
        ordered.orderByIdentity()
        #expect(ordered == expected)
    }
}
