import XCTest

open class Contract: XCTestCase {
    open func testContract() { XCTAssertEqual(1, 1) }
}
