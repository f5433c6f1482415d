import Greeting
import XCTest

final class ClassicTests: XCTestCase {
    func test_正常系_名前がある() {
        XCTAssertEqual(Greeting(name: "世界").text, "Hello, 世界!")
    }

    func test_絵文字👩‍👩‍👧‍👦_が通る() {
        XCTAssertEqual(Greeting(name: "👩‍👩‍👧‍👦").text, "Hello, 👩‍👩‍👧‍👦!")
    }

    func testEmpty() async {
        XCTAssertEqual(Greeting(name: "").text, "Hello!")
    }
}
