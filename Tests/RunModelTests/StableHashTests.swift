import Testing

@testable import RunModel

@Suite struct StableHashTests {
    /// Source: the test vectors of FNV-1a (draft-eastlake-fnv).
    @Test(arguments: [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")])
    func `the hash is FNV-1a of 64 bits`(text: String, digits: String) {
        #expect(StableHash(text).hexadecimal == digits)
    }

    @Test func `what is taken piece by piece has the hash of the whole`() {
        var hash = StableHash("foo")
        hash.combine("bar".utf8)
        #expect(hash.value == StableHash("foobar").value)
    }
}
