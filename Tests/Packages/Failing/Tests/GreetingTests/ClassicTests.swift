import Greeting
import XCTest

final class ClassicTests: XCTestCase {
    func testFails() {
        XCTAssertEqual(Greeting(name: "a").text, "Hello, b!", "wrong name")
    }

    func testPasses() {
        XCTAssertEqual(Greeting(name: "a").text, "Hello, a!")
    }

    func testSkips() throws {
        throw XCTSkip("no network")
    }
}
