import XCTest

final class ClassicTests: XCTestCase {
    func testA_waits() {
        let fulfilled = expectation(description: "comes")
        fulfilled.fulfill()
        let pending = expectation(description: "never comes")
        wait(for: [fulfilled, pending], timeout: 600)
    }

    func testB_waitsAsynchronously() async {
        let pending = expectation(description: "never comes, either")
        await fulfillment(of: [pending], timeout: 600)
    }
}
