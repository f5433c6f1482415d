import Greeting
import XCTest

final class ClassicTests: XCTestCase {
    func testAwake() {
        XCTAssertEqual(Greeting(name: "a").text, "Hello, a!")
    }

    func testSleeps() {
        Thread.sleep(forTimeInterval: 600)
    }

    func testWakes() {}
}
