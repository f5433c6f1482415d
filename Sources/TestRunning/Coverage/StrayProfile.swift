import Foundation

/// The profile that a program writes into the package folder if a test starts it without LLVM_PROFILE_FILE.
///
/// Such an instrumented program writes `default.profraw` into its working directory. It is part of this run's
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

    /// Records whether one exists before the tests.
    init(packageRoot: String) {
        path = "\(packageRoot)/\(Self.fileName)"
        before = Self.identity(path)
    }

    /// Moves the profile of the tests to the other profiles; an older one stays.
    ///
    /// An empty one is removed: it is from a program that was killed before it could write, such as a server that a
    /// test starts.
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
