import Kit
import XCTest

/// Tests that are listed by hand, but for one.
public final class KitTests: XCTestCase {
    /// What the main runs.
    public static let allTests = [("testFirst", testFirst), ("testSecond", testSecond)]

    func testFirst() { XCTAssertEqual(one(), 1) }
    func testSecond() { XCTAssertEqual(one(), 1) }
    func testForgotten() { XCTFail("nobody runs this") }
}
