import Evidence
import Foundation
import Objects
import RunModel

extension RunObjects {
    /// What has arrived of one run.
    struct Arrivals: Sendable, Hashable {
        /// The arrivals, each with the end of its key.
        var read: [String: Arrival] = [:]
        /// The keys of those that are none.
        var unreadable: [String] = []
    }

    /// Names each run that has arrived, once, in the order of the keys.
    func forEachRun(_ body: (RunPlace) async throws -> Void) async throws {
        var last: RunPlace?
        try await forEach(in: RunKey.arrivals) { entry in
            guard let place = RunKey.place(ofArrival: entry.key), place != last else { return }
            last = place
            try await body(place)
        }
    }

    /// Names each entry of the log behind a key, from the beginning for `nil`, in the order of the keys.
    func forEachEntry(after start: String?, _ body: (LogEntry) async throws -> Void) async throws {
        try await forEach(in: RunKey.logFolder, after: start) { found in
            if let entry = LogEntry(found.key) { try await body(entry) }
        }
    }

    /// Names each object in a folder, in the order of the keys.
    func forEach(
        in folder: String, after start: String? = nil, _ body: (ObjectPage.Entry) async throws -> Void
    ) async throws {
        var entries = ObjectCursor(self, in: folder, after: start)
        while let entry = try await entries.next() { try await body(entry) }
    }

    /// The arrivals of a run, as they are listed.
    func arrivals(of place: RunPlace) async throws -> Arrivals {
        var found = Arrivals()
        try await forEach(in: RunKey.arrivalFolder(of: place)) { entry in
            let isThere = try await read(entry.key, of: place, into: &found)
            if !isThere { found.unreadable.append(entry.key.text) }
        }
        return found
    }

    /// Whether the same manifest has arrived from the same token.
    func has(_ arrival: Arrival) async throws -> Bool {
        try await arrivals(of: RunPlace(arrival.run, of: arrival.project)).read.values.contains {
            $0.manifest == arrival.manifest && $0.delivery.token == arrival.delivery.token
        }
    }

    /// The arrivals of a run that the log names, with the one that it means, which may not be listed yet; `nil` if that is not there.
    func arrivals(of entry: LogEntry) async throws -> Arrivals? {
        var found = try await arrivals(of: entry.place)
        let key = try RunKey.arrival(of: entry.place, at: entry.moment, server: entry.server)
        if found.read[RunKey.end(of: key)] == nil, !found.unreadable.contains(key.text) {
            let isThere = try await read(key, of: entry.place, into: &found)
            guard isThere else { return nil }
        }
        return found
    }

    /// Reads an arrival by its key; returns whether there is such an object. One that is too large, or that the store cannot
    /// give, is as unreadable as one of a later version.
    private func read(_ key: ObjectKey, of place: RunPlace, into found: inout Arrivals) async throws -> Bool {
        let bytes: [UInt8]?
        do throws(ObjectError) {
            bytes = try await store.bytes(
                of: key, limit: Arrival.largest, until: ContinuousClock.now + Self.patience)
        } catch {
            guard error.isOfOneObject else { throw error }
            found.unreadable.append(key.text)
            return true
        }
        guard let bytes else { return false }
        if let arrival = Arrival(bytes, at: place) {
            found.read[RunKey.end(of: key)] = arrival
        } else {
            found.unreadable.append(key.text)
        }
        return true
    }

    /// Copies an object to the blobs of this machine, unless they have it.
    ///
    /// - Parameter sha256: What it has to be: bytes with another hash are not kept.
    /// - Returns: Whether there is such an object.
    /// - Throws: `EvidenceError.damaged` for other bytes, `.unwritable`; `ObjectError`.
    func fetch(_ sha256: String, at key: ObjectKey, into blobs: BlobStore) async throws -> Bool {
        guard blobs.size(of: sha256) == nil else {
            blobs.touch(sha256)
            return true
        }
        if try await copy(sha256, from: key, into: blobs) { return true }
        // A sweep may have set it aside while the run arrived.
        for entry in try await copies(of: key) {
            if try await copy(sha256, from: entry.key, into: blobs) { return true }
        }
        return false
    }

    /// Copies an object to the blobs of this machine; returns whether there is such an object.
    private func copy(_ sha256: String, from key: ObjectKey, into blobs: BlobStore) async throws -> Bool {
        let blob = try blobs.receive(sha256)
        var failure: EvidenceError?
        let size: Int?
        do throws(ObjectError) {
            size = try await store.get(
                key, limit: BlobStore.largest, until: ContinuousClock.now + Self.patience
            ) { (bytes) throws(ObjectError) in
                do throws(EvidenceError) {
                    try blob.append(bytes)
                } catch {
                    failure = error
                    throw ObjectError(.disk, "\(error)")
                }
            }
        } catch {
            if let failure { throw failure }
            throw error
        }
        guard size != nil else { return false }
        try blob.finish()
        return true
    }
}
