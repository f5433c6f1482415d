import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence

/// Runs whose files come one after the other.
@Suite struct PartialRunTests {
    private let merge: SampleMerge
    private let blobs: BlobStore

    init() throws {
        merge = try SampleMerge(SampleShard.three)
        blobs = BlobStore(path: "\(merge.folder.path)/blobs")
    }

    /// Puts the file of a path to the blobs.
    private func put(_ path: String, _ sha256: String) throws {
        let blob = try blobs.receive(sha256)
        try Data(contentsOf: URL(filePath: "\(merge.directory.path)/\(path)")).withUnsafeBytes { try blob.append($0) }
        try blob.finish()
    }

    @Test func `the manifest of a merged run leads to those of its shards, and these to all of its files`() throws {
        let files = try merge.directory.files()
        let manifest = try #require(files.first { $0.path == RunManifest.fileName })
        #expect(try PartialRun(manifest: manifest.sha256, in: blobs) == nil)
        try put(manifest.path, manifest.sha256)
        var run = try #require(try PartialRun(manifest: manifest.sha256, in: blobs))
        #expect(run.missingShards.count == 3)
        #expect(run.delivery.files == [manifest])
        for file in run.missing { try put(file.path, file.sha256) }
        run = try #require(try PartialRun(manifest: manifest.sha256, in: blobs))
        #expect(run.missingShards == [])
        for file in run.missing { try put(file.path, file.sha256) }
        run = try #require(try PartialRun(manifest: manifest.sha256, in: blobs))
        #expect(run.missing == [] && run.missingShards == [])
        let id = try merge.directory.manifest().id
        #expect(run.id == id)
        #expect(Set(run.delivery.files) == Set(files) && run.delivery.files.count == files.count)
    }

    @Test func `a manifest that names what no file can be called is refused`() throws {
        let bytes = try Data(contentsOf: URL(filePath: "\(merge.directory.path)/manifest.json"))
        let hash = try #require(try merge.directory.manifest().artifacts.first?.sha256)
        let text = String(decoding: bytes, as: UTF8.self).replacing(hash, with: "../../etc/passwd")
        let sha256 = Digest.sha256(Array(text.utf8))
        let blob = try blobs.receive(sha256)
        try Array(text.utf8).withUnsafeBytes { try blob.append($0) }
        try blob.finish()
        #expect(throws: EvidenceError.self) { try PartialRun(manifest: sha256, in: blobs) }
    }
}
