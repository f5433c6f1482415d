import RunModel
import Testing

@Suite struct NamedTestTests {
    private func title(_ suite: String, _ name: String, _ displayName: String?, _ suiteDisplayName: String?) -> String?
    {
        NamedTest(
            TestID(module: "M", suite: suite, name: name), displayName: displayName, suiteDisplayName: suiteDisplayName
        ).title
    }

    @Test func `a test is called by its own name behind that of its suite`() {
        #expect(title("Parsing", "f()", nil, nil) == nil)
        #expect(title("Parsing", "f()", "counts flags", nil) == "counts flags")
        #expect(title("Parsing", "f()", nil, "the parser") == "the parser › f()")
        #expect(title("Parsing", "f()", "counts flags", "the parser") == "the parser › counts flags")
    }

    @Test func `a name that says no more than the identity is none`() {
        #expect(title("`the parser`/Deep", "`counts flags`()", "counts flags", "the parser/Deep") == nil)
        #expect(title("", "f()", "", "") == nil)
        #expect(title("", "testF", "testF", nil) == nil)
    }
}
