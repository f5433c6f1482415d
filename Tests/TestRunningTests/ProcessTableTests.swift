import Foundation
import Testing

@testable import TestRunning

@Suite struct ProcessTableTests {
    /// A line of `/proc/<pid>/stat`, shortened after the fields that are read.
    private func entry(
        _ pid: Int32, _ parent: Int32, _ state: String = "S", _ name: String = "x"
    ) throws -> ProcessEntry {
        try #require(ProcessEntry(stat: Array("\(pid) (\(name)) \(state) \(parent) 1 1 0".utf8)))
    }

    @Test func `a name may hold parentheses and spaces`() throws {
        let entry = try entry(42, 7, "Z", "a) S 1 (b")
        #expect(entry.pid == 42)
        #expect(entry.parent == 7)
        #expect(entry.name == "a) S 1 (b")
        #expect(entry.isZombie)
    }

    @Test func `a line cut anywhere is refused or read, never a trap`() throws {
        let line = Array("42 (sleep) S 7 1 1 0".utf8)
        for length in 0..<line.count { _ = ProcessEntry(stat: line[..<length]) }
        #expect(ProcessEntry(stat: line[..<11]) == nil)
        #expect(ProcessEntry(stat: Array("4 (a) S 1 2 3 0".utf8))?.session == 3)
        #expect(ProcessEntry(stat: Array("no process".utf8)) == nil)
    }

    @Test func `descendants are found through every generation, parents first`() throws {
        let table = ProcessTable(entries: [try entry(3, 2), try entry(2, 1), try entry(4, 3), try entry(9, 8)])
        #expect(table.descendants(of: 1).map(\.pid) == [2, 3, 4])
    }

    @Test func `the table of this machine holds this process`() {
        #expect(ProcessTable.current().entries.contains { $0.pid == getpid() && $0.parent == getppid() })
    }

    @Test func `an orphan beside a zombie is what swift test waits for`() throws {
        // 10 is the reaper, 11 swift test, 12 its test process, 13 what a test left behind, 14 a child of that.
        let waiting = ProcessTable(entries: [
            try entry(11, 10), try entry(12, 11, "Z"), try entry(13, 10), try entry(14, 13),
        ])
        var watch = LeakWatch()
        #expect(watch.observe(waiting, child: 11, reaper: 10, at: .seconds(1)) == [])
        #expect(watch.observe(waiting, child: 11, reaper: 10, at: .milliseconds(1_100)) == [])
        #expect(watch.observe(waiting, child: 11, reaper: 10, at: .milliseconds(1_200)).map(\.pid) == [13, 14])
    }

    @Test func `an orphan while the tests run is left alone`() throws {
        let running = ProcessTable(entries: [try entry(11, 10), try entry(12, 11), try entry(13, 10)])
        var watch = LeakWatch()
        for second in 1...5 {
            #expect(watch.observe(running, child: 11, reaper: 10, at: .seconds(second)) == [])
        }
    }
}
