import Testing

@testable import Gate

@Suite struct SpellingTests {
    @Test(arguments: [
        ("covrage", "coverage"), ("Coverage", "coverage"), ("coverge", "coverage"), ("moduels", "modules"),
        ("lien", "line"), ("lines", "line"), ("func", nil), ("x", nil), ("", nil), ("コーア", nil), ("モジュル", "モジュール"),
    ])
    func `the nearest word is the one that was probably meant`(word: String, nearest: String?) {
        let words = ["coverage", "modules", "line", "function", "モジュール"]
        #expect(Spelling.nearest(to: word, among: words) == nearest)
    }

    @Test func `of two equally near the first wins`() {
        #expect(Spelling.nearest(to: "Cora", among: ["Core", "Corn"]) == "Core")
        #expect(Spelling.nearest(to: "Cora", among: ["Corn", "Core"]) == "Corn")
    }

    @Test(arguments: [("", "", 0), ("abc", "", 3), ("", "ab", 2), ("ab", "ba", 1), ("kitten", "sitting", 3)])
    func `edits are counted`(left: String, right: String, count: Int) {
        #expect(Spelling.edits(Array(left), Array(right)) == count)
    }

    @Test func `a word of any length costs no time`() {
        #expect(Spelling.nearest(to: String(repeating: "a", count: 1_000_000), among: ["a"]) == nil)
    }
}
