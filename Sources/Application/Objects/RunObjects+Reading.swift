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

    /// Names each object in a folder, in the order of the keys.
    func forEach(in folder: String, _ body: (ObjectPage.Entry) async throws -> Void) async throws {
        let folder = try RunKey.key(folder)
        var after: String?
        repeat {
            let page = try await store.list(
                in: folder, after: after, limit: ObjectPage.largest, until: ContinuousClock.now + Self.patience)
            for entry in page.entries { try await body(entry) }
            after = page.next
        } while after != nil
    }

    /// The arrivals of a run.
    func arrivals(of place: RunPlace) async throws -> Arrivals {
        var arrivals = Arrivals()
        try await forEach(in: RunKey.arrivalFolder(of: place)) { entry in
            if let bytes = try await bytes(of: entry), let arrival = Arrival(bytes, at: place) {
                arrivals.read[entry.key.text.split(separator: "/").last.map(String.init) ?? ""] = arrival
            } else {
                arrivals.unreadable.append(entry.key.text)
            }
        }
        return arrivals
    }

    /// The bytes of an arrival; `nil` for one that is gone, or larger than any.
    private func bytes(of entry: ObjectPage.Entry) async throws -> [UInt8]? {
        guard entry.size <= Arrival.largest else { return nil }
        return try await store.bytes(
            of: entry.key, limit: Arrival.largest, until: ContinuousClock.now + Self.patience)
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
