import XCTest

/// The same name as in the other target.
final class SleepyTests: XCTestCase {
    func testA_awake() {}

    func testSleeps() {
        Thread.sleep(forTimeInterval: 600)
    }

    func testWakes() {}
}
