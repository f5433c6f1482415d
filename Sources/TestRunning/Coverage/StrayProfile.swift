import Foundation

/// The profile that a program drops into the package folder when a test starts it with an environment of its own.
///
/// Without LLVM_PROFILE_FILE an instrumented program writes `default.profraw` where it stands. It is part of this run's
/// coverage, and it would make the working copy dirty.
struct StrayProfile: Sendable, Hashable {
    /// The name of that profile.
    static let fileName = "default.profraw"

    private let path: String
    private let before: FileStamp?

    /// Looks at what is there before the tests.
    init(packageRoot: String) {
        path = "\(packageRoot)/\(Self.fileName)"
        before = FileStamp(path)
    }

    /// Moves what the tests left to the other profiles; what was there before stays.
    func collect(into directory: String) throws(RunnerError) {
        guard let now = FileStamp(path), now != before else { return }
        let place = "\(directory)/\(Self.fileName)"
        try onFileSystem("move", path) { try FileManager.default.moveItem(atPath: path, toPath: place) }
    }
}
