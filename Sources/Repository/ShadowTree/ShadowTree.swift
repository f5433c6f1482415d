import Foundation
import Glibc

/// Kanmon's own work tree, in which the exact tree of a commit or of the staged files is checked out and tested.
///
/// There is one for each repository and purpose, in a fixed folder under the common git directory, because SwiftPM rebuilds a
/// package in another folder, and trusts a cached manifest of another folder. Only files that differ are written, so
/// that builds are incremental. The user's files, index and stash are never involved. A value of this type holds the
/// lock of the shadow tree.
public struct ShadowTree: ~Copyable, Sendable {
    /// What a work tree is for; each has a folder of its own.
    public enum Purpose: Sendable, Hashable {
        /// To test trees as they are.
        case runs
        /// To test them with changes, which the others must never see.
        case mutants
        /// To run tests of the base beside a run that tests a change.
        case base
        /// To go through a history, so that what runs have built stays warm.
        case culprits
    }

    /// The folder, absolute.
    public let path: String
    /// A folder beside it for files about it, absolute.
    public let home: String

    let repository: GitRepository
    let index: String
    private let lock: FileLock

    /// Takes the shadow tree of a repository.
    ///
    /// - Parameters:
    ///   - purpose: What it is for.
    ///   - owner: The new owner, for other runs that wait.
    ///   - timeout: How long to wait for another run.
    ///   - onWait: Called once, when the wait for another run begins.
    public static func open(
        in repository: GitRepository,
        for purpose: Purpose = .runs,
        owner: LockOwner,
        timeout: Duration = .zero,
        onWait: (LockOwner?) -> Void = { _ in }
    ) async throws(ShadowTreeError) -> ShadowTree {
        let home = Self.home(in: repository, for: purpose)
        let path = Self.path(in: repository, for: purpose)
        try makeFolder(Self.home(in: repository))
        try makeFolder(home)
        try makeFolder(home + "/tree")
        try makeFolder(path)
        let deadline = ContinuousClock.now + timeout
        var isWaiting = false
        while true {
            do {
                let lock = try FileLock(path: home + "/lock", owner: owner)
                if lock.isTakenOver { try LeftoverGit.end(in: path) }
                return ShadowTree(
                    path: path, home: home, repository: repository, index: home + "/index", lock: lock)
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

    /// The folder of a repository's shadow tree; it may not exist yet.
    ///
    /// It has the name of the repository's own folder, as a clone has: by the name of its folder SwiftPM calls a package that another
    /// one depends on by a path.
    public static func path(in repository: GitRepository) -> String { path(in: repository, for: .runs) }

    private static func path(in repository: GitRepository, for purpose: Purpose) -> String {
        let names = repository.commonDirectory.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        // `.git` in a clone, `NAME.git` on a server.
        let name = (names.last == ".git" ? names.dropLast().last : names.last) ?? ""
        let own = name.hasSuffix(".git") ? String(name.dropLast(".git".count)) : name
        return "\(home(in: repository, for: purpose))/tree/\(own.isEmpty ? "package" : own)"
    }

    /// Kanmon's own folder under the common git directory.
    static func home(in repository: GitRepository, for purpose: Purpose = .runs) -> String {
        let folder = repository.commonDirectory + "/kanmon"
        return switch purpose {
        case .runs: folder
        case .mutants: folder + "/mutants"
        case .base: folder + "/base"
        case .culprits: folder + "/culprits"
        }
    }

    /// Releases the shadow tree.
    public consuming func close() {}

    /// Makes a real folder; a link in its place could lead a clean-up into other files.
    static func makeFolder(_ path: String) throws(ShadowTreeError) {
        if mkdir(path, 0o700) == 0 { return }
        let code = errno
        guard code == EEXIST else { throw .fileSystem("make folder", path: path, code: code) }
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .fileSystem("look at", path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder(path: path) }
    }
}
