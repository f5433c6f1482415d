import Testing

@testable import RunModel

@Suite struct LinearExpressionTests {
    @Test(arguments: [
        ("abc", "xabcx"), ("^abc$", "abc"), ("^a.c$", "a/c"), ("^a*$", ""), ("^a*$", "aaa"), ("^a+b?$", "aa"),
        ("^(a|bc)+$", "abcbca"), ("^(?:ab){2,3}$", "ababab"), ("^a{2}$", "aa"), ("^a{2,}$", "aaaa"),
        ("^a{,2}$", "a{,2}"), ("^[a-c]+$", "abc"), ("^[^/]*$", "a.b"), ("^[]a]$", "]"), ("^[a-]$", "-"),
        ("^[\\d_]+$", "1_2"), ("^\\w\\s\\S$", "a b"),
        ("^\\.\\*$", ".*"), ("^a|b$", "ac"), ("^a|b$", "cb"), ("\\Aab\\z", "ab"), ("^(?P<name>a)(?<b>b)$", "ab"),
        ("^a+?b*?$", "aab"), ("^()*$", ""), ("^(a*)*b$", "aaab"), ("^.$", "日"), ("^[あ-ん]$", "い"),
        ("^x{$", "x{"),
    ])
    func `an expression matches`(expression: String, text: String) throws {
        #expect(try LinearExpression(expression).matches(text))
    }

    @Test(arguments: [
        ("^abc$", "abcd"), ("^a.c$", "a\nc"), ("^a+$", ""), ("^(a|bc)+$", "abb"), ("^(?:ab){2,3}$", "ab"),
        ("^(?:ab){2,3}$", "abababab"), ("^[^/]*$", "a/b"), ("^[^a-c]$", "b"), ("^\\D$", "1"), ("^\\W$", "_"),
        ("^a|b$", "cac"), ("^a\\.b$", "axb"), ("^(a*)*b$", "aaaa"), ("^A$", "a"), ("^e\u{301}$", "\u{E9}"),
    ])
    func `an expression does not match`(expression: String, text: String) throws {
        #expect(try !LinearExpression(expression).matches(text))
    }

    @Test(arguments: [
        "(", ")", "a)", "[a", "[b-a]", "*a", "a**", "a{2}{3}", "{2}", "a{1001}", "a{3,2}", "(?i)a", "(?=a)", "(?!a)",
        "a\\", "\\1", "\\b", "\\pL", "\\Qa\\E", "[[:alpha:]]", "(?P<a", "(?Pa)", "(?<=a)b>c)", "(?<!a)b",
        "(?<>a)", "(a{1000}){1000}",
        "(((){1000}){1000}){1000}",
        String(repeating: "(", count: 60) + String(repeating: ")", count: 60),
    ])
    func `an expression is refused`(expression: String) {
        #expect(throws: ExpressionFault.self) { try LinearExpression(expression) }
    }

    @Test func `what takes others exponential time takes none`() throws {
        let text = String(repeating: "a", count: 1000)
        for expression in ["^(a+)+b$", "^(a|a)*b$", "^(a|aa)+b$", "^(.*)*(.*)*(.*)*b$", "^(a?){200}a{200}b$"] {
            #expect(try !LinearExpression(expression).matches(text))
        }
    }
}
