import Greeting
import XCTest

final class ClassicTests: XCTestCase {
    func testFails() {
        XCTAssertEqual(Greeting(name: "a").text, "Hello, b!", "wrong name")
    }

    func testPasses() {
        XCTAssertEqual(Greeting(name: "a").text, "Hello, a!")
    }

    func testSkips() throws {
        throw XCTSkip("no network")
    }

    /// Test cases are made for a list of the tests, too.
    private let isAlone: Void = Turn.take
}

/// What one process only may have at a time.
private enum Turn {
    static let take: Void = {
        guard flock(open(#filePath, O_RDONLY | O_CLOEXEC), LOCK_EX | LOCK_NB) == 0 else {
            fatalError("another process has it")
        }
    }()
}
