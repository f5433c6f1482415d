import Evidence
import RunModel

/// An earlier run whose files the server has, so that files of a later one can be sent as differences from them.
struct DifferenceSource: Sendable {
    private let project: String
    private let id: RunID
    private let directory: RunDirectory
    private let later: RunDirectory
    /// The kept file of each source in the earlier run, for the kept file of that source now.
    private let sources: [Name: String]

    /// - Parameters:
    ///   - id: The earlier run, which lies beside the later one.
    ///   - later: The run that is delivered.
    /// - Returns: `nil` if the earlier run cannot be read; then files are sent whole.
    init?(_ id: RunID, beside later: RunDirectory) {
        let directory = later.beside(id)
        guard let manifest = try? later.manifest(), let before = try? directory.manifest() else { return nil }
        let kept = Dictionary(before.sources.map { (Name($0.path), $0.sha256) }) { first, _ in first }
        var sources: [Name: String] = [:]
        for source in manifest.sources {
            sources[Name(Self.file(source.sha256))] = kept[Name(source.path)].map(Self.file)
        }
        (self.project, self.id, self.directory, self.later) = (manifest.project, id, directory, later)
        self.sources = sources
    }

    private static func file(_ sha256: String) -> String { "\(RunDirectory.sourcesFolder)/\(sha256)" }

    /// The difference of a file, and the address that it is sent to; `nil` if the file is better sent whole.
    func difference(of file: Delivery.File) -> (bytes: [UInt8], path: String)? {
        let path = sources[Name(file.path)] ?? file.path
        let limit = Difference.largestFile
        guard let before = try? directory.contents(of: path, limit: limit),
            let now = try? later.contents(of: file.path, limit: limit)
        else { return nil }
        let bytes = Difference.between(before, now)
        guard bytes.count < now.count / 2, bytes.count <= Difference.largest else { return nil }
        let fields = [("project", project), ("earlier", "\(id)"), ("file", path)]
        let query = fields.map { name, value in "\(name)=\(value.percentEncoded)" }.joined(separator: "&")
        return (bytes, "/api/v1/blobs/\(file.sha256)?\(query)")
    }
}
