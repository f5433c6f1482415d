import CFork
import Endings
import Foundation
import Testing

@Suite(.serialized) struct ModernTests {
    @Test func inOrder() {
        #expect(called() == 13)
    }

    @Test func trap() {
        #expect(BeforeTheEnd.ofSwiftTestingByTrap() == 6)
        fatalError("down it goes")
    }

    @Test func exits() {
        #expect(BeforeTheEnd.ofSwiftTestingByExit() == 7)
        _exit(3)
    }

    @Test func killed() {
        #expect(BeforeTheEnd.ofSwiftTestingByKill() == 8)
        kill(getpid(), SIGKILL)
        sleep(600)
    }

    @Test func limit() {
        #expect(BeforeTheEnd.ofSwiftTestingByLimit() == 9)
        // Nothing but SIGKILL ends it.
        signal(SIGTERM, SIG_IGN)
        while true { sleep(600) }
    }

    @Test func forks() {
        #expect(call_in_child { _ = BeforeTheEnd.ofSwiftTestingInFork() } == 0)
    }

    @Test func exitTestByTrap() async {
        await #expect(processExitsWith: .failure) {
            if BeforeTheEnd.ofExitTestByTrap() == 11 { fatalError("as expected") }
        }
    }

    @Test func exitTestInOrder() async {
        await #expect(processExitsWith: .success) {
            if BeforeTheEnd.ofExitTestInOrder() != 12 { fatalError("not expected") }
        }
    }
}
