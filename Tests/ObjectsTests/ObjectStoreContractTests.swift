import Cryptography
import Delivery
import Evidence
import Foundation
import TestSupport
import Testing

@testable import Objects

/// What every store does alike. `scripts/check-objects` runs the same against a store of others, which it names in the environment.
@Suite struct ObjectStoreContractTests {
    /// A kind of store.
    enum Kind: String, Sendable {
        case folder, bucket, prefix, others

        /// All that there are here.
        static let all: [Kind] = [.folder, .bucket, .prefix] + (given == nil ? [] : [.others])
        /// The location of a bucket of others, with the variables of AWS beside it.
        static var given: String? { ProcessInfo.processInfo.environment["KANMON_TEST_OBJECTS"] }
    }

    /// Lends a store that is empty.
    private func with<Result: Sendable>(
        _ kind: Kind, _ body: (any ObjectStore) async throws -> Result
    ) async throws -> Result {
        switch kind {
        case .folder:
            let folder = try TemporaryFolder()
            return try await body(FolderStore(path: "\(folder.path)/deep/objects"))
        case .bucket, .prefix:
            let bucket = try await FakeBucket()
            let result = try await bucket.with(prefix: kind == .prefix ? "a team/kanmon" : "") { try await body($0) }
            try await bucket.stop()
            return result
        case .others:
            let environment = ProcessInfo.processInfo.environment
            let given = try #require(Kind.given)
            let location = try S3Location("\(given)/\(UUID().uuidString)")
            return try await S3Store.with(
                S3Settings(location, environment: environment), credentials: CredentialSource(environment: environment),
                proxies: ProxySettings([:]), now: { Date() }
            ) { try await body($0) }
        }
    }

    private static let soon = Duration.seconds(600)
    private var deadline: ContinuousClock.Instant { .now + Self.soon }

    private static func key(_ text: String) throws -> ObjectKey { try #require(ObjectKey(text)) }

    private static func sizes(of page: ObjectPage) -> [ObjectKey: Int] {
        page.entries.reduce(into: [:]) { $0[$1.key] = $1.size }
    }

    /// Bytes that are not alike at any two places nearby.
    private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 / 251 &+ $0) } }

    @Test(arguments: Kind.all)
    func `what was put is got, byte for byte, until it is deleted`(kind: Kind) async throws {
        try await with(kind) { store in
            for (name, count) in [("empty", 0), ("one", 1), ("a/b/piece", 256 << 10), ("a/b/pieces", 700_001)] {
                let (key, bytes) = (try Self.key(name), Self.bytes(count))
                #expect(try await store.head(key, until: deadline) == nil)
                try await store.put(ObjectContent(bytes), at: key, until: deadline)
                #expect(try await store.head(key, until: deadline) == count)
                #expect(try await store.bytes(of: key, limit: count, until: deadline) == bytes)
                try await store.put(ObjectContent(bytes), at: key, until: deadline)
                #expect(try await store.bytes(of: key, limit: .max, until: deadline) == bytes)
                try await store.delete(key, until: deadline)
                try await store.delete(key, until: deadline)
                #expect(try await store.bytes(of: key, limit: .max, until: deadline) == nil)
                #expect(try await store.head(key, until: deadline) == nil)
            }
            #expect(try await store.list(in: nil, after: nil, limit: 10, until: deadline).entries.isEmpty)
        }
    }

    @Test(arguments: Kind.all)
    func `an object takes the place of the one before`(kind: Kind) async throws {
        try await with(kind) { store in
            let key = try Self.key("one")
            for text in ["long before", "now"] {
                try await store.put(ObjectContent(Array(text.utf8)), at: key, until: deadline)
            }
            #expect(try await store.bytes(of: key, limit: 100, until: deadline) == Array("now".utf8))
            let page = try await store.list(in: nil, after: nil, limit: 10, until: deadline)
            #expect(Self.sizes(of: page) == [key: 3] && page.next == nil)
            // By the clock of the store, which may be another one.
            let modified = try #require(page.entries.first?.modified)
            #expect(kind == .bucket || kind == .prefix || abs(modified.timeIntervalSinceNow) < 600)
        }
    }

    @Test(arguments: Kind.all)
    func `a key is its bytes, whatever they are`(kind: Kind) async throws {
        let long = (0..<3).map { _ in String(repeating: "k", count: 230) }.joined(separator: "/")
        let keys = try [
            "with space", "+", "a%2Fb", "%", "q?x=1&y#z", "'\"<>&;", "back\\slash", "(~*!$,:@)", "é", "e\u{301}",
            "日本/ガ", "🦊", long,
        ].map(Self.key)
        try await with(kind) { store in
            for key in keys { try await store.put(ObjectContent(Array(key.text.utf8)), at: key, until: deadline) }
            for key in keys {
                #expect(try await store.bytes(of: key, limit: 1000, until: deadline) == Array(key.text.utf8))
            }
            let page = try await store.list(in: nil, after: nil, limit: 100, until: deadline)
            #expect(page.entries.map(\.key) == keys.sorted() && page.next == nil)
            #expect(page.entries.allSatisfy { $0.size == $0.key.text.utf8.count })
            for key in keys { try await store.delete(key, until: deadline) }
        }
    }

    @Test(arguments: Kind.all)
    func `a list goes on behind any key, in the order of the bytes`(kind: Kind) async throws {
        let names = ["a-b", "a/0", "a/b/1", "a/b/2", "a/b-c", "a0", "b/z", "Z", "ü", "\u{FFFD}", "🦊"]
        let keys = try names.map(Self.key).sorted()
        try await with(kind) { store in
            for key in keys { try await store.put(ObjectContent([1]), at: key, until: deadline) }
            func listed(in folder: ObjectKey?, after: String?, limit: Int) async throws -> [ObjectKey] {
                var (found, next): ([ObjectKey], String?) = ([], after)
                for _ in 0...keys.count {
                    let page = try await store.list(in: folder, after: next, limit: limit, until: deadline)
                    #expect(page.entries.count <= limit)
                    found += page.entries.map(\.key)
                    next = page.next
                    if next == nil { return found }
                }
                Issue.record("the list has no end")
                return found
            }
            for limit in [1, 3, 1000] {
                #expect(try await listed(in: nil, after: nil, limit: limit) == keys)
                let inside = keys.filter { $0.text.hasPrefix("a/") }
                #expect(try await listed(in: try Self.key("a"), after: nil, limit: limit) == inside)
            }
            for after in keys {
                #expect(try await listed(in: nil, after: after.text, limit: 4) == keys.filter { after < $0 })
            }
            let behind = try await listed(in: try Self.key("a"), after: "a/b", limit: 2)
            #expect(behind.map(\.text) == ["a/b-c", "a/b/1", "a/b/2"])
            #expect(try await listed(in: try Self.key("none"), after: nil, limit: 2).isEmpty)
            #expect(try await listed(in: nil, after: "🦊🦊", limit: 2).isEmpty)
            for key in keys { try await store.delete(key, until: deadline) }
        }
    }

    @Test(arguments: Kind.all)
    func `a file is put piece by piece, and only with the hash that was said`(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let bytes = Self.bytes(3 << 20)
        try folder.write(Data(bytes), to: "file")
        try folder.write("", to: "empty")
        let file = try #require(try OpenRunFile.open("file", beneath: folder.path, limit: .max))
        let hash = SHA256.hash(bytes).hexadecimal
        try await with(kind) { store in
            let key = try Self.key("files/one")
            let wrong = ObjectContent(file, sha256: String(hash.reversed()))
            let error = await #expect(throws: ObjectError.self) { try await store.put(wrong, at: key, until: deadline) }
            #expect(error?.kind == .unreadable)
            #expect(try await store.head(key, until: deadline) == nil)
            let empty = try #require(try OpenRunFile.open("empty", beneath: folder.path, limit: .max))
            await #expect(throws: ObjectError.self) {
                try await store.put(ObjectContent(empty, sha256: hash), at: key, until: deadline)
            }
            try await store.put(ObjectContent(file, sha256: hash), at: key, until: deadline)
            var (digest, most) = (SHA256(), 0)
            let size = try await store.get(key, limit: 3 << 20, until: deadline) { piece in
                digest.update(piece)
                most = max(most, piece.count)
            }
            #expect(size == 3 << 20 && digest.finalize().hexadecimal == hash)
            // Never the whole object at once.
            #expect(most <= 1 << 20)
            try await store.delete(key, until: deadline)
        }
    }

    @Test(arguments: Kind.all)
    func `of what is too large nothing is taken, and whoever takes may stop`(kind: Kind) async throws {
        try await with(kind) { store in
            let key = try Self.key("large")
            try await store.put(ObjectContent(Self.bytes(600_000)), at: key, until: deadline)
            var taken = 0
            let error = await #expect(throws: ObjectError.self) {
                try await store.get(key, limit: 599_999, until: deadline) { taken += $0.count }
            }
            #expect(error?.kind == .tooLarge && taken == 0)
            let stop = ObjectError(.disk, "no room here")
            await #expect(throws: stop) {
                try await store.get(key, limit: .max, until: deadline) { _ throws(ObjectError) in throw stop }
            }
            try await store.delete(key, until: deadline)
        }
    }
}
