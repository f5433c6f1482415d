import Foundation
public import RunModel

extension RunDirectory {
    /// Every file of the run, ordered by path: what its manifest names, `manifest.json` itself, the sources that it kept, and in a
    /// merged run the same of each shard.
    ///
    /// Sizes are those of the files that lie here, hashes those of the manifest; only the manifest itself is hashed. So a file that
    /// changed without changing its length is listed as it was, and whoever receives it notices.
    ///
    /// - Throws: `EvidenceError.damaged` when a file is gone or has another length than was recorded.
    public func files() throws(EvidenceError) -> [Delivery.File] {
        guard let bytes = try FileBytes.read(location(of: RunManifest.fileName), limit: RunManifest.largest) else {
            throw .notARunDirectory(path: path)
        }
        let manifest = try RunManifest.decoded(bytes, path: location(of: RunManifest.fileName))
        var files: [Name: Delivery.File] = [:]
        func add(_ path: String, _ sha256: String, recorded: Int?) throws(EvidenceError) {
            if files[Name(path)] != nil { return }
            let size = try open(path).size
            if let recorded, recorded != size {
                throw .damaged(file: path, reason: "\(size) bytes, \(recorded) were recorded")
            }
            files[Name(path)] = Delivery.File(path: path, sha256: sha256, size: size)
        }
        try add(RunManifest.fileName, Digest.sha256(bytes), recorded: bytes.count)
        let named = try manifest.namedFiles { (folder) throws(EvidenceError) in
            try RunDirectory(path: location(of: folder)).manifest()
        }
        for file in named { try add(file.path, file.sha256, recorded: file.bytes) }
        return files.values.sorted { Name($0.path) < Name($1.path) }
    }

    /// Opens a file of the run to read it piece by piece. No link is followed.
    ///
    /// - Throws: `EvidenceError.damaged` when it is gone or is no regular file, `.tooLarge` above `fileLimit`.
    public func open(_ file: String) throws(EvidenceError) -> OpenRunFile {
        guard Self.isContained(file) else {
            throw .damaged(file: file, reason: "the path leads out of the run directory")
        }
        guard let opened = try OpenRunFile.open(file, beneath: path, limit: Self.fileLimit) else {
            throw .damaged(file: file, reason: "the file is gone")
        }
        return opened
    }
}

extension RunManifest {
    /// A file that a manifest names.
    struct NamedFile {
        /// The path in the run directory.
        var path: String
        var sha256: String
        /// The number of bytes; `nil` if it is not recorded.
        var bytes: Int?
    }

    /// The files besides `manifest.json` that make a run directory with this manifest: artifacts and sources, and in a merged run
    /// those of each shard. A source may be named more than once.
    ///
    /// - Parameter shard: Reads the manifest of a shard in a folder.
    /// - Throws: `EvidenceError.damaged` for a folder that leads out, or a source without a SHA-256; what `shard` throws.
    func namedFiles(
        shard: (_ folder: String) throws(EvidenceError) -> RunManifest
    ) throws(EvidenceError) -> [NamedFile] {
        var files: [NamedFile] = []
        func add(_ manifest: RunManifest, in folder: String) throws(EvidenceError) {
            files += manifest.artifacts.map {
                NamedFile(path: folder + $0.path, sha256: $0.sha256, bytes: $0.bytes)
            }
            // Those of shards are kept with the run's own.
            for source in manifest.sources {
                guard Digest.isWellFormed(source.sha256) else {
                    throw .damaged(file: RunManifest.fileName, reason: "'\(source.sha256)' is no SHA-256")
                }
                files.append(
                    NamedFile(path: "\(RunDirectory.sourcesFolder)/\(source.sha256)", sha256: source.sha256))
            }
        }
        try add(self, in: "")
        for folder in self.merge?.shards ?? [] {
            guard RunDirectory.isContained(folder) else {
                throw .damaged(file: folder, reason: "the path leads out of the run directory")
            }
            try add(try shard(folder), in: "\(folder)/")
        }
        return files
    }
}

/// An open file of a run directory. It is closed with the last reference to it.
public final class OpenRunFile: Sendable {
    /// The number of bytes when it was opened.
    public let size: Int
    private let path: String
    private let descriptor: Int32

    fileprivate init(_ path: String, descriptor: Int32, size: Int) {
        self.path = path
        self.descriptor = descriptor
        self.size = size
    }

    deinit { close(descriptor) }

    /// Opens a regular file below a folder; `nil` when there is none. No link is followed.
    ///
    /// - Parameter file: Contained in the folder, as `RunDirectory.isContained` has it.
    /// - Throws: `EvidenceError.damaged` for what is no regular file or lies behind a link, `.tooLarge` above `limit` bytes.
    package static func open(
        _ file: String, beneath folder: String, limit: Int
    ) throws(EvidenceError) -> OpenRunFile? {
        guard let found = try FileBytes.openRegular(file, beneath: folder, limit: limit) else { return nil }
        return OpenRunFile(file, descriptor: found.descriptor, size: found.size)
    }

    /// Up to `most` bytes from `offset` on; fewer, or none, only at the end of the file.
    ///
    /// - Throws: `EvidenceError.unreadable` when the system refuses to read.
    public func bytes(from offset: Int, most: Int) throws(EvidenceError) -> [UInt8] {
        try FileBytes.chunk(most, of: descriptor, at: offset, path)
    }
}
