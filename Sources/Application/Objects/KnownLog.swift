import Evidence
import Foundation
import RunModel

/// How far a home has what the log of a store of objects names: a file in the home. Without it, all of the log is looked at.
struct KnownLog: Sendable {
    /// The largest file that is read, in bytes.
    private static let largest = 64 << 10

    private struct Content: Codable {
        var schemaVersion = 1
        /// The store, as it is written.
        var place: String
        /// Everything is here that was written before.
        var until: String
    }

    private let path: String

    init(_ home: Home) { path = home.knownLog }

    /// The moment before which everything of a store is here; `nil` where that is not known, or of another store.
    func read(of place: String) -> Date? {
        // A file that cannot be read costs time, and nothing else.
        guard let bytes = try? SmallFile.read(path, limit: Self.largest),
            let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)), content.schemaVersion == 1,
            content.place == place
        else { return nil }
        return Timestamp.date(of: content.until)
    }

    /// Notes the moment; on disk when it returns.
    func write(_ moment: Date, of place: String) throws {
        let content = Content(place: place, until: Timestamp.text(of: moment))
        try SmallFile.replace(path, with: Array(try JSONEncoder.steadyLines.encode(content)))
    }
}
