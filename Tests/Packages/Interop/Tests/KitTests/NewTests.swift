import Kit
import Testing
import XCTest

func check(_ number: Int) { XCTAssertEqual(number, 1, "from a function of old") }

@Suite struct NewTests {
    @Test func usesXCTFail() { XCTFail("old") }
    @Test(arguments: [1, 2]) func callsAFunction(number: Int) { check(number) }
    @Test func announces() { withKnownIssue { XCTFail("announced") } }
    @Test func passes() { XCTAssertEqual(one(), 1) }
}
