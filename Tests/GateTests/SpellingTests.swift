import TestSupport
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

    /// The recurrence as it is written in textbooks ("optimal string alignment"), over the whole of both words.
    private static func plainEdits(_ left: [Character], _ right: [Character]) -> Int {
        var table = [[Int]](repeating: [Int](repeating: 0, count: right.count + 1), count: left.count + 1)
        for row in 0...left.count {
            for column in 0...right.count {
                guard row > 0, column > 0 else {
                    table[row][column] = row + column
                    continue
                }
                let isSame = left[row - 1] == right[column - 1]
                var cost = min(
                    table[row - 1][column - 1] + (isSame ? 0 : 1), table[row - 1][column] + 1,
                    table[row][column - 1] + 1)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    cost = min(cost, table[row - 2][column - 2] + 1)
                }
                table[row][column] = cost
            }
        }
        return table[left.count][right.count]
    }

    @Test func `edits are those of the plain recurrence, and none beyond the most`() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<5_000 {
            let words = (0..<2).map { _ in
                (0..<Int.random(in: 0...9, using: &random)).map { _ in "abc".randomElement(using: &random) ?? "a" }
            }
            let edits = Self.plainEdits(words[0], words[1])
            #expect(Spelling.edits(words[0], words[1]) == edits, "\(words)")
            for most in 0...9 {
                #expect(
                    Spelling.edits(words[0], words[1], most: most) == (edits <= most ? edits : nil), "\(words) \(most)")
            }
        }
    }

    @Test func `of a list the first five misspelt words have a suggestion`() {
        var suggestions = Suggestions(among: ["Core"])
        var found: [String?] = []
        for _ in 0..<7 { found.append(suggestions.next(for: "Cor")) }
        #expect(found == ["Core", "Core", "Core", "Core", "Core", nil, nil])
    }

    @Test func `a word of any length costs no time`() {
        #expect(Spelling.nearest(to: String(repeating: "a", count: 1_000_000), among: ["a"]) == nil)
    }
}
