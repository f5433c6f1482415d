import TestSupport
import Testing

@testable import TestRunning

@Suite struct ScratchLockTests {
    @Test func `a second run names the one that uses the folder, and gives up in the end`() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/build/1"
        let first = try await ScratchLock.acquire(
            scratchPath: path, owner: "run 1, process 11", package: "/p\n/q", timeout: .zero
        ) { _ in Issue.record("nobody has it") }
        var told: [String] = []
        await #expect(throws: RunnerError.scratchBusy(path: path, owner: "run 1, process 11")) {
            _ = try await ScratchLock.acquire(scratchPath: path, owner: "run 2", package: "/p", timeout: .seconds(2)) {
                told.append($0)
            }
        }
        #expect(told == ["run 1, process 11"])
        #expect(ScratchLock.package(in: "\(path).lock") == "/p\n/q")
        _ = consume first
        _ = try await ScratchLock.acquire(scratchPath: path, owner: "run 3", package: "/p", timeout: .zero) { _ in
            Issue.record("nobody has it any more")
        }
    }

    @Test func `two package folders never share a scratch folder`() {
        let one = TestRunner.scratchPath(cacheHome: "/home/ci/.cache", packageRoot: "/home/ci/A")
        #expect(one == "/home/ci/.cache/kanmon/build/" + one.suffix(16))
        #expect(one != TestRunner.scratchPath(cacheHome: "/home/ci/.cache", packageRoot: "/home/ci/B"))
    }
}
