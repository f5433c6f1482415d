import Foundation
import RunModel
import Testing

@testable import TestResults

/// Which XCTest cases are expected after `--filter` and `--skip`.
@Suite struct TestSelectionTests {
    private func requested(_ arguments: [String], _ tests: [TestID]) -> [TestID] {
        let step = RunStep(
            kind: .test, arguments: ["swift", "test"] + arguments, duration: .seconds(1), termination: .exited(0))
        return TestSelection([step], engine: .swiftTest, tests: nil).requested(xctest: tests)
    }

    private static let tests = [
        TestID(module: "CoreTests", suite: "A", name: "testOne"),
        TestID(module: "CoreTests", suite: "AB", name: "testTwo2"),
        TestID(module: "ToolTests", suite: "A_B", name: "test日本"),
    ]

    @Test(arguments: [
        "A", "CoreTests.A", "A/test", "^CoreTests\\.A/testOne$", "^Core.*One$", "One|Two", "^(Core|Tool)Tests.A/",
        "[0-9]$",
        "[^A-Z_]/", "test日本", "(?:A|B)/", "A.?B", "T+", "none", "^$", "[-B]/", "A/test.+o",
    ])
    func `what people write is found as SwiftPM finds it`(pattern: String) {
        let found = Self.tests.filter { $0.specifier.range(of: pattern, options: .regularExpression) != nil }
        #expect(requested(["--filter", pattern], Self.tests) == found)
        #expect(requested(["--skip=\(pattern)"], Self.tests) == Self.tests.filter { !found.contains($0) })
    }

    @Test(arguments: ["(?i)core", "(?!Core)", "[a[b]]", "[A-Z&&[B]]", "[]A]", "A{2}", "(", "", "\\bA", "(?<n>A)"])
    func `where it is not certain what an expression finds, all tests are expected`(pattern: String) {
        #expect(requested(["--filter", pattern], Self.tests) == Self.tests)
        #expect(requested(["--skip", pattern], Self.tests) == Self.tests)
    }

    @Test func `what a class has beyond ASCII is not certain`() {
        #expect(requested(["--filter", "/test\\d$"], Self.tests) == [Self.tests[2]])
        #expect(requested(["--skip", "/test\\w*$"], Self.tests) == [Self.tests[2]])
    }

    @Test func `no expression takes exponential time`() {
        let long = TestID(module: "M", suite: "C", name: "test" + String(repeating: "a", count: 1000))
        let groups = String(repeating: "(a|a)", count: 200)
        for pattern in ["^.*/test(a|a)*b$", "^.*/test(a+)+b$", "\(groups)b"] {
            #expect(requested(["--filter", pattern], [long]) == [])
            #expect(requested(["--skip", pattern], [long]) == [long])
        }
    }
}
