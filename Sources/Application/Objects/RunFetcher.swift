package import Dashboard
import Evidence
package import Foundation
import Gate
import Objects
package import RunModel
import Synchronization

/// Brings the files of runs back from the objects that a home has dropped: each compared with its hash, and one time for all who ask for a
/// run at once. The least recently needed files are removed again when all of them take too much space.
package final class RunFetcher: Sendable {
    /// The default for the most space that fetched files may take, in bytes.
    package static let room = 4 << 30
    /// What was needed within this many seconds stays, even if everything takes too much space: a page may be reading
    /// it.
    private static let inUse: TimeInterval = 60

    /// A file that the objects lack.
    private struct Missing: Error {
        let path: String
    }

    /// Lends the objects of a place, as it is written, for as long as the work takes.
    typealias Lending =
        @Sendable (_ place: String, _ work: @escaping @Sendable (RunObjects) async throws -> Void) async throws -> Void

    private let home: Home
    private let room: Int
    private let now: @Sendable () -> Date
    private let lend: Lending
    private let dropped: DroppedRuns
    private let tasks = Mutex<[RunID: Task<Void, any Error>]>([:])
    /// Only one at a time frees space.
    private let eviction = Mutex(())

    init(_ home: Home, room: Int, now: @escaping @Sendable () -> Date, lend: @escaping Lending) {
        self.home = home
        self.room = room
        self.now = now
        self.lend = lend
        dropped = DroppedRuns(home)
    }

    /// Fetches for a command, from wherever the files are.
    package convenience init(_ home: Home, process: ProcessContext) {
        self.init(home, room: Self.room, now: { process.now }) { place, work in
            try await ObjectPlace(place).with(process) { try await work($0) }
        }
    }

    /// Fetches for a server.
    ///
    /// - Parameters:
    ///   - objects: Those of the server; `nil` if it has none, and nothing can be fetched.
    ///   - room: The most space that all fetched files may take, in bytes.
    package convenience init(
        _ home: Home, from objects: RunObjects?, room: Int, now: @escaping @Sendable () -> Date
    ) {
        self.init(home, room: room, now: now) { place, work in
            guard let objects else {
                throw EvidenceUnavailable("its files are among objects, and the server was started without --objects")
            }
            guard objects.place == place else {
                throw EvidenceUnavailable("its files are among other objects than those of the server")
            }
            try await work(objects)
        }
    }

    /// What pages of runs ask before they are made.
    package var source: EvidenceSource {
        EvidenceSource { [dropped] id in
            dropped.use(id)
            return dropped.isDropped(id)
        } bring: { [self] id in
            do {
                try await bring(id)
            } catch {
                // The whole reason is for who runs the server.
                StandardStreams.tell("kanmon: the files of run \(id.short) cannot be fetched: \(error)")
                throw Self.explained(error)
            }
        }
    }

    /// What is told to a reader.
    private static func explained(_ error: any Error) -> EvidenceUnavailable {
        switch error {
        case let error as EvidenceUnavailable: error
        case let missing as Missing: EvidenceUnavailable("the object store does not have its file \(missing.path)")
        case let error as ObjectError:
            switch error.kind {
            case .later: EvidenceUnavailable("the object store does not answer")
            case .refused, .settings: EvidenceUnavailable("the object store does not let the server read")
            case .failed, .tooLarge, .unreadable: EvidenceUnavailable("the object store does not answer as it should")
            case .disk: EvidenceUnavailable("its files cannot be read or written where the server runs")
            }
        case let error as EvidenceError where error.isBadInput:
            EvidenceUnavailable("what the object store has of it is damaged")
        default: EvidenceUnavailable("its files cannot be written where the server runs")
        }
    }

    /// Brings the files of a run back, if they are only among the objects.
    ///
    /// - Throws: `Problem` for a file that is missing there; `ObjectError`; `EvidenceError`.
    package func fetch(_ id: RunID) async throws {
        do {
            try await bring(id)
        } catch let missing as Missing {
            throw Problem(
                .ioError, "the objects lack the file \(missing.path) of run \(id.short)",
                hint: "kanmon objects check --repair, where the run was taken in")
        }
    }

    private func bring(_ id: RunID) async throws {
        guard dropped.isDropped(id) else { return dropped.use(id) }
        let task = tasks.withLock { running -> Task<Void, any Error> in
            if let task = running[id] { return task }
            // Detached, as it is for all who ask: that the first of them has gone ends it for none.
            let task: Task<Void, any Error> = Task.detached(executorPreference: WorkThreads.current) { [self] in
                defer { tasks.withLock { $0[id] = nil } }
                try await restore(id)
            }
            running[id] = task
            return task
        }
        try await task.value
    }

    private func restore(_ id: RunID) async throws {
        guard let entry = try dropped.entry(of: id) else { return }
        let kept = RunDirectory(path: entry.directory)
        // It was removed, or is about to be made.
        guard kept.isThere else { return }
        // Another run may have the place by now, which is whole.
        guard try kept.manifestDigest() == entry.manifest else { return dropped.forget(id) }
        let size = Mutex(0)
        do {
            try await lend(entry.place) { [self] objects in
                let bytes = try await restore(id, entry, from: objects)
                size.withLock { $0 = bytes }
            }
        } catch {
            // Another process may have been faster.
            guard dropped.isDropped(id) else { return }
            throw error
        }
        try dropped.addFetched(
            id,
            DroppedRuns.Entry(
                place: entry.place, directory: entry.directory, manifest: entry.manifest, bytes: size.withLock { $0 }))
        try makeRoom(beside: id)
    }

    /// Brings the files; answers with how many bytes they have.
    private func restore(
        _ id: RunID, _ entry: DroppedRuns.Entry, from objects: RunObjects
    ) async throws -> Int {
        let kept = RunDirectory(path: entry.directory)
        let place = RunPlace(id, of: try kept.manifest().project)
        // No sender has such an identity. The run directory has links to what is here, which goes then.
        let blobs = BlobStore(path: home.blobs).sent(by: "fetched:\(id)")
        defer { try? FileManager.default.removeItem(atPath: blobs.path) }
        let key = try RunKey.manifest(entry.manifest, of: place)
        guard try await objects.fetch(entry.manifest, at: key, into: blobs) else {
            throw Missing(path: RunManifest.fileName)
        }
        // The manifests of shards name more files once they are here.
        for _ in 0..<3 {
            guard let run = try PartialRun(manifest: entry.manifest, in: blobs) else { break }
            guard !run.missing.isEmpty else {
                let whole = try WholeDelivery(run.delivery, of: id, in: blobs)
                let record = try kept.delivery()
                let staged = try IncomingRun(whole, for: kept.path, replacing: true, record: record)
                do {
                    try staged.settle()
                    // It may have been delivered again meanwhile, or who delivered it is distrusted by now.
                    if try kept.delivery() == record {
                        _ = try staged.keep()
                        return run.delivery.files.reduce(0) { $0 + $1.size }
                    }
                } catch {
                    staged.discard()
                    throw error
                }
                staged.discard()
                continue
            }
            let missing = Mutex<[String]>([])
            try await RunObjects.each(run.missing) { file in
                let isThere = try await objects.fetch(file.sha256, at: RunKey.blob(file.sha256), into: blobs)
                if !isThere { missing.withLock { $0.append(file.path) } }
            }
            if let path = missing.withLock({ $0.min() }) { throw Missing(path: path) }
        }
        throw EvidenceError.damaged(file: kept.path, reason: "it became another while its files were fetched")
    }

    /// Drops the least recently needed files until the rest fits.
    private func makeRoom(beside id: RunID) throws {
        try eviction.withLock { _ in
            let all = try dropped.allFetched()
            var bytes = all.reduce(0) { $0 + $1.entry.bytes }
            for old in all where bytes > room && old.run != id {
                guard now().timeIntervalSince(old.used) > Self.inUse else { break }
                try drop(old)
                bytes -= old.entry.bytes
            }
        }
    }

    private func drop(_ old: DroppedRuns.Fetched) throws {
        let directory = RunDirectory(path: old.entry.directory)
        // Another run may have the place by now, which is not among the objects perhaps.
        guard try directory.manifestDigest() == old.entry.manifest else { return dropped.forget(old.run) }
        try dropped.add(old.run, old.entry)
        try directory.dropFiles()
        dropped.removeFetched(old.run)
    }
}
