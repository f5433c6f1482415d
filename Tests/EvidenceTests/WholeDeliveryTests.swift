import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence

/// Deliveries whose files are all there: what their manifests may say.
@Suite struct WholeDeliveryTests {
    private static let commit = String(repeating: "c1", count: 20)

    private func shard(_ index: Int, _ commit: String = Self.commit, isDeliverable: Bool = true) -> SampleShard {
        var shard = SampleShard.three[index - 1]
        shard.commit = commit
        shard.isDeliverable = isDeliverable
        return shard
    }

    /// What becomes of the merged run of shards that is delivered.
    private func refusal(_ shards: [SampleShard]) throws -> String? {
        let merge = try SampleMerge(shards)
        return try refusal(merge.directory, in: merge.folder)
    }

    private func refusal(_ directory: RunDirectory, in folder: TemporaryFolder) throws -> String? {
        let blobs = BlobStore(path: "\(folder.path)/blobs")
        let manifest = try directory.manifest()
        let delivery = Delivery(project: manifest.project, files: try directory.files())
        for file in delivery.files {
            let blob = try blobs.receive(file.sha256)
            try Data(contentsOf: URL(filePath: "\(directory.path)/\(file.path)")).withUnsafeBytes {
                try blob.append($0)
            }
            try blob.finish()
        }
        do {
            _ = try WholeDelivery(delivery, of: manifest.id, in: blobs)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `a merged run is taken with shards of its sender`() throws {
        #expect(try refusal([shard(1), shard(2), shard(3)]) == nil)
    }

    @Test func `a shard with an id that its seed does not make is none of the sender`() throws {
        let reason = try refusal([shard(1), shard(2, isDeliverable: false), shard(3)])
        #expect(
            reason?.contains("the id was not made of its seed and the project of the run") == true, "\(reason ?? "")")
    }

    @Test(arguments: [commit + "0", String(commit.dropLast()), commit.uppercased(), ""])
    func `what is no name of a commit is refused`(name: String) throws {
        let folder = try TemporaryFolder()
        let reason = try refusal(shard(1, name).write(in: folder, as: "run"), in: folder)
        #expect(reason?.contains("revision.commit: it is no name of an object") == true, "\(reason ?? "")")
    }
}
