import RunModel
import Testing
import Wording

@Suite struct UnexecutedWordsTests {
    @Test(arguments: [
        ("if x < 0 { return -1 }", 10, 23, "7:10–22"),
        // A tab is one character.
        ("\tif x { y() }", 7, 14, "7:7–13"),
        // Three bytes a character, then four.
        ("日本 { 語() }", 8, 17, "7:4–10"), ("let 🇯🇵 = a ? b : c", 16, 17, "7:9"),
        // Composed of two scalars: a part that begins within takes the whole of it.
        ("e\u{301} ?? d", 2, 3, "7:1"),
    ])
    func `bytes become the characters that a person sees`(text: String, start: Int32, end: Int32, words: String) {
        #expect(MissedPart(line: 7, start: start, end: end).words(in: text) == words)
    }

    @Test func `without the text columns are bytes, and the end of a line has no number`() {
        #expect(MissedPart(line: 7, start: 3, end: 9).words(in: nil) == "7:3–8")
        #expect(MissedPart(line: 7, start: 3, end: nil).words(in: "日本") == "7:1–")
    }

    @Test func `the parts of a line are found in it by its characters`() {
        let text = "a🇯🇵\u{E9}\tb"
        #expect(MissedPart.characterStarts(of: text) == [1, 2, 10, 12, 13, 14])
        let parts: [(Int32, Int32?, Range<Int>)] = [
            (1, 2, 1..<2), (2, 3, 2..<3), (5, 11, 2..<4), (10, nil, 3..<6), (13, 14, 5..<6), (14, nil, 6..<6),
            (99, 100, 6..<6),
        ]
        for (start, end, characters) in parts {
            #expect(MissedPart(line: 1, start: start, end: end).characters(in: text) == characters)
        }
        #expect(MissedPart(line: 1, start: 1, end: nil).characters(in: "") == 1..<1)
    }

    @Test func `what was not executed is summed up`() {
        let function = SourceFunction(name: "f", line: 1, column: 1, endLine: 2, endColumn: 2)
        let parts = [MissedPart(line: 3, start: 1, end: 2), MissedPart(line: 3, start: 5, end: 6)]
        #expect(
            UnexecutedCode(parts: parts, functions: [function]).summary
                == "1 function never called, 1 line executed in part")
        #expect(UnexecutedCode(functions: []).summary == nil)
    }
}
