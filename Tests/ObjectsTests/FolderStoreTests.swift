import Evidence
import Foundation
import TestSupport
import Testing

@testable import Objects

/// What is particular to a folder; see also what every store does alike.
@Suite struct FolderStoreTests {
    private let folder: TemporaryFolder
    private let store: FolderStore
    private let deadline = ContinuousClock.Instant.now + .seconds(600)

    init() throws {
        folder = try TemporaryFolder()
        store = FolderStore(path: "\(folder.path)/objects")
    }

    private static func key(_ text: String) throws -> ObjectKey { try #require(ObjectKey(text)) }

    private func put(_ text: String, _ key: String) async throws {
        try await store.put(ObjectContent(Array(text.utf8)), at: Self.key(key), until: deadline)
    }

    @Test func `an object is a file under its key, for its owner only`() async throws {
        try await put("bytes", "a/b c")
        let file = "\(store.path)/a/b c"
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "bytes")
        let files = FileManager.default
        #expect(try files.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        #expect(try files.attributesOfItem(atPath: "\(store.path)/a")[.posixPermissions] as? Int == 0o700)
        #expect(try files.contentsOfDirectory(atPath: "\(store.path)/.unfinished").isEmpty)
    }

    @Test func `no link leads out of the folder`() async throws {
        try folder.write("outside", to: "outside/one")
        try await put("inside", "inside")
        let files = FileManager.default
        try files.createSymbolicLink(atPath: "\(store.path)/out", withDestinationPath: "\(folder.path)/outside")
        try files.createSymbolicLink(atPath: "\(store.path)/one", withDestinationPath: "\(folder.path)/outside/one")
        for key in ["out/one", "one"] {
            await #expect(throws: ObjectError.self) {
                try await store.bytes(of: Self.key(key), limit: 100, until: deadline)
            }
            await #expect(throws: ObjectError.self) { try await store.head(Self.key(key), until: deadline) }
        }
        await #expect(throws: ObjectError.self) { try await put("x", "out/two") }
        await #expect(throws: ObjectError.self) { try await store.delete(Self.key("out/one"), until: deadline) }
        // A link in the place of an object gives way to it.
        try await put("mine", "one")
        #expect(try String(contentsOfFile: "\(folder.path)/outside/one", encoding: .utf8) == "outside")
        let page = try await store.list(in: nil, after: nil, limit: 10, until: deadline)
        #expect(page.entries.map(\.key.text) == ["inside", "one"])
        await #expect(throws: ObjectError.self) {
            try await store.list(in: Self.key("out"), after: nil, limit: 10, until: deadline)
        }
    }

    @Test func `what cannot be read is a fault of one object, while the folder of all can be`() async throws {
        try await put("bytes", "good")
        let files = FileManager.default
        try files.createDirectory(atPath: "\(store.path)/folder/inside", withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: "\(store.path)/link", withDestinationPath: "\(store.path)/good")
        for key in ["folder", "link", "good/below"] {
            let got = await #expect(throws: ObjectError.self) {
                try await store.bytes(of: Self.key(key), limit: 100, until: deadline)
            }
            #expect(got?.kind == .failed && got?.hint != nil, "\(key)")
            let asked = await #expect(throws: ObjectError.self) {
                try await store.head(Self.key(key), until: deadline)
            }
            #expect(asked?.kind == .failed, "\(key)")
        }
        #expect(try await store.head(Self.key("good"), until: deadline) == 5)
        let nowhere = FolderStore(path: "\(store.path)/good")
        let error = await #expect(throws: ObjectError.self) {
            try await nowhere.head(Self.key("any"), until: deadline)
        }
        #expect(error?.kind == .disk)
    }

    @Test func `what a killed writer left is no object, and goes after an hour`() async throws {
        try await put("bytes", "one")
        try folder.write("half", to: "objects/.unfinished/object.new-1")
        let page = try await store.list(in: nil, after: nil, limit: 10, until: deadline)
        #expect(page.entries.map(\.key.text) == ["one"])
        store.removeUnfinished(now: Date())
        #expect(FileManager.default.fileExists(atPath: "\(store.path)/.unfinished/object.new-1"))
        store.removeUnfinished(now: Date() + 3700)
        #expect(!FileManager.default.fileExists(atPath: "\(store.path)/.unfinished/object.new-1"))
        #expect(try await store.head(Self.key("one"), until: deadline) == 5)
    }

    @Test func `what cannot be kept is an error, and the object before stays`() async throws {
        try await put("first", "a")
        await #expect(throws: ObjectError.self) { try await put("second", "a/b") }
        try await put("first", "c/d")
        await #expect(throws: ObjectError.self) { try await put("second", "c") }
        #expect(try await store.bytes(of: Self.key("a"), limit: 9, until: deadline) == Array("first".utf8))
        #expect(try await store.bytes(of: Self.key("c/d"), limit: 9, until: deadline) == Array("first".utf8))
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(store.path)/.unfinished")
        #expect(left.isEmpty)
        let nowhere = FolderStore(path: "\(store.path)/a/below-a-file")
        let error = await #expect(throws: ObjectError.self) {
            try await nowhere.put(ObjectContent([1]), at: Self.key("x"), until: deadline)
        }
        #expect(error?.kind == .disk && error?.hint != nil)
    }
}

@Suite struct ObjectKeyTests {
    @Test(arguments: [
        "", "/", "/a", "a/", "a//b", ".", "..", "a/../b", "a/.", ".hidden", "a/.b", "a\u{0}", "a\nb", "\u{85}",
        String(repeating: "a", count: 251), String(repeating: "a/", count: 400) + "a",
    ])
    func `what could lead elsewhere is no key`(text: String) { #expect(ObjectKey(text) == nil) }

    @Test func `keys that differ in a byte are two`() throws {
        let (composed, decomposed) = (try #require(ObjectKey("é")), try #require(ObjectKey("e\u{301}")))
        #expect(composed != decomposed && Set([composed, decomposed]).count == 2 && decomposed < composed)
        // A slash before a mark is a slash.
        #expect(ObjectKey("a/\u{301}b") != nil && ObjectKey("a/\u{301}b/..") == nil)
    }
}
