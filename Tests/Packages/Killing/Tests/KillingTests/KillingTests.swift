import Foundation
import Killing
import XCTest

final class KillingTests: XCTestCase {
    /// Nobody knows what the tool executed.
    func testKillsATool() throws {
        let (input, output) = (Pipe(), Pipe())
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appending(path: "waiting-tool")
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        _ = try output.fileHandleForReading.read(upToCount: 1)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        XCTAssertEqual(process.terminationReason, .uncaughtSignal)
    }

    func testLooksAtAText() {
        XCTAssertFalse(isGreeting("a"))
    }
}
