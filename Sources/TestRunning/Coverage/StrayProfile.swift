import Foundation

/// The profile that a program drops into the package folder when a test starts it with an environment of its own.
///
/// Without LLVM_PROFILE_FILE an instrumented program writes `default.profraw` where it stands. It is part of this run's
/// coverage, and it would make the working copy dirty.
struct StrayProfile: Sendable, Hashable {
    /// The name of that profile.
    static let fileName = "default.profraw"

    private struct Identity: Sendable, Hashable {
        var inode: UInt64
        var seconds: Int
        var nanoseconds: Int
        var size: Int
    }

    private let path: String
    private let before: Identity?

    /// Looks at what is there before the tests.
    init(packageRoot: String) {
        path = "\(packageRoot)/\(Self.fileName)"
        before = Self.identity(path)
    }

    /// Moves what the tests left to the other profiles; what was there before stays.
    ///
    /// An empty one is removed: a program made it when it began and was killed before it could write, as tests do with the
    /// servers that they start. It holds nothing that could be lost.
    func collect(into directory: String) throws(RunnerError) {
        guard let now = Self.identity(path), now != before else { return }
        guard now.size > 0 else { return try removeIfPresent(path) }
        let place = "\(directory)/\(Self.fileName)"
        try onFileSystem("move", path) { try FileManager.default.moveItem(atPath: path, toPath: place) }
    }

    private static func identity(_ path: String) -> Identity? {
        var info = stat()
        guard lstat(path, &info) == 0 else { return nil }
        return Identity(
            inode: UInt64(info.st_ino), seconds: info.st_mtim.tv_sec, nanoseconds: info.st_mtim.tv_nsec,
            size: Int(info.st_size)
        )
    }
}
