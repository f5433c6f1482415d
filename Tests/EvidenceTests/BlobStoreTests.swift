import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence

@Suite struct BlobStoreTests {
    private let folder: TemporaryFolder
    private let blobs: BlobStore
    private let bytes = Array("one".utf8)

    init() throws {
        folder = try TemporaryFolder()
        blobs = BlobStore(path: folder.path + "/blobs")
    }

    private var name: String { Digest.sha256(bytes) }

    private func receive(_ bytes: [UInt8], as name: String) throws {
        let blob = try blobs.receive(name)
        for byte in bytes { try [byte].withUnsafeBytes { try blob.append($0) } }
        try blob.finish()
    }

    private var files: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: blobs.path).filter { $0.count > 60 }.sorted()
        }
    }

    private func pruned(now: Date, isDryRun: Bool) -> [Int] {
        let removed = blobs.prune(now: now, isDryRun: isDryRun)
        return [removed.files, removed.bytes]
    }

    @Test func `a disk without files to make is as full as one without bytes`() {
        #expect(BlobStore.freeShare(blocks: (50, 100), files: (10, 1000)) == 0.01)
        #expect(BlobStore.freeShare(blocks: (1, 100), files: (900, 1000)) == 0.01)
        // As btrfs says it.
        #expect(BlobStore.freeShare(blocks: (50, 100), files: (0, 0)) == 0.5)
        #expect((0...1).contains(blobs.freeShare))
    }

    @Test func `what all blobs take is counted, without those that are still arriving`() throws {
        #expect(blobs.size() == (0, 0))
        try receive(bytes, as: name)
        try receive([1, 2], as: Digest.sha256([1, 2]))
        let arriving = try blobs.receive(Digest.sha256([9]))
        try [UInt8(9)].withUnsafeBytes { try arriving.append($0) }
        #expect(blobs.size() == (2, 5))
        let disk = try #require(blobs.disk)
        #expect(disk.free > 0 && disk.free <= disk.total)
        _ = arriving.count
    }

    @Test func `a blob is visible when all of it is there, and never otherwise`() throws {
        #expect(blobs.size(of: name) == nil)
        #expect(throws: EvidenceError.self) { try receive([1], as: name) }
        do {
            let blob = try blobs.receive(name)
            try bytes.withUnsafeBytes { try blob.append($0) }
            #expect(blobs.size(of: name) == nil)
        }
        #expect(try files == [])
        try receive(bytes, as: name)
        try receive(bytes, as: name)
        #expect(blobs.size(of: name) == 3)
        #expect(try files == ["\(name.prefix(2))/\(name)"])
        var status = stat()
        #expect(stat(blobs.location(of: name), &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test(arguments: ["", "../x", "a", String(repeating: "A", count: 64), String(repeating: "a", count: 63) + "/"])
    func `a name that is no digest names nothing`(name: String) {
        #expect(blobs.size(of: name) == nil)
        #expect(throws: EvidenceError.self) { try blobs.receive(name) }
    }

    @Test func `pruning keeps what a run has, and what is younger than a day`() throws {
        let now = Date.now
        try receive(bytes, as: name)
        let other = Array("two".utf8)
        try receive(other, as: Digest.sha256(other))
        #expect(link(blobs.location(of: name), folder.path + "/of-a-run") == 0)
        try folder.write("half", to: "blobs/incoming/half")
        #expect(pruned(now: now + 86_000, isDryRun: false) == [0, 0])
        #expect(pruned(now: now + 90_000, isDryRun: true) == [2, 7])
        #expect(try files.count == 2)
        #expect(pruned(now: now + 90_000, isDryRun: false) == [2, 7])
        #expect(try files == ["\(name.prefix(2))/\(name)"])
        unlink(folder.path + "/of-a-run")
        #expect(pruned(now: now + 90_000, isDryRun: false) == [1, 3])
    }

    /// Lets a file have arrived so many seconds ago, and not been needed since.
    private func age(_ name: String, _ seconds: Double) {
        let moment = timespec(tv_sec: Int(Date.now.timeIntervalSince1970 - seconds), tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, blobs.location(of: name), [moment, moment], 0) == 0)
    }

    @Test func `a file that is needed again waits for a day from then on, and goes two days after it arrived`() throws {
        let now = Date.now
        try receive(bytes, as: name)
        let delivery = Delivery(
            project: "kit", files: [.init(path: "manifest.json", sha256: name, size: bytes.count)])
        age(name, 100_000)
        #expect(pruned(now: now, isDryRun: true) == [1, 3])
        blobs.touch(name)
        #expect(pruned(now: now, isDryRun: true) == [0, 0])
        age(name, 170_000)
        #expect(try blobs.missing(of: delivery) == [])
        #expect(pruned(now: now, isDryRun: true) == [0, 0])
        // Whoever names it every day does not keep it for ever.
        age(name, 173_000)
        blobs.touch(name)
        #expect(try blobs.missing(of: delivery) == [])
        #expect(pruned(now: now, isDryRun: false) == [1, 3])
        #expect(try blobs.missing(of: delivery) == [name])
    }

    /// A copy of a recorded run that kept its sources.
    private func run(_ name: String) throws -> RunDirectory {
        let recorded = Checkout.top.appending(path: "Tests/KanmonTests/Runs/Mixed").path(percentEncoded: false)
        try FileManager.default.copyItem(atPath: recorded, toPath: "\(folder.path)/\(name)")
        return RunDirectory(path: "\(folder.path)/\(name)")
    }

    private func inode(_ path: String) -> UInt64 {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    @Test func `sources of runs that were made here are on the disk once`() throws {
        let (one, two) = (try run("one"), try run("two"))
        let hashes = Set(try one.manifest().sources.map(\.sha256))
        try #require(!hashes.isEmpty)
        for _ in 0..<2 {
            try blobs.share(sourcesOf: one)
            try blobs.share(sourcesOf: two)
        }
        for hash in hashes {
            let places = [one, two].map { inode("\($0.path)/sources/\(hash)") }
            #expect(Set(places) == [inode(blobs.location(of: hash))])
            #expect(try two.source(hash) != nil)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(two.path)/sources").count == hashes.count)
        // Without the runs, nothing wants them any more.
        try FileManager.default.removeItem(atPath: one.path)
        try FileManager.default.removeItem(atPath: two.path)
        #expect(pruned(now: .now.addingTimeInterval(90_000 + 4e9), isDryRun: false)[0] == hashes.count)
    }

    @Test func `a source that is not what its name says never becomes a blob, and stays where it is`() throws {
        let run = try run("one")
        let hash = try #require(try run.manifest().sources.first?.sha256)
        let path = "\(run.path)/sources/\(hash)"
        try FileManager.default.removeItem(atPath: path)
        try "changed".write(toFile: path, atomically: false, encoding: .utf8)
        try blobs.share(sourcesOf: run)
        #expect(blobs.size(of: hash) == nil)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "changed")
    }
}
