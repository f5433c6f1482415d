import RunModel
import Testing

@testable import TestResults

@Suite struct StackSearchTests {
    private static func stack(_ functions: String...) -> [Crash.Frame] {
        functions.map { Crash.Frame(function: $0, location: SourceLocation(path: "T.swift", line: 1)) }
    }

    private static func test(_ name: String, suite: String = "") -> TestID {
        TestID(module: "CoreTests", suite: suite, name: name)
    }

    @Test func `a test is on the first thread that its function is on`() {
        var search = StackSearch([
            Self.stack("helper", "closure #1 (Int) in S.a(_:)"), Self.stack("b()", "S.a(_:)"),
            Self.stack("b()", "T.a()"),
        ])
        #expect(search.thread(of: Self.test("a(x:)", suite: "Outer/S")) == 0)
        #expect(search.thread(of: Self.test("a()", suite: "T")) == 2)
        #expect(search.thread(of: Self.test("b()")) == 1)
        #expect(search.thread(of: Self.test("helper()")) == nil)
        #expect(search.thread(of: Self.test("b()", suite: "S")) == nil)
    }

    @Test func `many tests and long stacks cost so much at most`() {
        let functions = Self.stack(String(repeating: "a", count: 16) + "b()", "f()")
        let wanted = Self.test("x" + String(repeating: "a", count: 16) + "b()")
        // Two brackets and the seventeen bytes in common; then two brackets and one byte.
        var enough = StackSearch([functions, functions], steps: 19 + 2)
        #expect(enough.thread(of: wanted) == nil)
        #expect(enough.thread(of: Self.test("f()")) == nil)
        var more = StackSearch([functions, functions], steps: 19 + 3)
        #expect(more.thread(of: wanted) == nil)
        #expect(more.thread(of: Self.test("f()")) == 0)
        #expect(more.thread(of: Self.test("f()")) == nil)
    }
}
