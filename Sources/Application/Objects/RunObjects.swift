import Evidence
import Foundation
import Objects
import RunModel
import Synchronization

/// The objects of the runs that servers have taken in, in whichever store: files by what they hold, manifests, and for each
/// delivery who it came from.
///
/// With its arrival a run is kept; it is written last. What is in the log before has perhaps not arrived.
package struct RunObjects: Sendable {
    /// How many objects of a run are on their way at a time.
    private static let atATime = 16
    /// How long one call may take.
    static let patience = Duration.seconds(120)

    let store: any ObjectStore
    /// Where that is, as it is written.
    let place: String
    /// What is in the keys of this server and not in those of others.
    let server: String
    let now: @Sendable () -> Date
    private let sent = SentFiles()

    init(_ store: any ObjectStore, at place: String, server: String, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.place = place
        self.server = server
        self.now = now
    }

    /// Asks the store for its first object, so that what is wrong with it is told before anybody depends on it. Credentials that the
    /// machine does not have yet are asked for again.
    ///
    /// - Parameters:
    ///   - limit: How long to wait for the store, and for credentials.
    ///   - pause: How long to wait until they are asked for again, at first.
    package func tryOut(within limit: Duration = .seconds(20), pause: Duration = .milliseconds(500)) async throws {
        let deadline = ContinuousClock.now + limit
        var failures = 0
        while true {
            do throws(ObjectError) {
                _ = try await store.list(in: nil, after: nil, limit: 1, until: deadline)
                return
            } catch {
                failures += 1
                let share = Double.random(in: 0...1)
                let wait = LookPause.pause(pause, after: failures, share: share)
                guard error.awaitsCredentials, ContinuousClock.now + wait < deadline else { throw error }
                if failures == 1 {
                    StandardStreams.tell("kanmon: the credentials for \(place) are asked for again: \(error)")
                }
                try await Task.sleep(for: wait)
            }
        }
    }

    /// Keeps a run: its files and its manifest, then that it has arrived. Kept when it returns.
    ///
    /// - Parameters:
    ///   - directory: Has the files.
    ///   - files: All of them, with the manifest.
    ///   - sender: Who has sent them, and is told nothing of what others have; `nil` where nobody waits for it.
    ///   - limit: How long it may take; by default 20 s, and a second for each MiB.
    /// - Throws: `ObjectError`; `EvidenceError` for a file that is gone.
    func keep(
        _ arrival: Arrival, of directory: RunDirectory, _ files: [Delivery.File], sentBy sender: String?,
        within limit: Duration? = nil
    ) async throws {
        let bytes = files.reduce(0) { $0 + $1.size }
        let deadline = ContinuousClock.now + (limit ?? .seconds(20 + (bytes >> 20)))
        let place = RunPlace(arrival.run, of: arrival.project)
        var seen: Set<String> = []
        let manifest = files.filter { $0.path == RunManifest.fileName }
        let others = files.filter { $0.path != RunManifest.fileName && seen.insert($0.sha256).inserted }
        try await Self.each(others) { file in
            try await put(file, of: directory, at: RunKey.blob(file.sha256), sentBy: sender, until: deadline)
        }
        for file in manifest {
            let key = try RunKey.manifest(file.sha256, of: place)
            try await put(file, of: directory, at: key, sentBy: sender, until: deadline)
        }
        // What was seen to be there is so for as long as a sweep waits, and that is longer than this. However long the machine slept
        // in between, no run arrives later.
        guard ContinuousClock.now < deadline else { throw ObjectError(.later, "to keep the run took too long") }
        try await note(arrival, until: deadline)
    }

    /// Writes down that a run has arrived: first in the log, where other servers look, so that none of them misses what is kept.
    func note(_ arrival: Arrival, until deadline: ContinuousClock.Instant) async throws {
        let entry = LogEntry(moment: now(), server: server, place: RunPlace(arrival.run, of: arrival.project))
        try await store.put(ObjectContent([]), at: RunKey.key(entry.key), until: deadline)
        let key = try RunKey.arrival(of: entry.place, at: entry.moment, server: server)
        try await store.put(ObjectContent(try arrival.encoded()), at: key, until: deadline)
    }

    /// Puts a file. What is there already is passed over, for a sender only where it was put for that one before.
    private func put(
        _ file: Delivery.File, of directory: RunDirectory, at key: ObjectKey, sentBy sender: String?,
        until deadline: ContinuousClock.Instant
    ) async throws {
        let mayPass = sender.map { sent.has(key, of: $0) } ?? true
        if mayPass, try await store.head(key, until: deadline) == file.size { return }
        let content = ObjectContent(try directory.open(file.path), sha256: file.sha256)
        try await store.put(content, at: key, until: deadline)
        if let sender { sent.add(key, of: sender) }
    }

    /// Does the same with several values, some at a time. The first error ends it.
    static func each<Value: Sendable>(
        _ values: [Value], _ work: @escaping @Sendable (Value) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for value in values.prefix(atATime) { group.addTask { try await work(value) } }
            var rest = values.dropFirst(atATime)
            while try await group.next() != nil {
                if let value = rest.popFirst() { group.addTask { try await work(value) } }
            }
        }
    }
}

/// The files that this process has put among the objects, by who sent them.
///
/// A file may be there because of another sender, and that it is passed over takes less time than putting it: who only guesses what it
/// holds would learn from that whether others have it.
private final class SentFiles: Sendable {
    private struct File: Hashable {
        let sender: String
        let key: ObjectKey
    }

    /// At how many all are forgotten, about 30 MB in memory; what is forgotten is put once more.
    private static let most = 100_000

    private let files = Mutex<Set<File>>([])

    /// Whether a file was put for a sender.
    func has(_ key: ObjectKey, of sender: String) -> Bool {
        let file = File(sender: sender, key: key)
        return files.withLock { $0.contains(file) }
    }

    /// Notes that a file was put for a sender.
    func add(_ key: ObjectKey, of sender: String) {
        let file = File(sender: sender, key: key)
        files.withLock { files in
            if files.count >= Self.most { files = [] }
            files.insert(file)
        }
    }
}

extension Error {
    /// Whether it is that of a store of objects which may answer later.
    package var mayPass: Bool { (self as? ObjectError)?.kind == .later }

    /// Whether a server starts in spite of it: the store may answer later, or the machine have credentials.
    package var mayPassBehindStart: Bool { mayPass || (self as? ObjectError)?.awaitsCredentials == true }
}

extension ObjectError {
    /// Whether it is about the object that was asked for, and says nothing of others: that is archived, larger than it may
    /// be, or not what the store says of it.
    var isOfOneObject: Bool {
        switch kind {
        case .failed, .tooLarge, .unreadable: true
        case .later, .refused, .settings, .disk: false
        }
    }
}
