import Exports
import TestSupport
import Testing

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("日本語", 6), ("ﾊﾝｶｸ", 4), ("ＡＢ", 4), ("가나", 4), ("\u{1100}\u{1161}\u{11A8}", 2),
        ("e\u{301}", 1),
        ("か\u{3099}", 2), ("🇯🇵", 2), ("👨‍👩‍👧", 2), ("👍🏽", 2), ("❤️", 2), ("❤", 1), ("☂\u{FE0F}", 2), ("1️⃣", 2),
        ("1", 1), ("#", 1), ("é", 1), ("ñ", 1), ("ไทย", 3), ("ที่", 1), ("नमस्ते", 4), ("👩‍❤️‍💋‍👨", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("…", 1),
        ("–", 1), ("✓", 1), ("✕", 1), ("𠮷", 2), ("a\u{200D}b", 2),
    ])
    func `a cluster takes the columns that a terminal gives it`(text: String, columns: Int) {
        #expect(TerminalText.width(text) == columns)
    }

    @Test func `cutting keeps clusters whole`() {
        let text = "test_異常系🇯🇵👨‍👩‍👧e\u{301}x"
        let expected = [
            0: "", 1: "…", 5: "test…", 6: "test_…", 7: "test_…", 8: "test_異…", 12: "test_異常系…", 13: "test_異常系…",
            14: "test_異常系🇯🇵…", 16: "test_異常系🇯🇵👨‍👩‍👧…", 17: text,
        ]
        for (columns, cut) in expected { #expect(TerminalText.cut(text, to: columns) == cut, "\(columns) columns") }
        for columns in 0...20 { #expect(TerminalText.width(TerminalText.cut(text, to: columns)) <= columns) }
    }

    @Test func `fitted text has exactly the columns asked for`() {
        for text in ["", "ab", "日本語", "🇯🇵🇯🇵🇯🇵", "e\u{301}e\u{301}"] {
            for columns in 0...8 {
                #expect(TerminalText.width(TerminalText.fitted(text, to: columns)) == columns)
                #expect(TerminalText.width(TerminalText.fitted(text, to: columns, rightAligned: true)) == columns)
            }
        }
    }

    @Test(arguments: [
        ("\u{1B}[31mred\u{1B}[0m", "␛[31mred␛[0m"), ("a\rb\u{8}c", "a␍b␈c"),
        ("\u{1B}]8;;http://x\u{7}", "␛]8;;http://x␇"),
        ("\u{9B}31m", "⟨U+009B⟩31m"), ("\u{7F}\u{0}", "␡␀"), ("a\u{202E}b\u{2066}c", "a⟨U+202E⟩b⟨U+2066⟩c"),
        ("a\u{200B}b\u{FEFF}", "a⟨U+200B⟩b⟨U+FEFF⟩"), ("a\nb\tc\r\nd", "a␊b␉c␍␊d"), ("a\u{2028}b", "a⟨U+2028⟩b"),
        ("\u{FFFF}\u{1FFFE}", "⟨U+FFFF⟩⟨U+1FFFE⟩"), ("\u{E0041}", "⟨U+E0041⟩"), ("👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم", "👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم"),
        ("::error::x", "\\::error::x"),
        ("  ::set-output", "  \\::set-output"), ("##teamcity[x", "# #teamcity[x"), ("a ##[error]b", "a # #[error]b"),
        ("##vso[task", "# #vso[task"), ("a::b", "a::b"), ("::\u{301}x", "\\::\u{301}x"),
    ])
    func `what acts or hides is made visible`(text: String, safe: String) {
        #expect(Array(TerminalText.safe(text).unicodeScalars) == Array(safe.unicodeScalars))
    }

    @Test func `lines are split where they break, and each is safe`() {
        #expect(
            TerminalText.safeLines("a\r\n\tb\rc\n::error\n\n \n") == ["a", "    b", "c", "\\::error"]
        )
        #expect(TerminalText.safeLines("") == [])
    }

    @Test func `nothing that a terminal obeys is left in any report`() throws {
        let run = SampleRuns.failing()
        let verdict = SampleVerdicts.failing(run)
        let unbuilt = SampleVerdicts.unbuilt()
        let reports = [
            TextReport.render(run, verdict) { _, _ in SampleRuns.hostile },
            TextReport.render(unbuilt.run, unbuilt.verdict) { _, _ in SampleRuns.hostile },
            MarkdownReport.render(run, verdict), try JSONReport.render(run, verdict),
            MarkdownReport.render(unbuilt.run, unbuilt.verdict),
        ]
        for report in reports {
            let acting = report.unicodeScalars.filter { scalar in
                scalar != "\n" && (scalar.properties.generalCategory == .control || scalar.properties.isBidiControl)
            }
            #expect(acting.isEmpty)
            #expect(!report.split(separator: "\n").contains { $0.drop { $0 == " " }.hasPrefix("::") })
        }
    }
}
