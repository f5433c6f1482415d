import Evidence
import RunModel

extension TestRun {
    /// Reads a run directory that holds the shards of a run, and unites what they hold.
    static func readMerged(
        _ manifest: RunManifest, _ merge: MergeRecord, in directory: RunDirectory, _ budget: EvidenceBudget
    ) throws(EvidenceError) -> TestRun {
        var shards: [ShardRun] = []
        var damage: [Gap] = []
        for folder in merge.shards {
            let before = budget.used
            do throws(EvidenceError) {
                shards.append(try ShardRun(checked(folder, manifest, in: directory), in: folder, budget))
            } catch {
                guard error.isBadInput else { throw error }
                budget.goBack(to: before)
                damage.append(Gap(.artifactDamaged, subject: folder, detail: error.words(in: directory)))
            }
        }
        var run = TestRun(
            manifest.head, manifest.facts, sourceDigest: manifest.sourceDigest, gaps: manifest.gaps + damage,
            notes: manifest.notes)
        guard let union = ShardUnion(shards, expected: merge.expected) else {
            run.gaps.append(Gap(.shardMissing, detail: "none of \(merge.expected) shards can be read"))
            return run
        }
        run.selection = union.reference.run.selection.whole
        run.steps = union.shards.flatMap(\.run.steps)
        run.diagnostics = union.shards.flatMap(\.run.diagnostics).withoutRepeats
        run.notMeasurable = (union.shards.first { $0.run.coverage != nil } ?? union.reference).run.notMeasurable
        run.tests = union.tests
        run.shards = union.shards.map(\.run.id)
        run.coverage = union.coverage
        run.testMap = union.testMap
        run.gaps = (run.gaps + union.gaps).withoutRepeats
        run.notes = (run.notes + union.notes).withoutRepeats
        return run
    }

    /// The run directory of a shard, whose manifest is the one that was merged.
    private static func checked(
        _ folder: String, _ manifest: RunManifest, in directory: RunDirectory
    ) throws(EvidenceError) -> RunDirectory {
        let path = "\(folder)/\(RunManifest.fileName)"
        guard RunDirectory.isContained(folder),
            let entry = manifest.artifacts.first(where: { $0.role == .shardManifest && $0.path == path })
        else { throw .damaged(file: path, reason: "it is not among the artifacts of the run") }
        _ = try directory.checkedLocation(of: entry)
        return RunDirectory(path: directory.location(of: folder))
    }
}

extension [BuildDiagnostic] {
    /// Each once, in order: every shard compiles the same sources.
    fileprivate var withoutRepeats: [BuildDiagnostic] {
        var seen: Set<BuildDiagnostic> = []
        return filter { seen.insert($0).inserted }
    }
}
