import Greeting
import XCTest

final class ClassicTests: XCTestCase {
    func testAwake() {
        XCTAssertEqual(Greeting(name: "a").text, "Hello, a!")
    }

    func testSleeps() {
        if ProcessInfo.processInfo.environment["LC_STUBBORN"] != nil { signal(SIGTERM, SIG_IGN) }
        Thread.sleep(forTimeInterval: 600)
    }

    func testWakes() {}
}
