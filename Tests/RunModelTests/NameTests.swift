import RunModel
import Testing

@Suite struct NameTests {
    /// One letter as one scalar, and as a letter and a mark: one text to Swift, two names of a file.
    private static let composed = "caf\u{E9}.swift"
    private static let decomposed = "cafe\u{301}.swift"

    @Test func `names are one only when every byte is the same`() {
        #expect(Self.composed == Self.decomposed)
        #expect(Name(Self.composed) != Name(Self.decomposed))
        #expect(Name("a") == Name("xab".dropFirst().dropLast()))
        #expect(Set([Self.composed, Self.decomposed, Self.composed].map { Name($0) }).count == 2)
        #expect(Name("") == Name("") && Name("") != Name("a"))
    }

    @Test func `names are ordered by their bytes, the shorter first`() {
        let ordered = ["", "B", "a", "aa", Self.decomposed, Self.composed, "ガ", "\u{10000}"]
        #expect(
            ordered.shuffled().map { Name($0) }.sorted().map(\.text).map { Array($0.utf8) }
                == ordered.map { Array($0.utf8) })
    }

    @Test func `names in a row have another hash than their text as a whole`() {
        #expect([Name("ab"), Name("c")].hashValue != [Name("a"), Name("bc")].hashValue)
    }
}
