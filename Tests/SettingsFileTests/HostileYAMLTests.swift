import SettingsFile
import Testing

/// YAML that can hurt whoever reads it.
@Suite struct HostileYAMLTests {
    @Test(arguments: [
        "a: &x 1", "a: *x", "*x : 1", "[*x]", "{a: 1,*x}", "- - *x", "a:\n  - &x b", "&x a: 1", "? *x\n: 1", "--- *x",
        "{a:*x}", "a: 'it''s'\nb: *x", "a: it's\nb: *x\nc: it's", "a: \"q\\\"\"\nb: *x # \"", "# 'open\nb: *x\n# '",
        "{n: a\n 'b, k: *x, l: 'c}", "a: b #'\nk: *x #'", "a: b#'\nk: *x", "a: [b\n#'\n, *x]\n#'",
        "name: a\n  [ b\n*x : c",
        "a: \u{2028}*x", "{a: b:'c, k: *x, d: 'e}", "{ \"a\":*x }", "{? a : *x }", "a:\t*x",
        // A comment begins only where white space or another token ends.
        "[k:#, *x]", "[k?#, *x]", "k,#: *x", "k]#: *x", "k[#: *x", "---#: *x",
    ])
    func `an alias is refused wherever it hides`(text: String) {
        let error = #expect(throws: SettingsError.self) { try Settings.read(text: text, file: "f") }
        let isRefusedInTime = if case .unsupported = error { true } else { false }
        #expect(isRefusedInTime, "\(String(describing: error))")
    }

    @Test(arguments: [
        "project: 'a & *b'", "project: \"& *\\\" *x\"", "project: a  # *b &c", "project: R&D*x", "# *x\nproject: a",
        "coverage: { exclude: [ a/**, 'it''s *', b?, \"[*\" ] }", "project: it's # 'x", "project: a!b|c>d%",
        "{}#, *x", "{\"project\": 'a'}#*x", "---\nproject: a #*x", "project: 'R&D of D/*D, *d' # &c *d",
    ])
    func `a star or an ampersand in a text is only a text`(text: String) throws {
        _ = try Settings.read(text: text, file: "f")
    }

    @Test(arguments: [
        ("a: !!str b", "f:1:4: tags are not supported in settings"),
        ("a: |\n  *x", "f:1:4: block text is not supported in settings"),
        ("%YAML 1.1\n---\n{}", "f:1:1: directives are not supported in settings"),
        ("? a\n: b", "f:1:1: complex keys are not supported in settings"),
        ("a: 'b\n  c'", "f:1:4: quotes that do not end on their line are not supported in settings"),
        ("a: \"b\\", "f:1:4: quotes that do not end on their line are not supported in settings"),
        ("\u{FEFF}a: &x b", "f:1:4: anchors and aliases are not supported in settings"),
        ("a: b\r\nc: &x b", "f:2:4: anchors and aliases are not supported in settings"),
        (
            "version: 1 # a\u{2028}coverage: {}",
            "f:1:15: line ends other than LF and CR LF are not supported in settings"
        ),
        ("\n# a\u{2029}base: b", "f:2:4: line ends other than LF and CR LF are not supported in settings"),
        ("base: 'a\u{85}b'", "f:1:9: line ends other than LF and CR LF are not supported in settings"),
        ("version: 1\rbase: b", "f:1:11: line ends other than LF and CR LF are not supported in settings"),
        ("version: 1\r", "f:1:11: line ends other than LF and CR LF are not supported in settings"),
        ("version: 1\u{C}", "f:1:11: line ends other than LF and CR LF are not supported in settings"),
        ("base: a\u{FEFF}", "f:1:8: byte order marks behind the beginning are not supported in settings"),
        ("a: &x b", "f:1:4: anchors and aliases are not supported in settings"),
    ])
    func `what settings do not need is refused by name`(text: String, description: String) {
        let error = #expect(throws: SettingsError.self) { try Settings.read(text: text, file: "f") }
        #expect(error?.description == description)
    }

    @Test(arguments: [
        // To the parser the second line goes on with the text before, and no bracket is open behind it.
        "a: b\n  [ c\nd, 'e: &x [1] #'\nf, 'g: *x #'",
        // In quotes and comments nothing is expanded, but nobody has to be sure of that.
        "project: '&x *x'", "# &x\nproject: a # *x",
    ])
    func `an alias with an anchor of its name is refused even where the scanner sees none`(text: String) {
        let error = #expect(throws: SettingsError.self) { try Settings.read(text: text, file: "f") }
        #expect(error?.hint == "write '&x' or '*x' in another way")
    }

    @Test func `a bomb of aliases takes no time`() {
        var text = "a0: &a0 [x, x]\n"
        for index in 1..<60 { text += "a\(index): &a\(index) [*a\(index - 1), *a\(index - 1)]\n" }
        text += "? *a59\n: 1\n"
        #expect(throws: SettingsError.self) { try Settings.read(text: text, file: "f") }
    }

    @Test(arguments: ["[", "{a: ", "- ", "[{", "a:\n"])
    func `deep nesting is refused`(opening: String) {
        let text =
            opening == "a:\n"
            ? (0..<900).map { String(repeating: " ", count: $0) + opening }.joined()
            : String(repeating: opening, count: 100_000)
        let error = #expect(throws: SettingsError.self) { try Settings.read(text: text, file: "f") }
        #expect(error.map { $0.description.utf8.count < 200 } == true)
    }

    @Test func `no text of any kind traps`() {
        let pieces = [
            "a", ":", " ", "\n", "-", "[", "]", "{", "}", ",", "'", "\"", "#", "*", "&", "!", "|", ">", "%", "?", "\\",
            "\t",
            "coverage", "modules", "version: 1", "\u{0}", "\u{85}", "\u{FEFF}", "🇯🇵", "\r", "~", "---", "...", "\\u",
            "@",
        ]
        var state: UInt64 = 1
        for _ in 0..<3000 {
            var text = ""
            for _ in 0..<24 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += pieces[Int(state >> 33) % pieces.count]
            }
            do throws(SettingsError) {
                _ = try Settings.read(text: text, file: "f")
            } catch {
                #expect(error.description.hasPrefix("f:"))
            }
        }
    }
}
