import Evidence
import Foundation
import RunModel

/// The runs of a home whose files are only in a store of objects, and those whose files were fetched back from there.
///
/// A file in the home for each: a run directory that has lost its files says nothing of where they are, as whoever delivered it could
/// have written that. Of both kinds the run directory has the manifest, and how the run came.
struct DroppedRuns: Sendable {
    /// Where the files of a run are.
    struct Entry: Sendable, Hashable, Codable {
        /// The version of this format.
        var schemaVersion = 1
        /// The store of objects, as it is written.
        let place: String
        /// The run directory.
        let directory: String
        /// The SHA-256 of its manifest.
        let manifest: String
        /// The bytes of its files; 0 where they were never here.
        let bytes: Int
    }

    /// A run whose files were fetched back.
    struct Fetched: Sendable, Hashable {
        let run: RunID
        let entry: Entry
        /// When they were needed last.
        let used: Date
    }

    /// The largest file that is read, in bytes.
    private static let largest = 64 << 10

    private let droppedFolder: String
    private let fetchedFolder: String

    init(_ home: Home) {
        droppedFolder = home.path + "/dropped"
        fetchedFolder = home.path + "/fetched"
    }

    /// There may be many of these: they are in folders by their last digits, which are at random.
    private func dropped(_ id: RunID) -> String { "\(droppedFolder)/\(id.description.suffix(2))/\(id)" }

    private func fetched(_ id: RunID) -> String { "\(fetchedFolder)/\(id)" }

    /// Whether the files of a run are only among the objects.
    func isDropped(_ id: RunID) -> Bool { access(dropped(id), F_OK) == 0 }

    /// Where the files of a run are that are not here; `nil` if they are here.
    func entry(of id: RunID) throws -> Entry? { try Self.read(dropped(id)) }

    /// Notes that the files of a run are only among the objects from now on; on disk when it returns, before they are removed.
    func add(_ id: RunID, _ entry: Entry) throws {
        try Self.write(entry, to: dropped(id))
    }

    /// Notes that the files of a run are here again, and may be removed for others.
    func addFetched(_ id: RunID, _ entry: Entry) throws {
        try Self.write(entry, to: fetched(id))
        unlink(dropped(id))
    }

    /// Notes that the files of a run are not here any more.
    func removeFetched(_ id: RunID) { unlink(fetched(id)) }

    /// Forgets a run: its directory is whole, and stays so, or is gone.
    func forget(_ id: RunID) {
        unlink(dropped(id))
        unlink(fetched(id))
    }

    /// Notes that the files of a run are needed, if they were fetched back.
    func use(_ id: RunID) { utimensat(AT_FDCWD, fetched(id), nil, AT_SYMLINK_NOFOLLOW) }

    /// The runs whose files were fetched back, the least recently used first.
    func allFetched() throws -> [Fetched] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: fetchedFolder)) ?? []
        return try names.compactMap { RunID($0) }.compactMap { id -> Fetched? in
            guard let status = FileStatus(at: fetched(id)), let entry = try Self.read(fetched(id)) else { return nil }
            return Fetched(run: id, entry: entry, used: status.modified)
        }
        .sorted { ($0.used, $0.run) < ($1.used, $1.run) }
    }

    private static func read(_ path: String) throws -> Entry? {
        guard let bytes = try SmallFile.read(path, limit: largest) else { return nil }
        guard let entry = try? JSONDecoder().decode(Entry.self, from: Data(bytes)), entry.schemaVersion == 1 else {
            throw EvidenceError.damaged(file: path, reason: "it does not say where the files of a run are")
        }
        return entry
    }

    private static func write(_ entry: Entry, to path: String) throws {
        try FileOwner.makeFolder((path as NSString).deletingLastPathComponent)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try SmallFile.replace(path, with: Array(try encoder.encode(entry)))
    }
}
