import Foundation
import Glibc

/// A work tree of Kanmon's own, in which the exact tree of a commit or of the staged files is laid out and tested.
///
/// There is one per repository, in a fixed folder under the common git directory: SwiftPM builds again what lies
/// elsewhere, and trusts a cached manifest of another folder. Only files that differ are written, so that builds stay warm.
/// The user's files, index and stash are never involved. Having a value of this type is having the shadow tree alone.
public struct ShadowTree: ~Copyable, Sendable {
    /// The folder, absolute.
    public let path: String

    let repository: GitRepository
    let index: String
    private let lock: FileLock

    /// Takes the shadow tree of a repository.
    ///
    /// - Parameters:
    ///   - owner: Who takes it, for others that want it meanwhile.
    ///   - patience: How long to wait for another run.
    ///   - onWait: Called once, when another run has it and waiting begins.
    public static func open(
        in repository: GitRepository,
        owner: LockOwner,
        patience: Duration = .zero,
        onWait: (LockOwner?) -> Void = { _ in }
    ) async throws(ShadowTreeError) -> ShadowTree {
        let home = Self.home(in: repository)
        let path = Self.path(in: repository)
        try makeFolder(home)
        try makeFolder(path)
        let deadline = ContinuousClock.now + patience
        var isWaiting = false
        while true {
            do {
                let lock = try FileLock(path: home + "/lock", owner: owner)
                if lock.isTakenOver { try LeftoverGit.end(in: path) }
                return ShadowTree(path: path, repository: repository, index: home + "/index", lock: lock)
            } catch .busy(let holder) where ContinuousClock.now < deadline {
                if !isWaiting { onWait(holder) }
                isWaiting = true
            }
            do {
                try await Task.sleep(for: .milliseconds(100))
            } catch {
                throw .busy(nil)
            }
        }
    }

    /// Where the shadow tree of a repository is, whether it is there yet or not.
    public static func path(in repository: GitRepository) -> String { home(in: repository) + "/tree" }

    /// The folder under the common git directory in which all lies that is Kanmon's own.
    static func home(in repository: GitRepository) -> String { repository.commonDirectory + "/kanmon" }

    /// Gives the shadow tree back before the value ends by itself.
    public consuming func close() {}

    /// A folder of our own; a link in its place could lead a clean-up into somebody else's files.
    static func makeFolder(_ path: String) throws(ShadowTreeError) {
        if mkdir(path, 0o700) == 0 { return }
        let code = errno
        guard code == EEXIST else { throw .fileSystem("make folder", path: path, code: code) }
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .fileSystem("look at", path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder(path: path) }
    }
}
