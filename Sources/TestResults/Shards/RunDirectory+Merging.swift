import CodeCoverage
public import Evidence
import Foundation
public import RunModel

extension RunDirectory {
    /// Puts the run directories of shards into one, so that it is read, kept and sent like that of any run.
    ///
    /// What the shards say is looked at whenever the directory is read. A shard of another run is kept too, because it is the
    /// evidence that something is wrong.
    ///
    /// - Parameters:
    ///   - shards: At least one, each with a manifest that can be read.
    ///   - gaps: What the caller found wrong, such as a folder without a run.
    ///   - path: Where the directory of the run with this manifest has to be. One that is there is left as it is, unless it is
    ///     not whole and this one would be: a shard may have been cut short on its way, and come again.
    public static func merge(
        _ shards: [RunDirectory],
        expected: Int,
        gaps: [Gap] = [],
        kanmonVersion: String,
        arguments: [String],
        at path: (RunManifest) -> String
    ) throws(EvidenceError) -> RunDirectory {
        var runs: [(directory: RunDirectory, shard: ShardRun)] = []
        let budget = EvidenceBudget()
        for shard in shards { runs.append((shard, try ShardRun(shard, budget))) }
        runs.sort { $0.shard.place < $1.shard.place }
        guard let consistency = ShardConsistency(runs.map(\.shard)) else {
            throw .notARunDirectory(path: shards.first?.path ?? "")
        }
        var manifest = RunManifest.merged(runs.map(\.shard), like: consistency.reference.manifest, expected: expected)
        manifest.kanmonVersion = kanmonVersion
        manifest.arguments = arguments
        manifest.gaps = gaps
        let kept = RunDirectory(path: path(manifest))
        let isKept = access(kept.path, F_OK) == 0
        if isKept {
            guard try !kept.isWhole(), gaps.isEmpty, try areWhole(runs.map(\.directory)) else { return kept }
        }
        let writer = try Writer(creating: kept.path, replacing: isKept)
        do throws(EvidenceError) {
            var shardFiles: [String] = []
            for (number, run) in runs.enumerated() {
                let folder = "shards/\(number + 1)"
                manifest.merge?.shards.append(folder)
                let copy = try writer.keep(run.directory, run.shard.manifest, in: folder)
                manifest.artifacts.append(copy.manifest)
                shardFiles += copy.files
            }
            let judged = consistency.judged.manifest
            let directory = runs.first { $0.shard.manifest.id == judged.id }?.directory
            for artifact in judged.artifacts where ShardFacts.judging.contains(artifact.role) {
                guard let bytes = try directory?.value(of: artifact) else { continue }
                manifest.artifacts.append(try writer.write(bytes, as: artifact.role, to: artifact.path))
            }
            if let bytes = try probation(of: runs.map(\.directory)) {
                manifest.artifacts.append(try writer.write(bytes, as: .probation, to: "probation.json"))
            }
            // It follows from the shards, and is written down for whoever looks for it where other runs have it.
            if let map = ShardUnion(runs.map(\.shard), expected: expected)?.testMap {
                manifest.artifacts.append(try writer.write(map.lines, as: .testMap, to: "test-map.jsonl"))
            }
            return try writer.finish(manifest, shardFiles: shardFiles)
        } catch {
            // The error that ended the merge is the one worth telling.
            try? writer.discard()
            throw error
        }
    }

    /// What came of new and changed tests in all shards; `nil` where no shard says anything of them.
    ///
    /// Where one of them says nothing, or nothing that can be read, it is about no base: it proves nothing then.
    private static func probation(of directories: [RunDirectory]) throws(EvidenceError) -> [UInt8]? {
        var parts: [Probation] = []
        for directory in directories {
            let manifest = try directory.manifest()
            guard let artifact = manifest.artifacts.first(where: { $0.role == .probation }),
                let bytes = try? directory.value(of: artifact),
                let part = try? JSONDecoder().decode(Probation.self, from: Data(bytes)), part.fault == nil
            else { continue }
            parts.append(part)
        }
        guard var merged = Probation.merged(parts) else { return nil }
        if parts.count < directories.count || Set(parts.map(\.base)).count > 1 { merged.base = "" }
        guard let bytes = (try? JSONEncoder.steady.encode(merged)).map({ [UInt8]($0) }),
            (try? Self.check(bytes, as: .probation, file: "probation.json")) != nil
        else { return nil }
        return bytes
    }

    private static func areWhole(_ directories: [RunDirectory]) throws(EvidenceError) -> Bool {
        for directory in directories {
            guard try directory.isWhole() else { return false }
        }
        return true
    }
}

extension RunDirectory.Writer {
    /// Copies what a manifest names, and the manifest itself; sources are kept with those of the merged run.
    ///
    /// What is gone or damaged is copied as far as it is there: reading it tells.
    ///
    /// - Returns: The entry of the manifest, and the paths of everything else that was copied and is not a source.
    func keep(
        _ shard: RunDirectory, _ manifest: RunManifest, in folder: String
    ) throws(EvidenceError) -> (manifest: Artifact, files: [String]) {
        let files = try copy(manifest.artifacts, of: shard, into: folder)
        try copySources(manifest, of: shard)
        let place = shard.location(of: RunManifest.fileName)
        guard let bytes = try FileBytes.read(place, limit: RunManifest.largest) else {
            throw .notARunDirectory(path: shard.path)
        }
        return (try write(bytes, as: .shardManifest, to: "\(folder)/\(RunManifest.fileName)"), files)
    }
}

extension ShardRun {
    /// Orders by the number of the shard, then by run; what is no shard comes first.
    fileprivate var place: (Int, RunID) { (shard?.index ?? 0, manifest.id) }
}

extension RunManifest {
    /// What is said of all shards at once: when the first began and the last ended, and the machine where it is one class.
    fileprivate static func merged(_ shards: [ShardRun], like reference: RunManifest, expected: Int) -> RunManifest {
        let start = shards.map(\.manifest.startedAt).min() ?? reference.startedAt
        let end = shards.map { shard in
            let later = shard.manifest.startedAt.timeIntervalSince(start)
            return Duration.milliseconds(Int64((later * 1000).rounded())) + shard.manifest.duration
        }.max()
        let machines = Set(shards.map(\.manifest.machine))
        let jobs = Set(shards.map(\.manifest.jobs))
        let variables = Set(shards.map(\.manifest.variables))
        // It follows from the shards, so that merging them again is the same run.
        let parts = shards.map { "\($0.manifest.id) \($0.manifest.seed ?? "")" }.sorted() + ["\(expected)"]
        let seed = Digest.sha256(Array(parts.joined(separator: "\n").utf8))
        // What the shards have in common is that of all, since a shard with others is one of another run, which is a gap.
        var manifest = RunManifest(
            reference.head, reference.facts,
            RunManifest.Contents(kanmonVersion: "", packageRoot: reference.packageRoot, arguments: []))
        manifest.id = RunID(of: reference.project, seed: seed, at: start)
        manifest.startedAt = start
        manifest.duration = end ?? reference.duration
        // What a shard has for itself, readers put together.
        manifest.isolation = nil
        manifest.selection = nil
        manifest.steps = []
        manifest.machine = machines.count == 1 ? reference.machine : nil
        manifest.jobs = jobs.count == 1 ? reference.jobs : nil
        manifest.variables = variables.count == 1 ? reference.variables : nil
        manifest.origin = RunHost.common(of: shards.map(\.manifest.origin))
        manifest.sources = reference.sources
        manifest.seed = seed
        if Set(shards.map { Name($0.manifest.revision?.branch ?? "") }).count > 1 { manifest.revision?.branch = nil }
        manifest.merge = MergeRecord(expected: expected, shards: [])
        return manifest
    }
}
