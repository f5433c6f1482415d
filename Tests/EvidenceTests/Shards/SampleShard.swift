import Foundation
import RunModel
import TestSupport

@testable import CodeCoverage
@testable import Evidence
@testable import TestResults

/// A run directory of one shard of a package with four tests and one file, as its runner would leave it.
struct SampleShard {
    static let tests = ["one", "two", "three", "four"]
    static let source = Array("func f() {\n    if x { y() }\n}\n\nfunc g() {\n    z()\n}\n".utf8)

    var index: Int
    var count = 3
    /// The tests that fall to it.
    var chosen: [String]
    var failing: Set<String> = []
    /// How often `f`, the branch in it, and `g` were executed; `nil` leaves no coverage.
    var counts: [UInt64]? = [0, 0, 0]
    var listed = Self.tests
    var commit = "c1"
    var branch: String?
    var compiler = "Swift 6.3.1"
    var policy = "{}"
    var root = "/home/ci/a"
    var target = "Core"
    var sourceText = Self.source
    var hasFunctions = true
    var selection: Selection?
    var inputs: RunInputs? = RunInputs(
        toolchain: Toolchain(swiftVersion: "Swift 6.3.1", llvmVersion: "21", target: "x"), platform: "x",
        dependencies: [], checkout: "c", environment: "e", settings: "retries 0")
    var variables: [String: String]?
    var dependencies: [String]? = ["yams u 1"]
    var machine: MachineClass? = MachineClass(processor: "P", cores: 2)
    var origin: RunHost?
    var jobs: Int?
    /// Whether it is as its runner leaves it where no test falls to it: nothing was started.
    var isEmpty = false
    /// Which of its tests execute `f`, and which of those the branch in it; `nil` leaves no per-test coverage.
    var mapped: (all: [String], branch: [String])?
    /// What it keeps beside its policy of what is the same for all shards.
    var givenFiles: [(role: ArtifactRole, text: String)] = []

    /// The three shards of one run: the second fails a test, and each covers something of its own.
    static var three: [SampleShard] {
        [
            SampleShard(index: 1, chosen: ["one", "four"], counts: [1, 0, 0]),
            SampleShard(index: 2, chosen: ["two"], failing: ["two"], counts: [.max, 0, 2], root: "/home/ci/b"),
            SampleShard(index: 3, chosen: ["three"], counts: [0, 0, 0]),
        ]
    }

    /// Whether it is as a server takes it: with the id that its seed makes, and names of objects as git has them.
    var isDeliverable = false

    /// The number of the run, for its id.
    var number: Int { 10 * count + index }

    private var seed: String { "seed of run \(number)" }

    private var id: RunID {
        isDeliverable
            ? RunID(of: "example/kit", seed: seed, at: SampleRuns.moment.addingTimeInterval(Double(index)))
            : SampleRuns.id(number)
    }

    func write(in folder: TemporaryFolder, as name: String) throws -> RunDirectory {
        let writer = try RunDirectory.Writer(creating: "\(folder.path)/\(name)")
        var artifacts = [
            try writer.write(list, as: .xctestList, to: "xctest-list.json"),
            try writer.write(RecordedRun.noSwiftTests, as: .swiftTestingList, to: "swift-testing-list.jsonl"),
            try writer.write(Array(policy.utf8), as: .policy, to: "policy.json"),
        ]
        for (role, text) in givenFiles {
            artifacts.append(try writer.write(Array(text.utf8), as: role, to: "\(role.rawValue).json"))
        }
        if !isEmpty { artifacts.append(try writer.write(records, as: .observerRecords, to: "observer.jsonl")) }
        if counts != nil { artifacts.append(try writer.write(export, as: .coverageExport, to: "coverage.json")) }
        if let testMap { artifacts.append(try writer.write(testMap.lines, as: .testMap, to: "test-map.jsonl")) }
        let head = RunHead(
            id: id, project: "example/kit", package: "Kit",
            revision: Revision(
                commit: commit, tree: isDeliverable ? commit : "t-\(commit)", folder: "", branch: branch, isDirty: false
            ),
            startedAt: SampleRuns.moment.addingTimeInterval(Double(index)), duration: .seconds(10 * index),
            engine: .swiftTest)
        let facts = RunFacts(
            toolchain: Toolchain(swiftVersion: compiler, llvmVersion: "21", target: "x"), machine: machine,
            origin: origin, inputs: inputs, variables: variables, dependencies: dependencies, jobs: jobs,
            steps: steps, modules: modules)
        var manifest = RunManifest(
            head, facts, RunManifest.Contents(kanmonVersion: "1", packageRoot: root, arguments: ["run"]))
        manifest.artifacts = artifacts
        manifest.sources = [try writer.keepSource(sourceText, as: "Sources/Core/a.swift")]
        // Each machine makes its own id of it.
        manifest.seed = seed
        if isEmpty {
            manifest.passes = [TestPass(reason: .first, tests: [])]
            manifest.gaps = [Gap(.noTests, detail: "none of 4 tests was asked for")]
        }
        manifest.selection = selection ?? Selection(shard: Shard(index: index, count: count))
        return try writer.finish(manifest)
    }

    private var steps: [RunStep] {
        guard !isEmpty else { return [] }
        let filters = chosen.flatMap { ["--filter", "A/\($0)$"] }
        return [
            RunStep(
                kind: .test, arguments: ["swift", "test"] + (filters.isEmpty ? ["--filter", "^$"] : filters),
                duration: .seconds(1), termination: .exited(failing.isEmpty ? 0 : 1))
        ]
    }

    private var modules: [Module] {
        [
            Module(
                name: target, compilerName: "Core", kind: .library, isSwift: true, path: "Sources/Core",
                sources: ["a.swift"], dependencies: []),
            Module(
                name: "CoreTests", compilerName: "CoreTests", kind: .test, isSwift: true, path: "Tests/CoreTests",
                sources: ["A.swift"], dependencies: [target]),
        ]
    }

    private var testMap: TestMap? {
        mapped.map { Self.testMap(recorded: chosen, all: $0.all, branch: $0.branch) }
    }

    /// A map of the one function `f`.
    static func testMap(recorded: [String], all: [String], branch: [String]) -> TestMap {
        let tests = recorded.map { TestID(module: "CoreTests", suite: "A", name: $0) }.sorted()
        func set(_ names: [String]) -> TestMap.TestSet {
            TestMap.TestSet(tests: tests.indices.filter { names.contains(tests[$0].name) }.map(Int32.init))
        }
        let middle = branch.isEmpty ? [] : [TestMap.Span(first: 2, last: 2, set: 1)]
        let function = TestMap.Function(
            symbol: "$s4Core1fyyF", line: 1, lastLine: 3, set: 0,
            spans: [TestMap.Span(first: 1, last: 1, set: 0)] + middle + [TestMap.Span(first: 3, last: 3, set: 0)])
        return TestMap(
            tests: tests, sets: [set(all)] + (branch.isEmpty ? [] : [set(branch)]),
            files: [TestMap.File(path: "Sources/Core/a.swift", functions: [function])])
    }

    private var list: [UInt8] { RecordedRun.xctestList(("CoreTests.A", listed)) }

    private var records: [UInt8] {
        var lines = [#"{"ev":"bundleStart","t":1,"name":"b"}"#]
        for test in chosen {
            lines.append(#"{"ev":"start","t":1,"cls":"CoreTests.A","name":"\#(test)"}"#)
            if failing.contains(test) {
                lines.append(
                    #"{"ev":"fail","t":1,"cls":"CoreTests.A","name":"\#(test)","desc":"no","file":"x","line":3}"#)
            }
            let failures = failing.contains(test) ? 1 : 0
            lines.append(
                #"{"ev":"end","t":1,"cls":"CoreTests.A","name":"\#(test)","dur":0.5,"#
                    + #""skipped":false,"failures":\#(failures),"unexpected":0}"#)
        }
        lines.append(#"{"ev":"bundleEnd","t":1,"name":"b"}"#)
        return Array(lines.joined(separator: "\n").utf8) + [0x0A]
    }

    /// What llvm-cov would say of the counts: three regions in two functions.
    private var export: [UInt8] {
        let counts = counts ?? [0, 0, 0]
        let file = "\(root)/Sources/Core/a.swift"
        let regions = [
            "[1,10,3,2,\(counts[0]),0,0,0]", "[2,10,2,17,\(counts[1]),0,0,0]", "[5,10,7,2,\(counts[2]),0,0,0]",
        ]
        func function(_ name: String, _ count: UInt64, _ regions: [String]) -> String {
            #"{"branches":[],"count":\#(count),"filenames":["\#(file)"],"name":"\#(name)","#
                + #""regions":[\#(regions.joined(separator: ","))]}"#
        }
        // The symbol of a private function begins with the file as it was compiled.
        let functions = [
            function("\(file):$s4Core1fyyF", counts[0], [regions[0], regions[1]]),
            function("$s4Core1gyyF", counts[2], [regions[2]]),
        ]
        let covered = counts.count { $0 > 0 }
        let called = (counts[0] > 0 ? 1 : 0) + (counts[2] > 0 ? 1 : 0)
        let segments = [
            "[1,10,\(counts[0]),true,true,false]", "[2,10,\(counts[1]),true,true,false]",
            "[2,17,\(counts[0]),true,false,false]", "[3,2,0,false,false,false]",
            "[5,10,\(counts[2]),true,true,false]", "[7,2,0,false,false,false]",
        ]
        let summary = #"{"regions":{"count":3,"covered":\#(covered)},"functions":{"count":2,"covered":\#(called)}}"#
        return Array(
            (#"{"data":[{"files":[{"filename":"\#(file)","segments":[\#(segments.joined(separator: ","))],"#
                + #""summary":\#(summary)}],"functions":[\#(hasFunctions ? functions.joined(separator: ",") : "")],"#
                + #""totals":{}}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#).utf8)
    }
}

/// Shards in folders, merged and read back.
struct SampleMerge {
    let folder: TemporaryFolder
    let directory: RunDirectory
    private let count: Int
    private let expected: Int

    init(_ shards: [SampleShard], expected: Int = 3, gaps: [Gap] = []) throws {
        folder = try TemporaryFolder()
        (count, self.expected) = (shards.count, expected)
        var directories: [RunDirectory] = []
        for (place, shard) in shards.enumerated() {
            directories.append(try shard.write(in: folder, as: "shard-\(place)"))
        }
        let path = "\(folder.path)/merged"
        directory = try RunDirectory.merge(
            directories, expected: expected, gaps: gaps, kanmonVersion: "1", arguments: ["merge"]
        ) { _ in path }
    }

    func run() throws -> TestRun { try TestRun.read(from: directory) }

    /// Merges the same folders into the same place again.
    func again(version: String, gaps: [Gap] = []) throws -> RunDirectory {
        let shards = (0..<count).map { RunDirectory(path: "\(folder.path)/shard-\($0)") }
        let path = directory.path
        return try RunDirectory.merge(
            shards, expected: expected, gaps: gaps, kanmonVersion: version, arguments: ["merge"]
        ) { _ in path }
    }

    static func run(_ shards: [SampleShard], expected: Int = 3) throws -> TestRun {
        try SampleMerge(shards, expected: expected).run()
    }
}
