import Testing

@testable import Repository

/// Whether the added lines of a hunk may close the block that the removed lines were in.
@Suite struct BlockEndsTests {
    private func mayEnd(_ removed: String, _ added: String) -> Bool {
        func lines(_ text: String) -> [[UInt8]] {
            text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.utf8) }
        }
        return BlockEnds.mayEnd(removed: lines(removed), added: lines(added))
    }

    @Test(arguments: [
        ("return n == 0", "return n < 1"), ("", "if a { b() }"), ("", "if a {\n    b()\n}"), ("if a {", "if b {"),
        ("} else {", "} else if c {"), ("    a()\n}", "    b()\n}"), ("a { $0 }", "a { $0 + 1 }"), ("", ""),
        ("guard a else { throw E(\"\\(b)\") }", "guard c else { throw E(\"\\(b)\") }"),
        ("let a = b / 2", "let a = b / 3"), ("a(b / c)", "a(b / d)"), ("print(\"a\")", "print(\"b) \\(b(c))]\") // :)"),
        ("f(a,", "f(\n    [b]: c,"), ("    a)", "    b, c(d))"), ("    2,\n]", "    3,\n]"),
        ("a.get(1) // set", "a.set(2) // get"), ("settle(1)", "target { getter() }"),
    ])
    func `an edit within a block stays in it`(removed: String, added: String) {
        #expect(!mayEnd(removed, added))
    }

    @Test(arguments: [
        // git joins an edit of the last line of a function and a declaration behind it.
        ("return n == 0", "return n < 1\n}\n\nfunc other() {\n    return 1"), ("", "}\nfunc f() {"), ("", "}"),
        ("if a {", "}\nif a {"), ("} else {", "}\n}\nfunc f() {\n{"),
        // What opens in a text or comment opens no block, and what closes in the removed ones closed none.
        ("", "print(\"{\")\n}"), ("", "a() // {\n}"), ("print(\"}\")", "}\n{"), ("// }", "}\n{"),
        ("", "print(\"\\\"{\")\n}"), ("", "print(\"\\(a[\"{\"])\")\n}"),
        ("", "print(\"{}\")"), ("", "// {}"), ("", "print(\"a \\\"\") // \"{\" }\nb {\n}"),
        // The end of an initial value and of an argument list, and the beginning of others.
        ("1,", "1 / 2]\nlazy var other = [\n    3,"), ("2,", "3,\n]\nlazy var other = [\n    4,"),
        ("a: Int = 1,", "a: Int = 1)\nfunc other(b: Int = 2,"),
        // Between two hunks lies what is the same in both, such as an empty line: it must lie in the same block.
        ("if a {\n    b()", "b()"), ("if a {", ""),
        // What may be a regular expression or a name in backticks.
        ("return a", "return b.contains(/\\{/)\n}\n\nfunc f() {\n    return c"),
        ("return a.contains(/\\}/)", "return b\n}\n\nfunc f() {\n    return c"), ("", "`{`()\n}"),
        // A getter becomes one of several accessors, or its property is stored.
        ("nil", "didSet { a() }"), ("return 1", "get { return 1 }\nset { a = newValue }"), ("get { a }", "a"),
        ("a", "@available(*, deprecated) nonmutating get {\n    a\n}"), ("a", "willSet(b) {"), ("a", "\t_modify{ b }"),
        // Where code is cannot be told.
        ("", "let a = \"\"\""), ("/*", ""), ("", "*/"), ("", "#\"a\"#"), ("", "#if DEBUG"), ("#endif", ""),
    ])
    func `an edit that may leave its block is known`(removed: String, added: String) {
        #expect(mayEnd(removed, added))
    }
}
