import Greeting
import XCTest

final class CrashingTests: XCTestCase {
    func testA_before() {
        XCTAssertEqual(Greeting(name: "a").text, "Hello, a!")
    }

    func testB_crashes() {
        fatalError("down it goes")
    }

    func testC_after() {}
}

/// The same name as in the other target.
final class SleepyTests: XCTestCase {
    func testA_awake() {}

    func testSleeps() {
        Thread.sleep(forTimeInterval: 600)
    }

    func testWakes() {}
}
