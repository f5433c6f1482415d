import RunModel
import Testing

@Suite struct TestIDTests {
    private let composed = TestID(module: "M", suite: "S", name: "caf\u{E9}")
    private let decomposed = TestID(module: "M", suite: "S", name: "cafe\u{301}")

    @Test func `names that differ only in normalization are two tests`() {
        #expect(composed.name == decomposed.name)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test func `the order is total and by bytes`() {
        #expect(decomposed < composed)
        #expect(!(composed < decomposed))
        #expect(!(composed < composed))
    }

    @Test func `parts do not run into one another`() {
        let one = TestID(module: "M", suite: "A", name: "Bc")
        let other = TestID(module: "M", suite: "AB", name: "c")
        #expect(one != other)
    }

    @Test func `a free function has no suite before its name`() {
        #expect(TestID(module: "M", suite: "", name: "free()").description == "M.free()")
        #expect(TestID(module: "M", suite: "A/B", name: "f()").description == "M.A/B/f()")
    }
}
