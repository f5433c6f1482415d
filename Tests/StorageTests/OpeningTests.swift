import Foundation
import GRDB
import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct OpeningTests {
    @Test func `a store is for its owner alone`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        try store.ingest(SampleRuns.passing())
        for name in try place.names {
            let mode = try FileManager.default.attributesOfItem(atPath: place.file(name))[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
    }

    @Test(.enabled("only root makes files of others", { geteuid() == 0 }))
    func `what root makes in a folder of another user belongs to that user`() throws {
        let place = try TemporaryStore()
        let files = FileManager.default
        try files.setAttributes(
            [.ownerAccountID: 65_534], ofItemAtPath: (place.path as NSString).deletingLastPathComponent)
        let store = try place.open()
        try store.ingest(SampleRuns.passing())
        let fresh = place.file("fresh.sqlite")
        try RunStore(path: fresh).ingest(SampleRuns.passing())
        try RunStore.replace(databaseAt: place.path, with: fresh)
        for name in try place.names {
            #expect(try files.attributesOfItem(atPath: place.file(name))[.ownerAccountID] as? Int == 65_534, "\(name)")
        }
    }

    @Test func `a database of a newer version is refused and left as it is`() throws {
        let place = try TemporaryStore()
        try place.open().ingest(SampleRuns.passing())
        try Self.execute("PRAGMA user_version = \(Schema.version + 1)", at: place.path)
        let before = try Data(contentsOf: URL(filePath: place.path))
        let expected = StorageError.newerVersion(
            path: place.path, found: Schema.version + 1, supported: Schema.version)
        #expect(throws: expected) { try RunStore(path: place.path) }
        #expect(throws: expected) { try RunStore(readOnly: place.path) }
        #expect(throws: expected) {
            let fresh = place.file("fresh.sqlite")
            try RunStore(path: fresh).ingest(SampleRuns.passing())
            try RunStore.replace(databaseAt: place.path, with: fresh)
        }
        #expect(try Data(contentsOf: URL(filePath: place.path)) == before)
    }

    @Test func `a database of another program is refused and left as it is`() throws {
        let place = try TemporaryStore()
        try Self.execute("CREATE TABLE bookmark (url TEXT)", at: place.path)
        let before = try Data(contentsOf: URL(filePath: place.path))
        let expected = StorageError.notAStore(path: place.path, message: "it belongs to another program")
        #expect(throws: expected) { try RunStore(path: place.path) }
        #expect(throws: expected) { try RunStore(readOnly: place.path) }
        #expect(try Data(contentsOf: URL(filePath: place.path)) == before)
    }

    @Test func `a file that is no database is refused and left as it is`() throws {
        let place = try TemporaryStore()
        let garbage = Data((SampleRuns.hostile + String(repeating: "x", count: 5000)).utf8)
        try garbage.write(to: URL(filePath: place.path))
        let expected = StorageError.corrupted(path: place.path, message: "file is not a database")
        #expect(throws: expected) { try RunStore(path: place.path) }
        #expect(throws: expected) { try RunStore(readOnly: place.path) }
        #expect(try Data(contentsOf: URL(filePath: place.path)) == garbage)
    }

    @Test func `a file that was cut short anywhere is an error or a finding, never a trap`() throws {
        let place = try TemporaryStore()
        try place.open().ingest(SampleRuns.failing())
        let whole = try Data(contentsOf: URL(filePath: place.path))
        #expect(whole.count > 100_000)
        // SQLite takes a file of one byte for an empty one, and reads zeros where a page ends too early.
        let lengths = stride(from: 2, to: whole.count, by: 4096 - 511).filter { length in
            whole[length...].contains { $0 != 0 }
        }
        for length in lengths {
            let path = place.file("cut-\(length).sqlite")
            try whole.prefix(length).write(to: URL(filePath: path))
            #expect(try Self.isDamaged(path), "\(length) bytes of \(whole.count)")
        }
    }

    /// Whether a file is refused for its damage, or damage is found in it.
    private static func isDamaged(_ path: String) throws(StorageError) -> Bool {
        do throws(StorageError) {
            return try RunStore(path: path).check() != []
        } catch {
            guard case .corrupted = error else { throw error }
            return true
        }
    }

    @Test func `an empty file becomes a store`() throws {
        let place = try TemporaryStore()
        try Data().write(to: URL(filePath: place.path))
        #expect(throws: StorageError.notAStore(path: place.path, message: "it is empty")) {
            try RunStore(readOnly: place.path)
        }
        #expect(try RunStore.reading(place.path).isEmpty)
        #expect(try RunStore(readOnly: place.path).check() == [])
    }

    @Test func `a missing file or folder is named`() throws {
        let place = try TemporaryStore()
        #expect(throws: StorageError.cannotOpen(path: place.path, message: "No such file or directory")) {
            try RunStore(readOnly: place.path)
        }
        let path = place.file("nowhere/kanmon.sqlite")
        #expect(
            throws: StorageError.cannotOpen(path: path, message: "\(path).lock: No such file or directory")
        ) { try RunStore(path: path) }
        #expect(try place.names == [])
    }

    @Test func `a path that looks like a URI is a path`() throws {
        let place = try TemporaryStore()
        let path = place.file("file:memory?mode=memory")
        try RunStore(path: path).ingest(SampleRuns.passing())
        #expect(try RunStore(path: path).isEmpty == false)
    }

    @Test func `a store opened for reading does not write`() throws {
        let place = try TemporaryStore()
        try place.open().ingest(SampleRuns.passing())
        let store = try RunStore(readOnly: place.path)
        #expect(try store.run(SampleRuns.id(1))?.run == SampleRuns.passing())
        #expect(throws: StorageError.readOnly(path: place.path, message: "it was opened for reading")) {
            try store.ingest(SampleRuns.passing(2))
        }
    }

    @Test func `an error fits into one line after 'failed to'`() {
        let error = StorageError.newerVersion(path: "a", found: 2, supported: 1)
        #expect(error.description == "open the store a: its schema is version 2, this Kanmon knows 1")
        #expect(error.hint == "update Kanmon; the store was not changed.")
    }

    static func execute(_ sql: String, at path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }
}
