import Evidence
package import Foundation
import Gate
import RunModel
import Storage

/// Leaves copies of the index of a home in the store of objects, from which another machine begins when its disk is lost.
package struct SnapshotWriter: Sendable {
    /// How many snapshots of one home are kept.
    static let kept = 2
    /// After how many seconds the snapshots of other homes are removed: those of servers that do not come back.
    static let longest: TimeInterval = 30 * 86_400

    private let objects: RunObjects
    private let home: Home
    private let leastFree: Double

    /// Makes a writer.
    ///
    /// - Parameter leastFree: The share of the disk that stays free while the copy is made, 0 to 1.
    package init(_ objects: RunObjects, of home: Home, leastFree: Double = 0) {
        self.objects = objects
        self.home = home
        self.leastFree = leastFree
    }

    /// A snapshot that was left.
    package struct Left: Sendable, Hashable {
        /// Its name among the objects.
        package let name: String
        /// How many runs it has.
        package let runs: Int
        /// How many bytes its pieces have.
        package let bytes: Int
    }

    /// Leaves a snapshot of the index as it is now, and removes older ones. Whole among the objects when it returns.
    ///
    /// The copy has nothing of runs that were made or ingested in this home, as those are among no objects either.
    ///
    /// - Throws: `Problem` where there is nothing to leave yet, or no room for the copy; `ObjectError`, `StorageError`.
    package func leave(at now: Date) async throws -> Left {
        // Before the copy, so that everything is in it that had arrived before.
        guard home.hasStore, let until = KnownLog(home).read(of: objects.place) else {
            throw Problem(
                .ioError, "it is not known how much of \(objects.place) is in \(home.path) yet",
                hint: "let kanmon serve --objects \(objects.place) run for a minute")
        }
        let (folders, share) = (home, leastFree)
        let copy = "\(home.database).snapshot"
        let last = "\(copy).delivered"
        defer { for path in [copy, last] { Self.remove(path) } }
        let (file, runs) = try await ThreadWait.onThread { () throws -> (String, Int) in
            for path in [copy, last] { Self.remove(path) }
            return try Self.copy(folders, to: copy, orTo: last, share)
        }
        var ledger = SnapshotLedger.read(home) ?? SnapshotLedger(home: objects.server)
        let name = SnapshotName(moment: now, home: ledger.home)
        let snapshot = try await objects.keep(database: file, until: until, runs: runs, as: name)
        ledger.last = SnapshotLedger.Last(place: objects.place, name: name.text, until: until, runs: runs)
        try ledger.write(home)
        try await removeOld(but: name, now)
        return Left(name: name.text, runs: runs, bytes: snapshot.pieces.reduce(0) { $0 + $1.size })
    }

    /// Copies the delivered runs of the store; answers with the file and how many runs it has.
    private static func copy(
        _ home: Home, to copy: String, orTo last: String, _ leastFree: Double
    ) throws -> (String, Int) {
        let size = [home.database, "\(home.database)-wal"].reduce(0) { $0 + (FileStatus(at: $1)?.size ?? 0) }
        // What is taken here must not keep deliveries out.
        if let disk = BlobStore(path: home.blobs).disk,
            Double(disk.free - 2 * size) < leastFree * Double(disk.total)
        {
            throw Problem(
                .ioError, "there is no room beside \(home.database) for a copy of it, with which deliveries go on",
                hint: "free another \(Figures.bytes(2 * size))")
        }
        try RunStore.reading(home.database).backup(to: copy)
        let store = try RunStore.reading(copy)
        guard try store.hasOwnRuns() else { return (copy, try store.runCount()) }
        let changed = try RunStore(path: copy)
        try changed.removeOwnRuns()
        // The first copy has a log beside it now, and still what was removed in unused parts.
        try changed.backup(to: last)
        return (last, try changed.runCount())
    }

    /// Removes a copy with what SQLite leaves beside it.
    private static func remove(_ path: String) {
        for end in ["", "-wal", "-shm", ".lock", ".partial"] {
            try? FileManager.default.removeItem(atPath: path + end)
        }
    }

    /// Removes all but the last snapshots of this home, and those of homes that have left none for long.
    private func removeOld(but last: SnapshotName, _ now: Date) async throws {
        let own = try await objects.snapshots().filter { $0.home == last.home }
        // Where the clock was set back it is not the last of them.
        let kept = Set(own.suffix(Self.kept)).union([last])
        try await objects.removeSnapshots { name in
            name.home == last.home
                ? !kept.contains(name) : now.timeIntervalSince(name.moment) > Self.longest
        }
    }
}

/// Which snapshots a home has left: a file in it.
struct SnapshotLedger: Sendable, Hashable, Codable {
    /// The largest file that is read, in bytes.
    private static let largest = 64 << 10

    /// The last snapshot.
    struct Last: Sendable, Hashable, Codable {
        /// The store of objects, as it is written.
        let place: String
        /// Its name there.
        let name: String
        /// How far the log had been read.
        let until: Date
        /// How many runs it has.
        let runs: Int
    }

    /// The version of this format.
    var schemaVersion = 1
    /// What is in the names of this home's snapshots, and not in those of others.
    let home: String
    /// `nil` where it has left none.
    var last: Last?

    init(home: String) { self.home = home }

    /// The file of a home; `nil` where there is none that can be read: then its older snapshots are those of another home.
    static func read(_ home: Home) -> SnapshotLedger? {
        guard let bytes = try? SmallFile.read(home.ownSnapshots, limit: largest),
            let ledger = try? JSONDecoder().decode(SnapshotLedger.self, from: Data(bytes)), ledger.schemaVersion == 1,
            SnapshotName(SnapshotName(moment: Date(timeIntervalSince1970: 0), home: ledger.home).text) != nil
        else { return nil }
        return ledger
    }

    /// Writes the file; on disk when it returns.
    func write(_ home: Home) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try SmallFile.replace(home.ownSnapshots, with: Array(try encoder.encode(self)) + [UInt8(ascii: "\n")])
    }

    /// When the last snapshot was left in a store; `nil` if there is none there.
    func moment(in place: String) -> Date? {
        guard let last, last.place == place else { return nil }
        return SnapshotName(last.name)?.moment
    }
}
