public import RunModel

extension Delivery {
    /// The largest run that is taken, in bytes: 512 MiB.
    public static let largestRun = 512 << 20
    /// The largest list of files, as JSON in bytes: 8 MiB.
    public static let largestList = 8 << 20
    /// The most earlier runs that are named.
    public static let mostEarlier = 32

    /// The entry of `manifest.json`.
    public var manifestFile: File? { files.first { $0.path == RunManifest.fileName } }

    /// Refuses what can be no run directory, before anything of it is looked for: paths that lead out, names that are no SHA-256.
    ///
    /// - Throws: `EvidenceError.damaged` with the fault, `.tooLarge` for a file or a run above its limit.
    public func check() throws(EvidenceError) {
        guard manifestFile != nil else { throw .damaged(file: RunManifest.fileName, reason: "it is not listed") }
        guard earlier?.count ?? 0 <= Self.mostEarlier else {
            throw .damaged(file: "earlier", reason: "more than \(Self.mostEarlier) runs")
        }
        var seen: Set<Name> = []
        var sizes: [String: Int] = [:]
        var total = 0
        for file in files {
            guard RunDirectory.isContained(file.path), file.path.utf8.count <= RunManifest.longestText else {
                throw .damaged(file: file.path, reason: "the path leads out of the run directory")
            }
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
