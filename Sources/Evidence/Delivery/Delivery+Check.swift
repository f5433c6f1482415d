public import RunModel

extension Delivery {
    /// The largest run that is taken, in bytes: 512 MiB.
    public static let largestRun = 512 << 20
    /// The largest list of files, as JSON in bytes: 8 MiB.
    public static let largestList = 8 << 20
    /// The longest path in a run directory, in bytes; Kanmon's own have less than 300.
    private static let longestPath = 512
    /// The longest name of a file or folder in it, in bytes: what file systems of Linux take.
    private static let longestName = 255
    /// How many parts a path may have, the file itself included; Kanmon's own have at most four.
    private static let deepest = 8

    /// The entry of `manifest.json`.
    public var manifestFile: File? { files.first { $0.path == RunManifest.fileName } }

    /// Refuses a name of a project that no manifest can have.
    ///
    /// - Throws: `EvidenceError.damaged`.
    public func checkProject() throws(EvidenceError) {
        guard (1...RunManifest.longestName).contains(project.utf8.count) else {
            throw .damaged(
                file: "the list of files",
                reason: "the name of its project has none or more than \(RunManifest.longestName) bytes")
        }
    }

    /// Refuses what can be no run directory, before anything of it is looked for: paths that lead out or that no file system
    /// takes, names that are no SHA-256.
    ///
    /// - Throws: `EvidenceError.damaged` with the fault, `.tooLarge` for a file or a run above its limit.
    public func check() throws(EvidenceError) {
        guard manifestFile != nil else { throw .damaged(file: RunManifest.fileName, reason: "it is not listed") }
        var seen: Set<Name> = []
        var sizes: [String: Int] = [:]
        var total = 0
        for file in files {
            try Self.check(path: file.path)
            guard seen.insert(Name(file.path)).inserted else {
                throw .damaged(file: file.path, reason: "it is listed twice")
            }
            guard Digest.isWellFormed(file.sha256) else {
                throw .damaged(file: file.path, reason: "its hash is not 64 lower-case hexadecimal digits")
            }
            guard file.size >= 0 else { throw .damaged(file: file.path, reason: "its size is below 0") }
            guard file.size <= BlobStore.largest else {
                throw .tooLarge(file: file.path, reason: "\(file.size) bytes, the limit is \(BlobStore.largest)")
            }
            guard sizes[file.sha256, default: file.size] == file.size else {
                throw .damaged(file: file.path, reason: "one hash is listed with two sizes")
            }
            sizes[file.sha256] = file.size
            total += file.size
            guard total <= Self.largestRun else {
                throw .tooLarge(file: "the run", reason: "more than \(Self.largestRun) bytes")
            }
        }
        try checkFolders()
    }

    /// Refuses a file that lies in another file.
    ///
    /// In the order of paths with a slash behind them, what lies in a path follows it at once: each is compared with one other, however
    /// deep it lies.
    private func checkFolders() throws(EvidenceError) {
        let paths = files.map { Name($0.path + "/") }.sorted()
        for (folder, path) in zip(paths, paths.dropFirst()) where path.text.utf8.starts(with: folder.text.utf8) {
            throw .damaged(
                file: String(Substring(path.text.utf8.dropLast())),
                reason: "'\(Substring(folder.text.utf8.dropLast()))' is listed as a file")
        }
    }

    /// Refuses a path that leads out of the run directory, that no file system takes, or that is where the delivery is noted.
    private static func check(path: String) throws(EvidenceError) {
        guard path.utf8.count <= longestPath else {
            throw .damaged(
                file: String(decoding: path.utf8.prefix(100), as: UTF8.self) + "…",
                reason: "the path has more than \(longestPath) bytes")
        }
        // Before it is taken apart.
        guard path.utf8.count(where: { $0 == UInt8(ascii: "/") }) < deepest else {
            throw .damaged(file: path, reason: "the path has more than \(deepest) parts")
        }
        guard RunDirectory.isContained(path) else {
            throw .damaged(file: path, reason: "the path leads out of the run directory")
        }
        let parts = path.pathParts()
        guard parts.allSatisfy({ $0.utf8.count <= longestName }) else {
            throw .damaged(file: path, reason: "a part of the path has more than \(longestName) bytes")
        }
        guard parts.first.map({ Name(String($0)) }) != Name(DeliveryRecord.fileName) else {
            throw .damaged(file: path, reason: "the server writes that file")
        }
    }
}

extension BlobStore {
    /// The hashes of a delivery that are not here, each once, in the order of its files.
    ///
    /// - Throws: `EvidenceError.damaged` for a file whose size is not that of its blob.
    public func missing(of delivery: Delivery) throws(EvidenceError) -> [String] {
        var seen: Set<String> = []
        var missing: [String] = []
        for file in delivery.files where seen.insert(file.sha256).inserted {
            guard let size = size(of: file.sha256) else {
                missing.append(file.sha256)
                continue
            }
            guard size == file.size else {
                throw .damaged(file: file.path, reason: "it has \(size) bytes, \(file.size) were listed")
            }
            touch(file.sha256)
        }
        return missing
    }
}
