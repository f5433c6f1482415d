import Foundation

/// The `Package.resolved` of a package whose commit has none, and whether SwiftPM alone wrote it.
///
/// The versions of dependencies are no part of such a commit: SwiftPM chooses them where it builds, and writes them down. A file
/// that somebody else wrote or edited has it take other versions than a build of a clean clone could.
public struct ResolvedFile: Sendable {
    /// The name that SwiftPM gives it.
    public static let fileName = "Package.resolved"

    private let path: String
    /// The hash of what SwiftPM left; empty where it left nothing. Beside the build products, which are made of these versions.
    private let record: String
    /// What SwiftPM knows of the versions in the scratch folder. It keeps them where no file names others.
    private let state: String
    /// The sources of dependencies in the scratch folder.
    private let checkouts: String
    /// From where each dependency came in the last build, as JSON.
    private let places: String

    /// Names the file of a package; nothing is read yet.
    ///
    /// - Parameters:
    ///   - packageRoot: The package's folder, absolute.
    ///   - scratchPath: The folder for build products of its runs.
    public init(packageRoot: String, scratchPath: String) {
        path = "\(packageRoot)/\(Self.fileName)"
        record = "\(scratchPath)/kanmon-resolved.sha256"
        state = "\(scratchPath)/workspace-state.json"
        checkouts = "\(scratchPath)/checkouts"
        places = "\(scratchPath)/kanmon-places.json"
    }

    /// Whether there is none, or it is byte for byte what SwiftPM left in a run that began with none, or with one of its own.
    public var isOfSwiftPM: Bool {
        var info = stat()
        guard lstat(path, &info) == 0 else { return errno == ENOENT }
        guard info.st_mode & S_IFMT == S_IFREG, let known = FileManager.default.contents(atPath: record) else {
            return false
        }
        return (try? BuiltProducts.hash(of: path)).map { known == Data($0.utf8) } ?? false
    }

    /// Makes SwiftPM choose again where the versions in the scratch folder may be those of a file that is gone.
    func startAnew() throws(RunnerError) {
        guard !FileManager.default.fileExists(atPath: path), !FileManager.default.fileExists(atPath: record) else {
            return
        }
        try removeIfPresent(state)
    }

    /// Forgets what was SwiftPM's own: a build takes the versions of somebody else's file.
    func forget() throws(RunnerError) { try removeIfPresent(record) }

    /// Makes SwiftPM check out all dependencies again where one comes from another place than in the last build: in a
    /// used scratch folder it would choose that one's version again, whatever the file says.
    func leaveFormerPlaces() throws(RunnerError) {
        guard FileManager.default.fileExists(atPath: state), let current = currentPlaces else { return }
        let former = FileManager.default.contents(atPath: places)
            .flatMap { try? JSONDecoder().decode([String: String].self, from: $0) }
        if let former, current.allSatisfy({ former[$0.key] == nil || former[$0.key] == $0.value }) { return }
        try removeIfPresent(state)
        try removeIfPresent(checkouts)
    }

    /// Takes note of where the dependencies have come from.
    func rememberPlaces() throws(RunnerError) {
        guard let current = currentPlaces else { return try removeIfPresent(places) }
        try onFileSystem("write", places) {
            try JSONEncoder().encode(current).write(to: URL(filePath: places), options: .atomic)
        }
    }

    /// The places that the file names, by the identities of packages; `nil` if there is none, or one of an unknown format.
    private var currentPlaces: [String: String]? {
        FileManager.default.contents(atPath: path).flatMap { ResolvedVersions.places(inPackageResolved: $0) }
    }

    /// Takes note of what SwiftPM has left.
    func remember() throws(RunnerError) {
        let hash = FileManager.default.fileExists(atPath: path) ? try BuiltProducts.hash(of: path) : ""
        try onFileSystem("write", record) { try Data(hash.utf8).write(to: URL(filePath: record), options: .atomic) }
    }
}
