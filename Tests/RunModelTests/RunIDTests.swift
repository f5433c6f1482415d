import RunModel
import Testing

@Suite struct RunIDTests {
    @Test func `an id has the canonical form of a UUID version 7`() {
        let id = RunID(milliseconds: 0x0192_3456_789A, random: (.max, .max))
        #expect(id.description == "01923456-789a-7fff-bfff-ffffffffffff")
        #expect(RunID(id.description) == id)
    }

    @Test func `ids sort by time`() {
        #expect(RunID(milliseconds: 1, random: (.max, .max)) < RunID(milliseconds: 2, random: (0, 0)))
    }

    @Test(arguments: [
        "", "01923456-789a-7fff-bfff-fffffffffff", "01923456-789A-7fff-bfff-ffffffffffff",
        "01923456-789a-4fff-bfff-ffffffffffff", "01923456_789a-7fff-bfff-ffffffffffff",
    ])
    func `anything else is refused`(text: String) {
        #expect(RunID(text) == nil)
    }
}
