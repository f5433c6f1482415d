import Foundation
import Glibc

extension GitRepository {
    /// Uses a copy of the index, because git writes into it.
    ///
    /// The copy is in Kanmon's own folder, so that a killed run leaves nothing among git's files. It is as old as the
    /// index: git compares the content of a file that is not older than the index, because its other properties do not
    /// reveal an edit within the same second (git's Documentation/technical/racy-git.txt).
    func withCopyOfIndex<Value>(
        of original: String? = nil, _ body: (String) async throws(GitError) -> Value
    ) async throws(GitError) -> Value {
        let index = original ?? gitDirectory + "/index"
        let folder = ShadowTree.home(in: self)
        do throws(ShadowTreeError) {
            try ShadowTree.makeFolder(folder)
        } catch {
            throw .notStarted(command: "index", reason: error.description)
        }
        removeCopiesOfKilledRuns()
        let copy = folder + "/" + Self.copyOfIndex + UUID().uuidString
        let files = FileManager.default
        defer { try? files.removeItem(atPath: copy) }
        do {
            // Before the first `git add` there is no index: nothing is staged.
            if files.fileExists(atPath: index) {
                // Read before copying: if git replaces the index in between, a copy that is too old makes git compare more.
                let times = try times(of: index)
                try files.copyItem(atPath: index, toPath: copy)
                try setTimes(of: copy, to: times)
            }
        } catch {
            throw .notStarted(command: "index", reason: "cannot copy \(index): \(error.localizedDescription)")
        }
        return try await body(copy)
    }

    private static let copyOfIndex = "index-copy-"

    /// A copy is needed for seconds: one that is an hour old is from a killed run.
    func removeCopiesOfKilledRuns(afterSeconds age: Int = 3600) {
        let folder = ShadowTree.home(in: self)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(Self.copyOfIndex) {
            var status = stat()
            let path = "\(folder)/\(name)"
            // The change time, because the modification time is that of the index.
            if lstat(path, &status) == 0, time(nil) - status.st_ctim.tv_sec >= age { unlink(path) }
        }
    }
}

/// When a file was read and written last, to the nanosecond, which `FileManager` would round.
private func times(of path: String) throws -> [timespec] {
    var status = stat()
    guard stat(path, &status) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return [status.st_atim, status.st_mtim]
}

private func setTimes(of path: String, to times: [timespec]) throws {
    guard utimensat(AT_FDCWD, path, times, 0) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
