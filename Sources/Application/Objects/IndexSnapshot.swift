import Evidence
import Foundation
import Objects
import RunModel
import Storage

/// What a snapshot of a server's index consists of: an object that is written last, so that a snapshot is whole or not there. The
/// database is in pieces, each compressed and an object of its own, so that a large one takes little memory and no request of many GiB.
struct IndexSnapshot: Sendable, Hashable, Codable {
    /// The largest that is read, in bytes: that of a database of about 500 GiB.
    static let largest = 4 << 20
    /// How many bytes of the database are in a piece.
    static let pieceSize = 16 << 20

    /// A part of the database, as it is kept.
    struct Piece: Sendable, Hashable, Codable {
        /// The SHA-256 of the compressed bytes.
        let sha256: String
        /// How many there are.
        let size: Int
    }

    /// The version of this format.
    var schemaVersion = 1
    /// The version of the database's tables.
    let storeVersion: Int
    /// What had arrived before this moment is in it: how far the server had read the log.
    let until: Date
    /// How many runs it has.
    let runs: Int
    /// How many bytes the database has.
    let size: Int
    /// The SHA-256 of the database.
    let sha256: String
    /// Its pieces in their order.
    let pieces: [Piece]

    private enum CodingKeys: String, CodingKey {
        case schemaVersion, storeVersion, until, runs, size, sha256, pieces
    }

    init(storeVersion: Int, until: Date, runs: Int, size: Int, sha256: String, pieces: [Piece]) {
        self.storeVersion = storeVersion
        self.until = until
        self.runs = runs
        self.size = size
        self.sha256 = sha256
        self.pieces = pieces
    }

    /// Decodes it; the moment has milliseconds.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        schemaVersion = try values.decode(Int.self, forKey: .schemaVersion)
        storeVersion = try values.decode(Int.self, forKey: .storeVersion)
        runs = try values.decode(Int.self, forKey: .runs)
        size = try values.decode(Int.self, forKey: .size)
        sha256 = try values.decode(String.self, forKey: .sha256)
        pieces = try values.decode([Piece].self, forKey: .pieces)
        guard let moment = Timestamp.date(of: try values.decode(String.self, forKey: .until)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .until, in: values, debugDescription: "it is no moment with milliseconds")
        }
        until = moment
    }

    /// Encodes it.
    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(schemaVersion, forKey: .schemaVersion)
        try values.encode(storeVersion, forKey: .storeVersion)
        try values.encode(Timestamp.text(of: until), forKey: .until)
        try values.encode(runs, forKey: .runs)
        try values.encode(size, forKey: .size)
        try values.encode(sha256, forKey: .sha256)
        try values.encode(pieces, forKey: .pieces)
    }

    /// The text of the object.
    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }

    /// Reads the text of an object; `nil` for what is none, of another version, or impossible.
    init?(_ bytes: [UInt8]) {
        guard let snapshot = try? JSONDecoder().decode(IndexSnapshot.self, from: Data(bytes)),
            snapshot.schemaVersion == 1, snapshot.size > 0, snapshot.runs >= 0, Digest.isWellFormed(snapshot.sha256),
            snapshot.pieces.count == (snapshot.size - 1) / Self.pieceSize + 1,
            snapshot.pieces.allSatisfy({
                // What zlib cannot make smaller becomes hardly larger.
                Digest.isWellFormed($0.sha256) && (1...2 * Self.pieceSize).contains($0.size)
            })
        else { return nil }
        self = snapshot
    }
}

/// When a snapshot was left, and of which home it is. They are in the order of their times, as their keys are.
struct SnapshotName: Sendable, Hashable, Comparable {
    /// When it was left, by the clock of the server that did.
    let moment: Date
    /// The home whose index it is: a random number that is kept there.
    let home: String

    /// The last part of its key.
    var text: String { "\(Timestamp.text(of: moment))-\(home)" }

    init(moment: Date, home: String) {
        // As the key has it, in milliseconds.
        self.moment = Timestamp.date(of: Timestamp.text(of: moment)) ?? moment
        self.home = home
    }

    /// The name that a part of a key is; `nil` for what is none.
    init?(_ text: some StringProtocol) {
        let text = String(text)
        guard text.utf8.count > 25, let moment = Timestamp.date(of: String(text.prefix(24))) else { return nil }
        self.init(moment: moment, home: String(text.dropFirst(25)))
        guard self.text == text else { return nil }
    }

    /// Ordered as keys are.
    static func < (left: SnapshotName, right: SnapshotName) -> Bool { Name(left.text) < Name(right.text) }
}

extension RunKey {
    /// The folder of what snapshots consist of.
    static let snapshots = "v1/snapshots"
    /// The folder of the pieces of all snapshots.
    static let indexes = "v1/indexes"

    /// What a snapshot consists of.
    static func snapshot(_ name: SnapshotName) throws -> ObjectKey { try key("\(snapshots)/\(name.text)") }

    /// A piece of a snapshot, counted from 0. Keys are in the order of the pieces.
    static func piece(_ number: Int, of name: SnapshotName) throws -> ObjectKey {
        let digits = String(number)
        return try key("\(indexes)/\(name.text)/\(String(repeating: "0", count: max(0, 6 - digits.count)))\(digits)")
    }

    /// The snapshot of which there is a piece under a key; `nil` for a key that is of none.
    static func snapshot(ofPiece key: ObjectKey) -> SnapshotName? {
        let parts = key.text.split(separator: "/")
        guard parts.count == 4, "\(parts[0])/\(parts[1])" == indexes else { return nil }
        return SnapshotName(parts[2])
    }
}
