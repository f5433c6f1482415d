public import Foundation

/// What a clean build found wrong with the incremental one.
public struct StaleBuild: Sendable, Hashable, Codable {
    /// The package's folder.
    public var packageRoot: String
    /// When the run began.
    public var date: Date
    /// What differed, each as a sentence.
    public var differences: [String]

    private static let fileName = "kanmon-stale-build.json"

    /// Keeps it beside the products, until a clean build finds nothing.
    func record(in scratchPath: String) throws(RunnerError) {
        let path = "\(scratchPath)/\(Self.fileName)"
        guard !differences.isEmpty else { return try removeIfPresent(path) }
        try onFileSystem("write", path) {
            try JSONEncoder().encode(self).write(to: URL(filePath: path), options: .atomic)
        }
    }

    /// Reads what was kept; `nil` if there is nothing.
    static func read(in scratchPath: String) -> StaleBuild? {
        FileManager.default.contents(atPath: "\(scratchPath)/\(fileName)")
            .flatMap { try? JSONDecoder().decode(StaleBuild.self, from: $0) }
    }
}
