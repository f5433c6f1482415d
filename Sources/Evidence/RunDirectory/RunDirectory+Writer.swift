import Foundation
import RunModel

extension RunDirectory {
    /// Makes one run directory: under a temporary name first, under its own once everything in it is on the disk.
    ///
    /// Whatever happens in between, no folder of the final name exists without a complete manifest.
    public struct Writer: Sendable {
        /// What the name of an unfinished run directory contains.
        public static let partialMark = ".partial-"

        /// The folder to write artifacts into, an absolute or relative path as it was given.
        public let path: String
        /// The path the directory will have in the end.
        public private(set) var finalPath: String
        /// Whether what has the final path gives way in the end.
        private let replaces: Bool

        /// Creates an empty folder beside the final path; missing parent folders are created.
        ///
        /// - Parameter replaces: Whether a directory that has the final path is removed once this one is on the disk.
        /// - Throws: `EvidenceError.unwritable`, also when the final path is already there and not to be replaced.
        public init(creating finalPath: String, replacing replaces: Bool = false) throws(EvidenceError) {
            self.replaces = replaces
            try Self.createParent(of: finalPath)
            var status = stat()
            if !replaces, lstat(finalPath, &status) == 0 {
                throw .unwritable(path: finalPath, reason: "it exists already")
            }
            let trimmed = finalPath.count > 1 && finalPath.hasSuffix("/") ? String(finalPath.dropLast()) : finalPath
            let template = "\(trimmed)\(Self.partialMark)XXXXXX"
            var name = template.utf8CString.map { $0 }
            guard name.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap(mkdtemp) }) != nil else {
                throw .unwritable(path: template, reason: FileBytes.systemError())
            }
            path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            FileOwner.follow(folderOf: path)
            self.finalPath = trimmed
        }

        private static func createParent(of path: String) throws(EvidenceError) {
            let parent = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
            do {
                try FileOwner.makeFolder(parent)
            } catch {
                throw .unwritable(path: parent, reason: "the folder cannot be created")
            }
        }

        /// The same with another final path, on the same disk; missing parent folders are created.
        package func leading(to finalPath: String) throws(EvidenceError) -> Writer {
            try Self.createParent(of: finalPath)
            var writer = self
            writer.finalPath = finalPath
            return writer
        }

        /// Where to write a file, by its path relative to the run directory; its folder is created.
        public func location(of file: String) throws(EvidenceError) -> String {
            guard RunDirectory.isContained(file) else {
                throw .unwritable(path: file, reason: "the path leads out of the run directory")
            }
            var folder = path
            for part in file.pathParts().dropLast() {
                folder += "/\(part)"
                if mkdir(folder, 0o700) == 0 {
                    FileOwner.follow(folderOf: folder)
                } else if errno != EEXIST {
                    throw .unwritable(path: folder, reason: FileBytes.systemError())
                }
            }
            return "\(path)/\(file)"
        }

        /// Writes an artifact and returns its entry for the manifest; `finish` waits until it is on the disk.
        public func write(
            _ bytes: [UInt8], as role: ArtifactRole, to file: String
        ) throws(EvidenceError) -> Artifact {
            try FileBytes.write(bytes, to: try location(of: file))
            return Artifact(role: role, path: file, bytes: bytes.count, sha256: Digest.sha256(bytes))
        }

        /// Hashes a file that another process wrote, which `finish` settles; `nil` when it did not write any.
        public func adopt(_ file: String, as role: ArtifactRole) throws(EvidenceError) -> Artifact? {
            let place = try location(of: file)
            guard let found = try FileBytes.digest(place, limit: RunDirectory.fileLimit) else { return nil }
            return Artifact(role: role, path: file, bytes: found.bytes, sha256: found.sha256)
        }

        /// Keeps a source file under its hash, once however often it is given.
        ///
        /// Sources are not waited for on the disk: one that is lost to a power failure shows by its hash, and no verdict
        /// depends on it.
        public func keepSource(_ bytes: [UInt8], as source: String) throws(EvidenceError) -> KeptSource {
            let sha256 = Digest.sha256(bytes)
            let place = try location(of: "\(RunDirectory.sourcesFolder)/\(sha256)")
            if access(place, F_OK) != 0 { try FileBytes.write(bytes, to: place) }
            return KeptSource(path: source, sha256: sha256)
        }

        /// Settles every artifact, writes the manifest, waits for the disk and gives the directory its name.
        ///
        /// - Parameters:
        ///   - export: What the coverage export says, a `CoverageExport`, where the writer has read it: nobody reads it again.
        ///   - shardFiles: What is no artifact of the run, but of a shard in it: it is settled like one.
        public func finish(
            _ manifest: RunManifest, export: (any Sendable)? = nil, shardFiles: [String] = []
        ) throws(EvidenceError) -> RunDirectory {
            let manifest = manifest.asWritten
            let bytes: [UInt8]
            do {
                bytes = try manifest.encoded()
            } catch {
                throw .unwritable(path: RunManifest.fileName, reason: "\(error)")
            }
            guard bytes.count <= RunManifest.largest else {
                throw .unwritable(
                    path: RunManifest.fileName, reason: "\(bytes.count) bytes, the limit is \(RunManifest.largest)")
            }
            let directory = try finish(bytes, files: manifest.artifacts.map(\.path) + shardFiles)
            return RunDirectory(
                path: directory.path, memory: RunDirectory.Memory(manifest: manifest, export: export))
        }

        /// The same with the bytes of the manifest and every file to settle.
        func finish(_ manifest: [UInt8], files: [String]) throws(EvidenceError) -> RunDirectory {
            try FileBytes.write(manifest, to: "\(path)/\(RunManifest.fileName)")
            return try take(files + [RunManifest.fileName])
        }

        /// Settles every file and gives the directory its name; the manifest is one of them.
        func take(_ files: [String]) throws(EvidenceError) -> RunDirectory {
            try settle(files)
            try RunDirectory(path: finalPath).take(path, replacing: replaces)
            return RunDirectory(path: finalPath)
        }

        /// Waits until every file is on the disk, for its owner alone to read.
        func settle(_ files: [String]) throws(EvidenceError) {
            try FileBytes.settle(files.map { "\(path)/\($0)" }, mode: 0o600)
            try FileBytes.settle(Self.folders(around: files).map { "\(path)/\($0)" }, mode: 0o700)
            try FileBytes.settle(path, mode: 0o700)
        }

        /// Every folder on the way to some files, each once.
        private static func folders(around files: [String]) -> [String] {
            var folders: Set<Name> = []
            for file in files {
                var path = Substring(file).utf8
                while let slash = path.lastIndex(of: UInt8(ascii: "/")) {
                    path = path[..<slash]
                    // Those around a known one are known too.
                    guard folders.insert(Name(Substring(path))).inserted else { break }
                }
            }
            return folders.map(\.text)
        }

        /// Removes an unfinished directory.
        public func discard() throws(EvidenceError) {
            do {
                try FileManager.default.removeItem(atPath: path)
            } catch {
                throw .unwritable(path: path, reason: "the unfinished folder cannot be removed")
            }
        }
    }
}
