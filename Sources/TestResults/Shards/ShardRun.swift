import CodeCoverage
import Evidence
import RunModel

/// The run directory of a shard, read back: what it did, and every test that it knew of.
struct ShardRun {
    let manifest: RunManifest
    let run: TestRun
    /// Every test that the binary lists, whether it fell to this shard or not; `nil` where a library did not list its own.
    let listed: [TestID: TestingLibrary]?
    /// Regions and functions of the coverage, by the path of the file in the package.
    let functions: FunctionRegions?
    /// What all shards of the run share.
    let facts: ShardFacts

    /// Reads the run directory of a shard.
    ///
    /// - Parameter folder: Where it lies in the run directory of the merged run.
    init(_ directory: RunDirectory, in folder: String? = nil, _ budget: EvidenceBudget) throws(EvidenceError) {
        let directory = try directory.remembered()
        manifest = try directory.manifest()
        var run = try TestRun.read(from: directory, budget: budget)
        if let folder { run.tests.moveAttachments(to: folder) }
        self.run = run
        listed = run.buildFailed ? nil : try Self.listed(manifest, directory, budget)
        functions = try FunctionRegions.read(manifest, in: directory, budget)
        facts = try ShardFacts(manifest, in: directory)
    }

    /// Which shard it was asked to be.
    var shard: Shard? { run.selection.shard }

    /// What is said of it in front of its gaps and notes.
    var name: String { shard.map { "shard \($0)" } ?? "run \(manifest.id.short)" }

    private static func listed(
        _ manifest: RunManifest, _ directory: RunDirectory, _ budget: EvidenceBudget
    ) throws(EvidenceError) -> [TestID: TestingLibrary]? {
        var tests: [TestID: TestingLibrary] = [:]
        for artifact in manifest.artifacts where [.xctestList, .swiftTestingList].contains(artifact.role) {
            do throws(EvidenceError) {
                try directory.lent(artifact) { document throws(EvidenceError) in
                    if artifact.role == .xctestList {
                        let list = try XCTestList.read(document, file: artifact.path, budget: budget)
                        for id in list.tests { tests[id] = .xctest }
                    } else {
                        let stream = try EventStream.read(document, file: artifact.path, budget: budget)
                        let ids = TestDiscriminators(stream.functions.map(\.id))
                        for function in stream.functions { tests[ids[function.id]] = .swiftTesting }
                    }
                }
            } catch {
                guard error.isBadInput else { throw error }
                return nil
            }
        }
        return tests.isEmpty ? nil : tests
    }
}

extension [TestResult] {
    /// Names the attachments by where they lie in the run directory of the merged run.
    fileprivate mutating func moveAttachments(to folder: String) {
        for test in indices {
            for place in self[test].attachments.indices {
                self[test].attachments[place].path = "\(folder)/\(self[test].attachments[place].path)"
            }
        }
    }
}

extension Selection {
    /// What all shards together were asked to run.
    var whole: Selection {
        var selection = self
        selection.shard = nil
        return selection
    }
}
