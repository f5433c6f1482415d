import RunModel

/// The run directory of a shard, read back: what it did, and every test that it knew of.
struct ShardRun {
    let manifest: RunManifest
    let run: TestRun
    /// Every test that the binary lists, whether it fell to this shard or not; `nil` where a library did not list its own.
    let listed: [TestID: TestingLibrary]?
    /// Regions and functions of the coverage, by the path of the file in the package.
    let functions: FunctionRegions?

    /// Reads the run directory of a shard.
    ///
    /// - Parameter folder: Where it lies in the run directory of the merged run.
    init(_ directory: RunDirectory, in folder: String? = nil, _ budget: EvidenceBudget) throws(EvidenceError) {
        manifest = try directory.manifest()
        var run = try TestRun.read(from: directory, budget: budget)
        if let folder { run.tests.moveAttachments(to: folder) }
        self.run = run
        listed = run.buildFailed ? nil : try Self.listed(manifest, directory, budget)
        functions = try FunctionRegions.read(manifest, in: directory, budget)
    }

    /// Which shard it was asked to be.
    var shard: Shard? { run.selection.shard }

    /// What is said of it in front of its gaps and notes.
    var name: String { shard.map { "shard \($0)" } ?? "run \(manifest.runID.short)" }

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

/// What all shards of one run have in common; whatever has not belongs to another run.
struct ShardKinship {
    private let shards: [ShardRun]
    /// The shard that most of the others are shards of the same run with; of several the first.
    let reference: ShardRun

    /// Compares the shards; there is at least one.
    init?(_ shards: [ShardRun]) {
        self.shards = shards
        let kin = shards.map { one in shards.count { Self.differences(of: $0, from: one).isEmpty } }
        guard let most = kin.max(), let place = kin.firstIndex(of: most) else { return nil }
        reference = shards[place]
    }

    /// Why a shard is none of the reference's run; empty when it is one.
    func differences(of shard: ShardRun) -> [String] { Self.differences(of: shard, from: reference) }

    private static func differences(of one: ShardRun, from other: ShardRun) -> [String] {
        let (mine, theirs) = (one.manifest, other.manifest)
        var found: [String] = []
        func compare(_ what: String, _ mine: String, _ theirs: String) {
            guard Name(mine) != Name(theirs) else { return }
            found.append(
                "another \(what) (\(mine.isEmpty ? "none" : mine) instead of \(theirs.isEmpty ? "none" : theirs))")
        }
        compare("project", mine.project, theirs.project)
        compare("package", mine.package, theirs.package)
        compare("commit", mine.revision?.commit ?? "", theirs.revision?.commit ?? "")
        compare("tree", mine.revision?.tree ?? "", theirs.revision?.tree ?? "")
        compare("compiler", mine.toolchain.swiftVersion, theirs.toolchain.swiftVersion)
        compare("llvm-cov", mine.toolchain.llvmVersion, theirs.toolchain.llvmVersion)
        compare("target", mine.toolchain.target, theirs.toolchain.target)
        compare(
            "build system", mine.toolchain.buildSystem?.rawValue ?? "", theirs.toolchain.buildSystem?.rawValue ?? "")
        compare("interoperation", mine.interop?.rule.rawValue ?? "", theirs.interop?.rule.rawValue ?? "")
        compare("engine", mine.engine.rawValue, theirs.engine.rawValue)
        if !same(mine.sources.map { ($0.path, $0.sha256) }, theirs.sources.map { ($0.path, $0.sha256) }) {
            found.append("other sources")
        }
        if mine.modules != theirs.modules { found.append("other targets") }
        if policies(mine) != policies(theirs) { found.append("another policy") }
        if one.run.selection.whole != other.run.selection.whole { found.append("another selection of tests") }
        if let mine = one.listed, let theirs = other.listed, mine != theirs {
            let (only, missing) = (mine.count { theirs[$0.key] == nil }, theirs.count { mine[$0.key] == nil })
            found.append("another list of tests (\(only) more, \(missing) fewer)")
        }
        return found
    }

    private static func same(_ left: [(String, String)], _ right: [(String, String)]) -> Bool {
        left.elementsEqual(right) { Name($0.0) == Name($1.0) && $0.1 == $1.1 }
    }

    private static func policies(_ manifest: RunManifest) -> [String] {
        manifest.artifacts.filter { $0.role == .policy }.map(\.sha256)
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
