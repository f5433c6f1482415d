import Testing

@testable import Dashboard

/// How texts are compared when a person looks for something.
@Suite struct SearchTextTests {
    @Test func `a text is found wherever it stands, by its bytes`() {
        for (wanted, text) in [
            ("a", "a"), ("ab", "aab"), ("aab", "aaab"), ("", ""), ("", "a"), ("b", "ab"), ("ガ", "xガy"), ("ab", "abab"),
        ] {
            #expect(wanted.isIn(text), "\(wanted) in \(text)")
        }
        for (wanted, text) in [("a", ""), ("ab", "a"), ("ab", "aaa"), ("ba", "ab"), ("ガ", "カ"), ("abc", "ababab")] {
            #expect(!wanted.isIn(text), "\(wanted) in \(text)")
        }
        let long = String(repeating: "ab", count: 200)
        #expect("b\(long)a".isIn("\(long)\(long)"))
        #expect(!"bb".isIn(long))
        // A letter is found under its accents.
        #expect("e".isIn("e\u{301}"))
    }

    @Test func `neither the form of accents nor capital letters make a difference`() {
        #expect("URLRule.Match(_:)".searchForm == "urlrule.match(_:)")
        #expect(Array("\u{30AB}\u{3099}".searchForm.utf8) == Array("ガ".utf8))
        #expect(Array("E\u{301}É".searchForm.utf8) == Array("éé".utf8))
        #expect("".searchForm.isEmpty)
    }
}
