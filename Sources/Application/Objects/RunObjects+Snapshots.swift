import Evidence
import Foundation
import Objects
import RunModel
import Storage

extension RunObjects {
    /// The snapshots of indexes that are whole as far as lists tell, the oldest first.
    func snapshots() async throws -> [SnapshotName] {
        var names: [SnapshotName] = []
        try await forEach(in: RunKey.snapshots) { entry in
            if let name = SnapshotName(RunKey.end(of: entry.key)) { names.append(name) }
        }
        return names
    }

    /// What a snapshot consists of; `nil` where there is none that can be read.
    func snapshot(_ name: SnapshotName) async throws -> IndexSnapshot? {
        let key = try RunKey.snapshot(name)
        let bytes: [UInt8]?
        do throws(ObjectError) {
            bytes = try await store.bytes(
                of: key, limit: IndexSnapshot.largest, until: ContinuousClock.now + Self.patience)
        } catch {
            guard error.isOfOneObject else { throw error }
            return nil
        }
        return bytes.flatMap { IndexSnapshot($0) }
    }

    /// Keeps a database file as a snapshot: its pieces, then what it consists of. Whole when it returns.
    ///
    /// - Parameters:
    ///   - path: The file, which nobody changes meanwhile.
    ///   - until: What had arrived before is in it.
    ///   - runs: How many runs it has.
    func keep(
        database path: String, until: Date, runs: Int, as name: SnapshotName
    ) async throws -> IndexSnapshot {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        var (digest, size, pieces) = (Digest(), 0, [IndexSnapshot.Piece]())
        while true {
            let bytes = try Self.piece(of: file)
            if bytes.isEmpty { break }
            bytes.withUnsafeBytes { digest.update($0) }
            size += bytes.count
            guard let packed = PackedPiece.packed(bytes) else {
                throw ObjectError(.unreadable, "a piece of the index cannot be compressed")
            }
            let content = ObjectContent(packed)
            let key = try RunKey.piece(pieces.count, of: name)
            try await store.put(content, at: key, until: ContinuousClock.now + Self.patience)
            pieces.append(IndexSnapshot.Piece(sha256: content.sha256, size: content.size))
        }
        let snapshot = IndexSnapshot(
            storeVersion: RunStore.schemaVersion, until: until, runs: runs, size: size, sha256: digest.text,
            pieces: pieces)
        let bytes = try snapshot.encoded()
        guard bytes.count <= IndexSnapshot.largest, IndexSnapshot(bytes) != nil else {
            throw ObjectError(.tooLarge, "the index is too large for a snapshot: \(size) bytes")
        }
        try await store.put(
            ObjectContent(bytes), at: RunKey.snapshot(name), until: ContinuousClock.now + Self.patience)
        return snapshot
    }

    /// The next bytes of a file, as many as a piece has unless it ends.
    private static func piece(of file: FileHandle) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < IndexSnapshot.pieceSize {
            let more = try file.read(upToCount: IndexSnapshot.pieceSize - bytes.count) ?? Data()
            if more.isEmpty { break }
            bytes.append(contentsOf: more)
        }
        return bytes
    }

    /// Copies the database of a snapshot into a new file.
    ///
    /// - Returns: `nil` when it has the bytes that were left; otherwise what is wrong with it.
    func fetch(_ snapshot: IndexSnapshot, _ name: SnapshotName, to path: String) async throws -> String? {
        var file = try FileWriter(creating: path)
        var (digest, size) = (Digest(), 0)
        for (number, piece) in snapshot.pieces.enumerated() {
            let key = try RunKey.piece(number, of: name)
            let packed: [UInt8]?
            do throws(ObjectError) {
                packed = try await store.bytes(of: key, limit: piece.size, until: ContinuousClock.now + Self.patience)
            } catch {
                guard error.isOfOneObject else { throw error }
                return error.kind == .tooLarge
                    ? "piece \(number) is larger than it was" : "piece \(number) cannot be read: \(error)"
            }
            guard let packed else { return "piece \(number) is not there" }
            guard Digest.sha256(packed) == piece.sha256 else { return "piece \(number) has another SHA-256" }
            guard let bytes = PackedPiece.unpacked(packed), size + bytes.count <= snapshot.size else {
                return "piece \(number) is no part of an index"
            }
            bytes.withUnsafeBytes { digest.update($0) }
            try Self.append(bytes, to: &file)
            size += bytes.count
        }
        try file.finish()
        return size == snapshot.size && digest.text == snapshot.sha256 ? nil : "the index has another SHA-256"
    }

    private static func append(_ bytes: [UInt8], to file: inout FileWriter) throws(EvidenceError) {
        try bytes.withUnsafeBufferPointer { bytes throws(EvidenceError) in
            try file.append(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Names each run that has arrived, once, with when the last of its arrivals was written, in the order of the keys.
    func forEachArrived(_ body: (RunPlace, Date) async throws -> Void) async throws {
        var current: (place: RunPlace, newest: Date)?
        try await forEach(in: RunKey.arrivals) { entry in
            guard let place = RunKey.place(ofArrival: entry.key) else { return }
            // Where the key has no moment it may be a new one.
            let moment = Timestamp.date(of: String(RunKey.end(of: entry.key).prefix(24))) ?? .distantFuture
            guard let last = current, last.place == place else {
                let before = current
                current = (place: place, newest: moment)
                if let before { try await body(before.place, before.newest) }
                return
            }
            current = (place: place, newest: max(last.newest, moment))
        }
        if let current { try await body(current.place, current.newest) }
    }

    /// Removes snapshots, each with its pieces, and the pieces of those that were never whole.
    ///
    /// - Parameter isOver: Whether one is not needed any more; asked of each name once or more.
    func removeSnapshots(where isOver: (SnapshotName) -> Bool) async throws {
        // First what says that it is whole.
        for name in try await snapshots() where isOver(name) {
            try await store.delete(RunKey.snapshot(name), until: ContinuousClock.now + Self.patience)
        }
        try await forEach(in: RunKey.indexes) { entry in
            guard let name = RunKey.snapshot(ofPiece: entry.key), isOver(name) else { return }
            try await store.delete(entry.key, until: ContinuousClock.now + Self.patience)
        }
    }
}
