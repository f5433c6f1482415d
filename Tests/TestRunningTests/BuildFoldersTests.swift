import Foundation
import TestSupport
import Testing

@testable import TestRunning

@Suite struct BuildFoldersTests {
    private let folder: TemporaryFolder
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, daysAgo: Double) throws {
        _ = try folder.write("x", to: "kanmon/build/\(name)/debug/a.o")
        let lock = try folder.write("run", to: "kanmon/build/\(name).lock")
        let time = timespec(tv_sec: Int(now.timeIntervalSince1970 - daysAgo * 86_400), tv_nsec: 0)
        var times = [time, time]
        utimensat(AT_FDCWD, lock, &times, 0)
    }

    private var left: Set<String> {
        Set(
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/kanmon/build")) ?? []).filter {
                !$0.hasSuffix(".lock")
            })
    }

    private func prune() -> Int {
        BuildFolders(cacheHome: folder.path).prune(unusedSince: now.addingTimeInterval(-30 * 86_400))
    }

    @Test func `folders that nothing has used for a while go, a few at a time, and their locks stay`() throws {
        for number in 1...6 { try make("old\(number)", daysAgo: 31) }
        try make("young", daysAgo: 29)
        _ = try folder.write("x", to: "kanmon/build/without-lock/a")
        #expect(prune() == 4)
        #expect(prune() == 2)
        #expect(prune() == 0)
        #expect(left == ["young", "without-lock"])
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/kanmon/build/old1.lock"))
    }

    @Test func `a folder in use stays`() throws {
        try make("old", daysAgo: 31)
        let descriptor = open("\(folder.path)/kanmon/build/old.lock", O_RDWR)
        flock(descriptor, LOCK_EX)
        #expect(prune() == 0)
        close(descriptor)
        #expect(prune() == 1)
        #expect(left == [])
    }

    @Test func `where nothing was built there is nothing to remove`() {
        #expect(BuildFolders(cacheHome: "\(folder.path)/none").prune(unusedSince: now) == 0)
    }
}
