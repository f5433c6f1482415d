import Greeting
import XCTest

final class ClassicTests: XCTestCase {
    func testA_before() {
        XCTAssertEqual(Greeting(name: "a").text, "Hello, a!")
    }

    func testB_crashes() {
        fatalError("down it goes")
    }

    func testC_after() {
        XCTAssertEqual(Greeting(name: "").text, "Hello!")
    }
}
