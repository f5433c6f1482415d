import Evidence
import Foundation
import RunModel
import Synchronization
import TestRunning
import TestSupport
import Testing

/// What a run says of the tree that it was given, when the files are not, or no longer, those of the tree.
@Suite struct TestedTreeTests {
    private let folder: TemporaryFolder
    private let root: String
    private let toolchain: ScriptedToolchain

    private static let quiet = RunScript(words: ["true"])

    init() throws {
        folder = try TemporaryFolder()
        root = "\(folder.path)/kit"
        _ = try folder.write("// swift-tools-version: 6.0\n", to: "kit/Package.swift")
        _ = try folder.write("let kit = 1\n", to: "kit/Sources/Kit/Kit.swift")
        // The build, which fails in the end, does what the package tells it to.
        toolchain = try ScriptedToolchain(in: folder, target: "Kit", building: "test -e during && sh during")
    }

    private func manifest(
        _ tree: TestedTree?, before: [RunScript] = [Self.quiet], number: Int = 1
    ) async throws -> RunManifest {
        let request = RunRequest(
            package: TestedPackage(
                root: root, project: "kit", revision: Revision(commit: "c", tree: "t", branch: nil, isDirty: false),
                tree: tree,
                inputs: RunInputs(platform: "p", dependencies: [], checkout: "", environment: "", settings: "")),
            options: RunOptions(before: before, swift: toolchain.swift),
            scratchPath: "\(folder.path)/scratch", runDirectory: "\(folder.path)/runs/\(number)",
            cacheDirectory: "\(folder.path)/cache", runID: SampleRuns.id(1), startedAt: SampleRuns.moment,
            arguments: ["run"], kanmonVersion: "test", parentEnvironment: ["PATH": "/usr/bin:/bin"])
        return try await TestRunner().run(request) { _ in }.manifest()
    }

    private func tree(
        isLaidOut: Bool, _ differences: [String] = [], strangers: [String] = []
    ) -> TestedTree {
        TestedTree(isLaidOut: isLaidOut, differences: { _, _ in differences }, strangers: { _ in strangers })
    }

    @Test func `where nothing differs the run is one of the tree`() async throws {
        let manifest = try await manifest(tree(isLaidOut: true))
        #expect(manifest.revision?.tree == "t")
        #expect(manifest.inputs != nil)
        #expect(manifest.gaps == [] && manifest.notes == [])
    }

    @Test func `scripts that change a tree laid out leave the run undecided`() async throws {
        let manifest = try await manifest(tree(isLaidOut: true, ["a is missing", "b", "c", "d"]))
        #expect(manifest.gaps == [Gap(.treeChanged, detail: "a is missing, b, c, and 1 more")])
        // Without a tree it answers for nothing, whatever it depends on.
        #expect(manifest.revision?.tree == nil && manifest.revision?.commit == "c")
    }

    @Test func `scripts that change a working copy make the run its own`() async throws {
        let manifest = try await manifest(tree(isLaidOut: false, ["a is missing"]))
        #expect(manifest.notes == [Note(.treeChanged, detail: "a is missing")])
        #expect(manifest.gaps == [])
        #expect(manifest.revision?.tree == nil)
    }

    @Test func `a tree laid out is compared without scripts, too, because its manifest may change it`() async throws {
        let manifest = try await manifest(tree(isLaidOut: true, ["a is missing"]), before: [])
        #expect(manifest.gaps == [Gap(.treeChanged, detail: "a is missing")])
        #expect(manifest.revision?.tree == nil)
    }

    @Test func `a working copy is compared once more, because anybody may change it while a run waits`() async throws {
        let manifest = try await manifest(tree(isLaidOut: false, ["a is missing"]), before: [])
        #expect(manifest.notes == [Note(.treeChanged, detail: "a is missing")])
        #expect(manifest.revision?.tree == nil)
    }

    @Test func `in a working copy everything is compared after the tests, not only sources`() async throws {
        _ = try folder.write("touch ../changed", to: "kit/during")
        let mark = "\(folder.path)/changed"
        let tree = TestedTree(
            isLaidOut: false,
            differences: { _, _ in FileManager.default.fileExists(atPath: mark) ? ["a fixture changed"] : [] },
            strangers: { _ in [] })
        let manifest = try await manifest(tree, before: [])
        #expect(manifest.notes == [Note(.treeChanged, detail: "a fixture changed")])
        #expect(manifest.revision?.tree == nil)
    }

    @Test func `a folder of a target outside of the tree is reported, with or without scripts`() async throws {
        let asked = Mutex<[String]>([])
        let tree = TestedTree(
            isLaidOut: true, differences: { _, _ in [] },
            strangers: { folders in
                asked.withLock { $0 = folders }
                return ["Kit leads out"]
            })
        let manifest = try await manifest(tree, before: [])
        #expect(asked.withLock { $0 } == ["\(root)/Sources/Kit"])
        #expect(manifest.notes == [Note(.treeNotExact, detail: "Kit leads out")])
        #expect(manifest.gaps == [])
        #expect(manifest.revision?.tree == nil)
    }

    @Test(arguments: [true, false])
    func `a source that changes during the run is reported`(isLaidOut: Bool) async throws {
        _ = try folder.write("echo 'let more = 2' >> Sources/Kit/Kit.swift", to: "kit/during")
        let manifest = try await manifest(tree(isLaidOut: isLaidOut), before: [])
        let detail = "Sources/Kit/Kit.swift changed during the run"
        #expect(manifest.gaps == (isLaidOut ? [Gap(.treeChanged, detail: detail)] : []))
        #expect(manifest.notes == (isLaidOut ? [] : [Note(.treeChanged, detail: detail)]))
        #expect(manifest.revision?.tree == nil)
    }

    @Test
    func `a source that is written again with the same bytes is the same, unless somebody may have changed it back`()
        async throws
    {
        _ = try folder.write("touch Sources/Kit/Kit.swift", to: "kit/during")
        let laidOut = try await manifest(tree(isLaidOut: true), before: [])
        #expect(laidOut.revision?.tree == "t")
        #expect(laidOut.gaps == [])
        let copy = try await manifest(tree(isLaidOut: false), before: [], number: 2)
        #expect(copy.notes == [Note(.treeChanged, detail: "Sources/Kit/Kit.swift changed during the run")])
    }
}
