import Synchronization

/// What was made of texts and lists that runs share: whoever looks at many runs of a project makes it once.
///
/// Content that is removed leaves its number to other content, so what is remembered counts only where the bytes are the same.
final class ContentCache: Sendable {
    /// About so many bytes are remembered at most.
    private static let room = 4 << 20

    private struct Key: Hashable {
        let id: Int64
        let type: ObjectIdentifier
    }

    private struct Entry {
        let body: [UInt8]
        let value: any Sendable
        let size: Int
        var lastUse: UInt64
    }

    private struct Kept {
        var entries: [Key: Entry] = [:]
        var size = 0
        var uses: UInt64 = 0

        /// What was made of these bytes.
        mutating func value(_ key: Key, of body: [UInt8]) -> (any Sendable)? {
            guard let entry = entries[key], entry.body == body else { return nil }
            uses += 1
            entries[key]?.lastUse = uses
            return entry.value
        }

        mutating func keep(_ value: any Sendable, _ key: Key, of body: [UInt8], size: Int) {
            guard size <= ContentCache.room / 4 else { return }
            uses += 1
            if let old = entries.updateValue(Entry(body: body, value: value, size: size, lastUse: uses), forKey: key) {
                self.size -= old.size
            }
            self.size += size
            while self.size > ContentCache.room, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                entries[oldest.key] = nil
                self.size -= oldest.value.size
            }
        }
    }

    private let kept = Mutex(Kept())

    /// What `make` makes of a content, or has made of it before.
    ///
    /// - Parameter size: About how many bytes the value takes beside the content itself.
    func value<Value: Sendable>(
        of id: Int64, _ body: [UInt8], size: (Value) -> Int, _ make: ([UInt8]) throws -> Value
    ) rethrows -> Value {
        let key = Key(id: id, type: ObjectIdentifier(Value.self))
        if let known = kept.withLock({ $0.value(key, of: body) }) as? Value { return known }
        let value = try make(body)
        let size = size(value) + body.count
        kept.withLock { $0.keep(value, key, of: body, size: size) }
        return value
    }

    /// About how many bytes are remembered.
    var size: Int { kept.withLock { $0.size } }
}

extension Connection {
    /// What stands in a content, as JSON.
    func decoded<Value: Decodable & Sendable>(_ type: Value.Type, from id: Int64) throws -> Value {
        let body = try RunReading(self).bytes(id)
        let make = { (body: [UInt8]) in try StoredJSON.decode(type, from: String(decoding: body, as: UTF8.self)) }
        // What JSON says takes several times its length.
        return try memory?.value(of: id, body, size: { _ in 4 * body.count }, make) ?? make(body)
    }

    /// The list that a content holds.
    func list<Element: Sendable>(_ id: Int64, _ make: ([UInt8]) throws -> [Element]) throws -> [Element] {
        let body = try RunReading(self).bytes(id)
        return try memory?.value(of: id, body, size: { $0.count * MemoryLayout<Element>.stride }, make) ?? make(body)
    }
}
