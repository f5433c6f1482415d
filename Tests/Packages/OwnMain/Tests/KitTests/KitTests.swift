import Kit
import XCTest

public final class KitTests: XCTestCase {
    public static let allTests = [("testFirst", testFirst), ("testSecond", testSecond)]

    public func testFirst() { XCTAssertEqual(one(), 1) }
    public func testSecond() { XCTAssertEqual(one(), 1) }
    public func testForgotten() { XCTFail("nobody runs this") }
}
