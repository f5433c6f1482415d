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
                !$0.hasSuffix(".lock") && $0 != "measured"
            })
    }

    private func prune() -> Int {
        BuildFolders(cacheHome: folder.path)
            .prune(unusedSince: now.addingTimeInterval(-30 * 86_400), mostBytes: .max, now: now)
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
        #expect(BuildFolders(cacheHome: "\(folder.path)/none").prune(unusedSince: now, mostBytes: 0, now: now) == 0)
    }

    @Test func `the oldest of what takes too much room goes, once a day`() throws {
        for (number, days) in [(1, 3.0), (2, 2), (3, 1)] { try make("build\(number)", daysAgo: days) }
        let folders = BuildFolders(cacheHome: folder.path)
        #expect(folders.all.map { ($0.path as NSString).lastPathComponent } == ["build3", "build2", "build1"])
        #expect(folders.all.map(\.bytes) == [1, 1, 1])
        func prune(_ moment: Date, most: Int64) -> Int {
            folders.prune(unusedSince: moment.addingTimeInterval(-30 * 86_400), mostBytes: most, now: moment)
        }
        #expect(prune(now, most: 3) == 0)
        #expect(left == ["build1", "build2", "build3"])
        #expect(prune(now.addingTimeInterval(3600), most: 0) == 0)
        #expect(prune(now.addingTimeInterval(2 * 86_400), most: 2) == 1)
        #expect(left == ["build2", "build3"])
    }

    @Test func `what has to go is what was not used for longest`() {
        func made(_ name: String, _ bytes: Int64, daysAgo: Double) -> BuildFolder {
            BuildFolder(path: name, package: nil, bytes: bytes, used: now.addingTimeInterval(-86_400 * daysAgo))
        }
        let all = [
            made("a", 5, daysAgo: 1), made("b", 3, daysAgo: 9), made("c", 4, daysAgo: 2), made("d", 1, daysAgo: 3),
        ]
        func surplus(days: Double, most: Int64) -> [String] {
            BuildFolders.surplus(of: all, unusedSince: now.addingTimeInterval(-86_400 * days), mostBytes: most).map(
                \.path)
        }
        #expect(surplus(days: 30, most: 13) == [])
        #expect(surplus(days: 30, most: 12) == ["b"])
        #expect(surplus(days: 30, most: 9) == ["b", "d"])
        #expect(surplus(days: 2.5, most: 13) == ["b", "d"])
        #expect(surplus(days: 30, most: -1) == ["b", "d", "c", "a"])
    }
}
