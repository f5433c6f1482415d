import Greeting
import XCTest

/// What its tests share is set up once: they have to run in one process.
final class SharingTests: XCTestCase {
    nonisolated(unsafe) static var steps: [String] = []

    override class func setUp() { steps.append("class") }

    func testA_first() {
        Self.steps.append("a")
        XCTAssertEqual(Self.steps, ["class", "a"])
    }

    func testB_second() {
        Self.steps.append("b")
        XCTAssertEqual(Self.steps, ["class", "a", "b"])
    }
}

final class LeavingTests: XCTestCase {
    func testA_before() {
        print("before it leaves")
    }

    func testB_leaves() {
        exit(0)
    }

    func testC_after() {
        XCTAssertEqual(Greeting(name: "").text, "Hello!")
    }
}

final class FailingTests: XCTestCase {
    func testFails() {
        XCTAssertEqual(Greeting(name: "a").text, "Hello, b!")
    }

    func testSkips() throws {
        throw XCTSkip("not today")
    }
}
