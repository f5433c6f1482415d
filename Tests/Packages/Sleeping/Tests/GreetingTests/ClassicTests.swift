import Greeting
import XCTest

final class ClassicTests: XCTestCase {
    // Before any test is told to have begun, so that whoever waits for one to sleep finds it deaf.
    override class func setUp() {
        if ProcessInfo.processInfo.environment["LC_STUBBORN"] != nil { signal(SIGTERM, SIG_IGN) }
    }

    func testAwake() {
        XCTAssertEqual(Greeting(name: "a").text, "Hello, a!")
    }

    func testSleeps() {
        Thread.sleep(forTimeInterval: 600)
    }

    func testWakes() {}
}
