import Gate
import Testing

@Suite struct GlobTests {
    @Test(arguments: [
        ("Core", "Core"), ("*", "Core"), ("*", ""), ("*UI", "CoreUI"), ("*UI", "UI"), ("Core?", "Core2"),
        ("C*e*s", "CoreTestes"), ("?", "日"), ("モ*ル", "モデル"), ("[a]", "[a]"), ("a\\*", "a\\b"),
        ("**", "Sources/a/b.swift"), ("**", ""), ("Sources/**", "Sources/a/b.swift"), ("Sources/**", "Sources"),
        ("**/b.swift", "b.swift"), ("**/b.swift", "Sources/a/b.swift"), ("**/a/**", "Sources/a/b.swift"),
        ("Sources/*/b.swift", "Sources/a/b.swift"), ("Sources/**/x/**/b.swift", "Sources/x/a/x/b.swift"),
        ("a/**/**/b", "a/b"), ("**.swift", "b.swift"), ("Sources/*.pb.swift", "Sources/a.pb.pb.swift"), ("", ""),
    ])
    func `a pattern matches`(pattern: String, text: String) {
        #expect(Glob(pattern).matches(text))
    }

    @Test(arguments: [
        ("Core", "core"), ("Core", "Core2"), ("Core?", "Core"), ("*UI", "UIKit"), ("?", "ab"), ("?", ""), ("", "a"),
        ("*", "a/b"), ("Sources/*", "Sources/a/b.swift"), ("Sources/*/b.swift", "Sources/b.swift"), ("a?b", "a/b"),
        ("**/b.swift", "Sources/ab.swift"), ("**.swift", "Sources/b.swift"), ("[a]", "a"), ("Sources/**", "Sources2/a"),
        ("/Sources/**", "Sources/a"), ("Sources", "Sources/a"),
        // The same letter in two normalization forms is two names on disk.
        ("caf\u{E9}", "cafe\u{301}"), ("?", "e\u{301}"),
    ])
    func `a pattern does not match`(pattern: String, text: String) {
        #expect(!Glob(pattern).matches(text))
    }

    @Test func `many stars take no time`() {
        let text = String(repeating: "a", count: 500)
        #expect(!Glob(String(repeating: "a*", count: 100) + "b").matches(text))
        let path = String(repeating: "a/", count: 200) + "a"
        #expect(!Glob(String(repeating: "**/", count: 50) + "b").matches(path))
    }
}
