import CFork
import Endings
import XCTest

final class ClassicTests: XCTestCase {
    func testA_inOrder() {
        XCTAssertEqual(called(), 13)
    }

    func testB_trap() {
        XCTAssertEqual(BeforeTheEnd.ofXCTestByTrap(), 1)
        fatalError("down it goes")
    }

    func testC_exit() {
        XCTAssertEqual(BeforeTheEnd.ofXCTestByExit(), 2)
        _exit(3)
    }

    func testD_kill() {
        XCTAssertEqual(BeforeTheEnd.ofXCTestByKill(), 3)
        kill(getpid(), SIGKILL)
        sleep(600)
    }

    func testE_limit() {
        XCTAssertEqual(BeforeTheEnd.ofXCTestByLimit(), 4)
        // Nothing but SIGKILL ends it.
        signal(SIGTERM, SIG_IGN)
        while true { sleep(600) }
    }

    func testF_fork() {
        XCTAssertEqual(call_in_child { _ = BeforeTheEnd.ofXCTestInFork() }, 0)
    }

    func testG_inOrder() {
        XCTAssertEqual(called(), 13)
    }
}
