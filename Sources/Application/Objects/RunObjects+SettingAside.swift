import Evidence
import Objects

/// How an object goes that is perhaps needed at this moment by somebody who cannot be asked: it is copied first.
extension RunObjects {
    /// Copies a file or manifest to where sweeps set aside what nobody needs, and removes it under its key.
    ///
    /// Whoever has seen it there, and names it a moment later, finds the copy.
    ///
    /// - Parameter limit: The largest that is copied, in bytes; it is in memory meanwhile.
    /// - Returns: `false` for an object with another hash than its key says, or a larger one: it stays.
    func setAside(_ key: ObjectKey, limit: Int) async throws -> Bool {
        guard let bytes = try await wholeBytes(of: key, named: key, limit: limit) else {
            return try await store.head(key, until: ContinuousClock.now + Self.patience) == nil
        }
        let copy = try RunKey.copy(of: key, at: now(), server: server)
        try await store.put(ObjectContent(bytes), at: copy, until: ContinuousClock.now + Self.patience)
        try await store.delete(key, until: ContinuousClock.now + Self.patience)
        return true
    }

    /// The copies of a file or manifest that were set aside.
    func copies(of key: ObjectKey) async throws -> [ObjectPage.Entry] {
        try await store.list(
            in: RunKey.key(RunKey.copyFolder(of: key)), after: nil, limit: ObjectPage.largest,
            until: ContinuousClock.now + Self.patience
        ).entries
    }

    /// Puts a file or manifest back that was set aside; returns whether there was a whole copy.
    func putBack(_ key: ObjectKey, limit: Int) async throws -> Bool {
        guard let bytes = try await copiedBytes(of: key, limit: limit) else { return false }
        try await store.put(ObjectContent(bytes), at: key, until: ContinuousClock.now + Self.patience)
        return true
    }

    /// The bytes of a file or manifest that was set aside; `nil` where there is no whole copy.
    func copiedBytes(of key: ObjectKey, limit: Int) async throws -> [UInt8]? {
        for copy in try await copies(of: key) {
            if let bytes = try await wholeBytes(of: copy.key, named: key, limit: limit) { return bytes }
        }
        return nil
    }

    /// The bytes of an object; `nil` where there is none, a larger one, or one with another hash than a key says.
    func wholeBytes(of key: ObjectKey, named name: ObjectKey, limit: Int) async throws -> [UInt8]? {
        let bytes: [UInt8]?
        do throws(ObjectError) {
            bytes = try await store.bytes(of: key, limit: limit, until: ContinuousClock.now + Self.patience)
        } catch {
            guard error.kind == .tooLarge else { throw error }
            return nil
        }
        guard let bytes, Digest.sha256(bytes) == RunKey.end(of: name) else { return nil }
        return bytes
    }
}
