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

    @Test func `a name may contain parentheses and spaces`() throws {
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

    @Test func `the process table of this machine has this process`() {
        #expect(ProcessTable.current().entries.contains { $0.pid == getpid() && $0.parent == getppid() })
    }

    @Test func `the children of a process are listed by their numbers`() throws {
        let output = Pipe()
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "sleep 600 & sleep 600 & echo started; wait"]
        shell.standardOutput = output
        try shell.run()
        _ = output.fileHandleForReading.availableData
        let children = ProcessTable.current().children(of: shell.processIdentifier).map(\.pid)
        defer { for pid in children + [shell.processIdentifier] { kill(pid, SIGKILL) } }
        #expect(children.count == 2)
        let numbers = ProcessTable.numbersOfChildren(of: shell.processIdentifier)
        // A kernel may have been built without the list.
        let isListed = FileManager.default.fileExists(atPath: "/proc/self/task/\(getpid())/children")
        #expect(numbers.map(Set.init) == (isListed ? Set(children) : nil))
    }
}
