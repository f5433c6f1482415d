import Foundation
import Mapping
import XCTest

final class ClassicTests: XCTestCase {
    override class func setUp() {
        XCTAssertEqual(onlyInTheClass(), 43)
    }

    func testA_usesTheTable() {
        XCTAssertEqual(Shared.table.count, 3)
    }

    func testB_usesTheTotal() {
        XCTAssertEqual(Shared.total, 12)
    }

    func testC_usesTheTotalToo() {
        XCTAssertEqual(Shared.total, 12)
    }

    func testD_negative() {
        XCTAssertEqual(sign(of: -1), "-")
    }

    func testE_positive() {
        XCTAssertEqual(sign(of: 1), "+")
    }

    func testF_doublesNothing() {
        XCTAssertEqual(doubled([]), [])
    }

    func testG_doubles() {
        XCTAssertEqual(doubled([1]), [2])
    }

    /// Without any variable of this process.
    func testH_startsATool() throws {
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appending(path: "mapping-tool")
        process.environment = [:]
        process.standardOutput = FileHandle.nullDevice
        process.currentDirectoryURL = FileManager.default.temporaryDirectory
        try process.run()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0)
    }

    /// The thread outlives the test.
    func testI_leaksAThread() {
        Thread.detachNewThread {
            _ = onlyInTheThread()
            sleep(600)
        }
        usleep(200_000)
    }
}
