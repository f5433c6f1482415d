import Foundation
public import RunModel

/// A delivery whose files are all here: exactly those that its manifest names, of the run and the project that it says.
public struct WholeDelivery: Sendable {
    /// What its manifest says.
    public let manifest: RunManifest
    fileprivate let files: [Delivery.File]
    fileprivate let blobs: BlobStore

    /// Checks a delivery by its manifest.
    ///
    /// Its files must be exactly those that the manifest names, with the same hashes and sizes; in a merged run also those of the
    /// shards' manifests.
    ///
    /// - Parameters:
    ///   - delivery: Was checked, and has no missing blobs.
    ///   - id: The run that it is said to be.
    ///   - blobs: What its sender sent.
    /// - Throws: `EvidenceError`: with `isBadInput` if the delivery cannot be true, `.notARunDirectory` if a blob is gone.
    public init(_ delivery: Delivery, of id: RunID, in blobs: BlobStore) throws(EvidenceError) {
        manifest = try Self.manifest(of: delivery, id, blobs)
        files = delivery.files
        self.blobs = blobs
    }

    private static func manifest(
        of delivery: Delivery, _ id: RunID, _ blobs: BlobStore
    ) throws(EvidenceError) -> RunManifest {
        var listed: [Name: Delivery.File] = [:]
        for file in delivery.files { listed[Name(file.path)] = file }
        let manifest = try manifest(at: RunManifest.fileName, listed, blobs)
        guard manifest.id == id else {
            throw .damaged(file: RunManifest.fileName, reason: "it is that of run \(manifest.id)")
        }
        guard Name(manifest.project) == Name(delivery.project) else {
            throw .damaged(file: RunManifest.fileName, reason: "it is of another project")
        }
        guard let seed = manifest.seed else {
            throw .damaged(file: RunManifest.fileName, reason: "it has no seed, as those of an older Kanmon")
        }
        guard id.isMade(of: seed, in: manifest.project) else {
            throw .damaged(file: RunManifest.fileName, reason: "the id was not made of its seed and its project")
        }
        try checkNames(manifest)
        var room = mostOfShards
        let named = try manifest.namedFiles { (folder) throws(EvidenceError) in
            let path = "\(folder)/\(RunManifest.fileName)"
            room -= listed[Name(path)]?.size ?? 0
            guard room >= 0 else {
                throw .tooLarge(file: path, reason: "the manifests of all shards have more than \(mostOfShards) bytes")
            }
            let shard = try Self.manifest(at: path, listed, blobs)
            // It takes the place of its shards among the runs of a project: they must be the sender's own.
            guard Name(shard.project) == Name(manifest.project), let seed = shard.seed,
                shard.id.isMade(of: seed, in: shard.project)
            else { throw .damaged(file: path, reason: "the id was not made of its seed and the project of the run") }
            try checkNames(shard)
            return shard
        }
        for expected in named {
            guard let file = listed[Name(expected.path)] else {
                throw .damaged(file: expected.path, reason: "the manifest names it, the list does not")
            }
            guard file.sha256 == expected.sha256, expected.bytes.map({ $0 == file.size }) ?? true else {
                throw .damaged(file: expected.path, reason: "its hash or size is not that of the manifest")
            }
        }
        let expected = Set(named.map { Name($0.path) } + [Name(RunManifest.fileName)])
        if let stray = delivery.files.first(where: { !expected.contains(Name($0.path)) }) {
            throw .damaged(file: stray.path, reason: "the list names it, the manifest does not")
        }
        return manifest
    }

    /// How many bytes the manifests of all shards have together at most.
    static let mostOfShards = 2 * RunManifest.largest

    /// Refuses a commit or tree by which no other could be told from it: a hash with a digit more makes each shorter form ambiguous.
    private static func checkNames(_ manifest: RunManifest) throws(EvidenceError) {
        let names = [("commit", manifest.revision?.commit), ("tree", manifest.revision?.tree)]
        for case (let key, let name?) in names where !CommitParents.isName(name) {
            throw .damaged(file: RunManifest.fileName, reason: "revision.\(key): it is no name of an object")
        }
    }

    private static func manifest(
        at path: String, _ listed: [Name: Delivery.File], _ blobs: BlobStore
    ) throws(EvidenceError) -> RunManifest {
        guard let file = listed[Name(path)] else { throw .damaged(file: path, reason: "it is not listed") }
        guard let bytes = try FileBytes.read(blobs.location(of: file.sha256), limit: RunManifest.largest) else {
            throw .notARunDirectory(path: path)
        }
        return try RunManifest.decoded(bytes, path: path)
    }
}

/// A delivered run directory under a temporary name, made of hard links to blobs: complete, and not yet in its place.
public struct IncomingRun: Sendable {
    /// The directory; it can be read.
    public let directory: RunDirectory
    /// What its manifest says.
    public let manifest: RunManifest
    private let writer: RunDirectory.Writer
    private let files: [String]

    /// Makes a run directory of blobs.
    ///
    /// - Parameters:
    ///   - path: The path the directory will have.
    ///   - replaces: Whether an existing directory gives way.
    ///   - record: Is kept in the directory; `nil` for a run of this machine.
    /// - Throws: `EvidenceError`: `.notARunDirectory` if a blob is gone.
    public init(
        _ delivery: WholeDelivery, for path: String, replacing replaces: Bool, record: DeliveryRecord?
    ) throws(EvidenceError) {
        manifest = delivery.manifest
        writer = try RunDirectory.Writer(creating: path, replacing: replaces)
        directory = RunDirectory(path: writer.path)
        do throws(EvidenceError) {
            for file in delivery.files {
                try Self.link(
                    delivery.blobs.location(of: file.sha256), to: try writer.location(of: file.path), file.path)
            }
            var files = delivery.files.map(\.path)
            if let record {
                try FileBytes.write(record.encoded(), to: try writer.location(of: DeliveryRecord.fileName))
                files.append(DeliveryRecord.fileName)
            }
            self.files = files
        } catch {
            try? writer.discard()
            throw error
        }
    }

    /// Gives a blob another name. One that has as many as the file system allows is copied.
    private static func link(_ blob: String, to place: String, _ path: String) throws(EvidenceError) {
        if Foundation.link(blob, place) == 0 { return }
        if errno == ENOENT { throw .notARunDirectory(path: path) }
        guard errno == EMLINK else { throw .unwritable(path: path, reason: FileBytes.systemError()) }
        do {
            try FileManager.default.copyItem(atPath: blob, toPath: place)
        } catch {
            throw .unwritable(path: path, reason: "a copy cannot be made")
        }
    }

    /// Waits until the directory is on the disk, for somebody else to give it its place.
    public func settle() throws(EvidenceError) { try writer.settle(files) }

    /// Gives the directory its place; on disk when it returns.
    public func keep() throws(EvidenceError) -> RunDirectory { try writer.take(files) }

    /// Removes the directory.
    public func discard() { try? writer.discard() }
}

extension DeliveryRecord {
    /// The name of its file in a run directory; no artifact may have it.
    public static let fileName = "delivery.json"
    /// The largest such file, in bytes.
    private static let largest = 64 << 10

    func encoded() throws(EvidenceError) -> [UInt8] {
        do {
            return Array(try JSONEncoder.steadyLines.encode(self)) + [UInt8(ascii: "\n")]
        } catch {
            throw .unwritable(path: Self.fileName, reason: "\(error)")
        }
    }

    /// Reads the record of a run directory; `nil` for a run that was not delivered.
    ///
    /// One that cannot be read is trusted no further than that of a person's machine.
    static func read(_ directory: RunDirectory) throws(EvidenceError) -> DeliveryRecord? {
        guard let bytes = try FileBytes.read(directory.location(of: fileName), limit: largest) else { return nil }
        return (try? JSONDecoder.steady.decode(DeliveryRecord.self, from: Data(bytes)))
            ?? DeliveryRecord(token: "unknown", isAttested: false, receivedAt: .distantPast, address: nil)
    }
}

extension RunDirectory {
    /// How the run came here; `nil` if it was not delivered.
    public func delivery() throws(EvidenceError) -> DeliveryRecord? { try DeliveryRecord.read(self) }

    /// Replaces the record, such as when a trusted token delivers the same run again; on disk when it returns.
    public func replaceDelivery(by record: DeliveryRecord) throws(EvidenceError) {
        try SmallFile.replace(location(of: DeliveryRecord.fileName), with: try record.encoded())
    }

    /// SHA-256 of the manifest's bytes; `nil` if there is none.
    public func manifestDigest() throws(EvidenceError) -> String? {
        try FileBytes.digest(location(of: RunManifest.fileName), limit: RunManifest.largest)?.sha256
    }
}
