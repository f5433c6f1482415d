import Foundation

/// The folder that one run left behind: its manifest, its artifacts and the sources it kept.
///
/// A run directory is the truth about a run and never changes once it has a manifest. Its files are opened here and
/// nowhere else; whoever wrote them is not trusted.
public struct RunDirectory: Sendable, Hashable {
    /// The largest file that is read, in bytes: 512 MiB.
    public static let fileLimit = 512 << 20
    /// The folder of the kept sources, relative to the run directory.
    public static let sourcesFolder = "sources"

    /// What a process knows of a directory that it wrote itself, or has read once.
    package struct Memory: Sendable {
        var manifest: RunManifest
        /// What the coverage export in it says, as who reads exports has it; `nil` where there is none, or it was not read.
        package var export: (any Sendable)?
    }

    /// The path of the folder.
    public let path: String
    /// What is in it, where that need not be read back.
    package let memory: Memory?

    /// Names a run directory; nothing is read yet.
    public init(path: String) { self.init(path: path, memory: nil) }

    init(path: String, memory: Memory?) { (self.path, self.memory) = (path, memory) }

    /// The same folder is the same directory, whatever is known of it.
    public static func == (left: RunDirectory, right: RunDirectory) -> Bool { left.path == right.path }

    /// Goes by the folder alone, as being the same does.
    public func hash(into hasher: inout Hasher) { hasher.combine(path) }

    /// Whether there is a manifest: a run that did not end has none, and run directories are kept for a limited time only.
    public var isThere: Bool { access(location(of: RunManifest.fileName), F_OK) == 0 }

    /// The number that the file system gives the folder, another one once it was replaced; `nil` where there is none.
    public var number: UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// Reads the manifest.
    ///
    /// - Throws: `EvidenceError` when there is none, when it is damaged, or when a newer version wrote it.
    public func manifest() throws(EvidenceError) -> RunManifest {
        if let memory { return memory.manifest }
        let file = location(of: RunManifest.fileName)
        guard let bytes = try FileBytes.read(file, limit: RunManifest.largest) else {
            throw .notARunDirectory(path: path)
        }
        return try RunManifest.decoded(bytes, path: file)
    }

    /// The same directory with its manifest read, which is not read again then, however often it is requested.
    ///
    /// - Throws: `EvidenceError` as `manifest()` does.
    public func remembered() throws(EvidenceError) -> RunDirectory {
        if memory != nil { return self }
        let manifest = try manifest()
        return RunDirectory(path: path, memory: Memory(manifest: manifest))
    }

    /// Reads an artifact and compares it with the size and SHA-256 in the manifest.
    ///
    /// - Throws: `EvidenceError.damaged` when it is gone or differs, `.tooLarge` for more than `limit` bytes.
    public func bytes(of artifact: Artifact, limit: Int = Self.fileLimit) throws(EvidenceError) -> [UInt8] {
        guard let bytes = try FileBytes.read(containedLocation(of: artifact), limit: limit) else {
            throw .damaged(file: artifact.path, reason: "the file is gone")
        }
        try check(artifact, bytes.count) { Digest.sha256(bytes) }
        return bytes
    }

    /// Where an artifact lies that has the size and SHA-256 in the manifest.
    ///
    /// - Throws: `EvidenceError.damaged` when it is gone or differs.
    package func checkedLocation(of artifact: Artifact) throws(EvidenceError) -> String {
        let place = try containedLocation(of: artifact)
        guard let found = try FileBytes.digest(place, limit: Self.fileLimit) else {
            throw .damaged(file: artifact.path, reason: "the file is gone")
        }
        try check(artifact, found.bytes) { found.sha256 }
        return place
    }

    /// Lends the bytes of an artifact that has the size and SHA-256 in the manifest.
    package func lent<Result>(
        _ artifact: Artifact, _ body: (LentBytes) throws(EvidenceError) -> Result
    ) throws(EvidenceError) -> Result {
        try FileBytes.mapped(checkedLocation(of: artifact), limit: Self.fileLimit, body)
    }

    private func containedLocation(of artifact: Artifact) throws(EvidenceError) -> String {
        guard Self.isContained(artifact.path) else {
            throw .damaged(file: artifact.path, reason: "the path leads out of the run directory")
        }
        guard artifact.bytes <= Self.fileLimit else {
            throw .tooLarge(file: artifact.path, reason: "\(artifact.bytes) bytes, the limit is \(Self.fileLimit)")
        }
        return location(of: artifact.path)
    }

    private func check(_ artifact: Artifact, _ count: Int, _ sha256: () -> String) throws(EvidenceError) {
        guard count == artifact.bytes else {
            throw .damaged(file: artifact.path, reason: "\(count) bytes, \(artifact.bytes) were recorded")
        }
        let digest = sha256()
        guard digest == artifact.sha256 else {
            throw .damaged(file: artifact.path, reason: "SHA-256 is \(digest), \(artifact.sha256) was recorded")
        }
    }

    /// Reads a kept source by its SHA-256; `nil` when the run did not keep it.
    ///
    /// - Throws: `EvidenceError.damaged` when its bytes do not have that hash, `.tooLarge` for more than `limit` bytes.
    public func source(_ sha256: String, limit: Int = Self.fileLimit) throws(EvidenceError) -> [UInt8]? {
        guard Digest.isWellFormed(sha256) else { return nil }
        let file = "\(Self.sourcesFolder)/\(sha256)"
        guard let bytes = try FileBytes.read(location(of: file), limit: limit) else { return nil }
        guard Digest.sha256(bytes) == sha256 else { throw .damaged(file: file, reason: "its SHA-256 is another") }
        return bytes
    }

    /// The absolute or relative path of a file in this directory.
    package func location(of file: String) -> String { "\(path)/\(file)" }

    /// Whether a path from a manifest stays inside of the directory.
    package static func isContained(_ path: String) -> Bool {
        !path.isEmpty && !path.utf8.contains(0)
            && path.pathParts(omittingEmpty: false).allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }
}
