import TestSupport
import Testing

@testable import Mutation

@Suite struct SwiftTokensTests {
    private func words(_ text: String) -> [String]? {
        let source = Array(text.utf8)
        guard let tokens = SwiftTokens(source, in: 0..<source.count) else { return nil }
        return tokens.tokens.map(tokens.text)
    }

    @Test(arguments: [
        ("a<b", ["a", "<", "b"]),
        ("x.0 + 1.5e3", ["x", ".", "0", "+", "1.5e3"]),
        ("0..<10", ["0", ".", ".", "<", "10"]),
        ("#/[0-9], \\/#/# + /[0-9] 5/", ["#/[0-9], \\/#/#", "+", "/[0-9] 5/"]),
        ("return /1 2/", ["return", "/1 2/"]),
        ("a/b + c/d / e", ["a", "/", "b", "+", "c", "/", "d", "/", "e"]),
        ("f(/a,(b\\/c/, 1 / 2)", ["f", "(", "/a,(b\\/c/", ",", "1", "/", "2", ")"]),
        ("\"a\\(b(\"c,\") + 1)d\" + #\"\\(e)\"# // tail", ["\"a\\(b(\"c,\") + 1)d\"", "+", "#\"\\(e)\"#"]),
        ("#\"\\#(x)\"#,y", ["#\"\\#(x)\"#", ",", "y"]),
        ("\"\"\"\n a \"b\" \"\"\" + c", ["\"\"\"\n a \"b\" \"\"\"", "+", "c"]),
        ("/* a /* b */ c */ d", ["d"]),
        ("`if` && ここ", ["`if`", "&", "&", "ここ"]),
    ])
    func `words and signs are told apart`(text: String, expected: [String]) {
        #expect(words(text) == expected)
    }

    @Test(arguments: ["\"a", "\"a\\(b\"", "/* a", "\"\"\"\na\"\"", "#\"a\"", "\"\\(\"", "\"\\"])
    func `a text that does not end is none`(text: String) { #expect(words(text) == nil) }

    @Test func `parts are divided by commas outside of brackets`() {
        let source = Array(" let a = f(1, 2), b == [3, 4] , { $0, $1 }(5) ".utf8)
        let tokens = SwiftTokens(source, in: 0..<source.count)
        let parts = (tokens?.parts ?? []).map { String(decoding: source[$0], as: UTF8.self) }
        #expect(parts == ["let a = f(1, 2)", "b == [3, 4]", "{ $0, $1 }(5)"])
    }

    @Test func `every part of a source is read or refused`() throws {
        let source = try SampleSource("Sample").source
        for count in 0...source.count {
            _ = SwiftTokens(source, in: 0..<count)
            _ = SwiftTokens(source, in: count..<source.count)
        }
    }

    @Test(arguments: [
        ("_ = 0", ["_ = 0"]), ("a(); _ = x + 1; b()", ["_ = x + 1"]), ("{ _ = 1 }", ["_ = 1"]), ("_ = f(0)", []),
        ("_ = [0]", []), ("let _ = 0", []), ("for _ = 0", []),
        ("print(\"a\", 1, separator: x)", ["print(\"a\", 1, separator: x)"]),
        ("logger.info(\"a \\(b)\", 2)", ["logger.info(\"a \\(b)\", 2)"]), ("self.log.debug(1)", ["self.log.debug(1)"]),
        ("print(f(1))", []), ("catalog.error(1)", []), ("a.b.logger.info(1)", []),
        ("logger.add(1)", []),
        ("printer(1)", []), ("x.print(1)", []), ("log(1)", []), ("print(1", []),
    ])
    func `what no test can notice is known`(text: String, idle: [String]) throws {
        let source = Array(text.utf8)
        let tokens = try #require(SwiftTokens(source, in: 0..<source.count))
        #expect(tokens.idle.map { String(decoding: source[$0], as: UTF8.self) } == idle)
    }
}
