import Foundation
import RunModel
import TestSupport
import Testing

@testable import CodeCoverage
@testable import Evidence
@testable import TestResults

@Suite struct MergeTests {
    @Test func `what no shard executed is read for reports, and not for a page`() throws {
        let merge = try SampleMerge(SampleShard.three)
        let directory = merge.directory
        var coverage = try #require(try merge.run().coverage)
        coverage.add(try #require(try UnexecutedFiles(in: directory)))
        #expect(coverage.files.first?.unexecuted != nil)
        let budget = EvidenceBudget(EvidenceBudget.ofPage)
        coverage.add(try #require(try UnexecutedFiles(in: directory, of: nil, budget: budget)))
        #expect(coverage.files.first?.unexecuted == nil)
        #expect(budget.used == 0)
        withExtendedLifetime(merge) {}
    }

    @Test func `three shards are one run, with the results and the coverage of all`() throws {
        let merge = try SampleMerge(SampleShard.three)
        let run = try merge.run()
        #expect(
            run.summary == [
                "CoreTests.A/four: passed", "CoreTests.A/one: passed", "CoreTests.A/three: passed",
                "CoreTests.A/two: failed",
            ])
        #expect(run.gaps == [])
        #expect(run.selection == Selection())
        #expect(!run.isPartial)
        #expect(run.steps.count == 3)
        #expect(run.shards == SampleShard.three.map { SampleRuns.id($0.number) })
        #expect(run.machine == MachineClass(processor: "P", cores: 2))
        #expect(run.startedAt == SampleRuns.moment.addingTimeInterval(1))
        // The third began two seconds after the first and took thirty.
        #expect(run.duration == .seconds(32))
        let file = try #require(run.coverage?.files.first)
        #expect(run.coverage?.files.count == 1)
        #expect(file.path == "Sources/Core/a.swift")
        #expect(file.module == "Core")
        let counts: [(Int32, UInt64)] = [(1, .max), (2, .max), (3, .max), (5, 2), (6, 2), (7, 2)]
        #expect(file.lines == counts.map { LineCount(line: $0.0, count: ExecutionCount($0.1)) })
        #expect(file.regions == CoverageTally(covered: 2, total: 3))
        #expect(file.functions == CoverageTally(covered: 2, total: 2))
        #expect(try merge.directory.source(#require(file.sourceHash)) == SampleShard.source)
    }

    @Test func `the per-test coverage of the shards is merged`() throws {
        var shards = SampleShard.three
        #expect(try SampleMerge(shards).run().testMap == nil)
        shards[0].mapped = (all: ["one", "four"], branch: ["four"])
        shards[1].mapped = (all: ["two"], branch: [])
        shards[2].mapped = (all: ["three"], branch: ["three"])
        let merge = try SampleMerge(shards)
        let run = try merge.run()
        let whole = SampleShard.testMap(
            recorded: SampleShard.tests, all: SampleShard.tests, branch: ["three", "four"])
        #expect(run.testMap == whole)
        #expect(run.notes.allSatisfy { $0.code != .testMapMissing })
        let bytes = try Data(contentsOf: URL(filePath: "\(merge.directory.path)/test-map.jsonl"))
        #expect([UInt8](bytes) == whole.lines)

        shards[0].mapped = nil
        let part = try SampleMerge(shards).run()
        #expect(part.testMap?.tests.map(\.name) == ["three", "two"])
        #expect(
            part.notes.filter { $0.code == .testMapMissing }.map(\.detail) == [
                "shard 1/3 recorded none of its 2 tests of XCTest"
            ])
        #expect(part.gaps == [])
    }

    @Test func `functions of a merged run have the names of its shards`() throws {
        var shards = SampleShard.three
        #expect(FunctionNames(in: try SampleMerge(shards).directory)["$s4Core1fyyF"] == "$s4Core1fyyF")
        shards[1].givenFiles = [(role: .functionNames, text: "$s4Core1fyyF\tf()\n")]
        let merge = try SampleMerge(shards)
        #expect(FunctionNames(in: merge.directory)["$s4Core1fyyF"] == "f()")
        #expect(FunctionNames(in: merge.directory, EvidenceBudget(-1)) == FunctionNames())
        #expect(FunctionNames(in: RunDirectory(path: "\(merge.folder.path)/shard-1"))["$s4Core1fyyF"] == "f()")
        #expect(FunctionNames(in: RunDirectory(path: "\(merge.folder.path)/nowhere")) == FunctionNames())
    }

    @Test func `the order in which shards are given says nothing`() throws {
        let forward = try SampleMerge(SampleShard.three)
        let backward = try SampleMerge(SampleShard.three.reversed())
        #expect(try forward.run() == backward.run())
        #expect(try forward.directory.manifest().id == backward.directory.manifest().id)
    }

    @Test func `merging again leaves the run as it is`() throws {
        let merge = try SampleMerge(SampleShard.three)
        let again = try RunDirectory.merge(
            [try SampleShard.three[0].write(in: merge.folder, as: "again")], expected: 3, kanmonVersion: "2",
            arguments: []
        ) { _ in merge.directory.path }
        #expect(try again.manifest().kanmonVersion == "1")
    }

    @Test func `a shard that arrives again after damage replaces its damaged copy`() throws {
        let merge = try SampleMerge(SampleShard.three)
        let whole = try merge.run()
        try FileManager.default.removeItem(atPath: merge.directory.path)
        let records = "\(merge.folder.path)/shard-1/observer.jsonl"
        let bytes = try Data(contentsOf: URL(filePath: records))
        try bytes.dropLast().write(to: URL(filePath: records))

        let damaged = try merge.again(version: "2")
        #expect(try !damaged.isWhole())
        #expect(try TestRun.read(from: damaged).gaps.map(\.code).contains(.artifactDamaged))
        #expect(try merge.again(version: "3").manifest().kanmonVersion == "2")

        try bytes.write(to: URL(filePath: records))
        let cured = try merge.again(version: "4")
        #expect(try cured.isWhole())
        #expect(try TestRun.read(from: cured) == whole)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: merge.folder.path).sorted()
                == ["merged", "shard-0", "shard-1", "shard-2"])

        // The other way round nothing is lost.
        try bytes.dropLast().write(to: URL(filePath: records))
        #expect(try merge.again(version: "5").manifest().kanmonVersion == "4")
    }

    @Test func `a merge without a folder that had no run replaces one with it`() throws {
        let missing = Gap(.shardMissing, subject: "typo", detail: "it holds no run")
        let merge = try SampleMerge(SampleShard.three, gaps: [missing])
        #expect(try merge.run().gaps == [missing])
        #expect(try merge.again(version: "2", gaps: [missing]).manifest().kanmonVersion == "1")
        #expect(try TestRun.read(from: merge.again(version: "3")).gaps == [])
        #expect(try merge.again(version: "4", gaps: [missing]).manifest().kanmonVersion == "3")
    }

    @Test(arguments: [
        "manifest.json", "policy.json", "shards/1/manifest.json", "shards/2/observer.jsonl", "shards/3/coverage.json",
    ])
    func `a merged run without one of its files is not whole, and is made again`(file: String) throws {
        let merge = try SampleMerge(SampleShard.three)
        let whole = try merge.run()
        #expect(try merge.directory.isWhole())
        try FileManager.default.removeItem(atPath: "\(merge.directory.path)/\(file)")
        #expect(try !merge.directory.isWhole())
        #expect(try TestRun.read(from: merge.again(version: "2")) == whole)
    }

    @Test func `what the shards are judged by and compared with is that of the merged run`() throws {
        var shards = SampleShard.three
        // The first machine has no run of the base, and each tells the form of CODEOWNERS by its own remote.
        for shard in shards.indices {
            let owners = #""owners":{"form":"\#(shard)"}"#
            shards[shard].givenFiles = [
                (
                    .baseline,
                    shard == 0 ? #"{"commit":"b",\#(owners)}"# : #"{"commit":"b","run":\#(shard),\#(owners)}"#
                ),
                (.comparison, #"{"coverage":\#(shard)}"#),
            ]
        }
        let merge = try SampleMerge(shards)
        let kept = try merge.directory.manifest().artifacts.filter { $0.role != .shardManifest }
        #expect(kept.map(\.path) == ["policy.json", "baseline.json", "comparison.json"])
        // Rules that compare with a run of the base judge more where one is known.
        #expect(try merge.run().gaps == [])
        #expect(
            try kept.map { String(decoding: try merge.directory.bytes(of: $0), as: UTF8.self) }
                == ["{}", #"{"commit":"b","run":1,"owners":{"form":"1"}}"#, #"{"coverage":1}"#])
    }

    @Test func `a merged run depends on what its shards depend on, and has their branch where it is one`() throws {
        var shards = SampleShard.three
        for shard in shards.indices { shards[shard].branch = "main" }
        let run = try SampleMerge(shards).run()
        #expect(run.inputs == shards[0].inputs)
        #expect(run.revision == Revision(commit: "c1", tree: "t-c1", folder: "", branch: "main", isDirty: false))
        shards[2].branch = nil
        let detached = try SampleMerge(shards).run()
        #expect(detached.gaps == [])
        #expect(detached.revision?.branch == nil)
    }

    @Test func `a merged run says how many processes ran at a time where that is one number for all shards`() throws {
        var shards = SampleShard.three
        for shard in shards.indices { shards[shard].jobs = 4 }
        #expect(try SampleMerge(shards).run().jobs == 4)
        shards[2].jobs = 2
        let mixed = try SampleMerge(shards).run()
        #expect(mixed.gaps == [])
        #expect(mixed.jobs == nil)
    }

    @Test func `shards of which nobody knows what they depend on are none of one run`() throws {
        var shards = SampleShard.three
        for shard in shards.indices { shards[shard].inputs = nil }
        let gaps = try SampleMerge(shards).run().gaps.filter { $0.code == .shardForeign }
        #expect(gaps.map(\.detail) == Array(repeating: "its settings and environment are unknown", count: 3))
    }

    @Test func `a file of the base that cannot be read is like no other`() throws {
        var shards = SampleShard.three
        for shard in shards.indices { shards[shard].givenFiles = [(.baseline, "{")] }
        let gaps = try SampleMerge(shards).run().gaps.filter { $0.code == .shardForeign }
        #expect(gaps.count == 2)
        #expect(gaps.allSatisfy { $0.detail.hasPrefix("another baseline (unreadable in run ") })
    }

    @Test func `the files of a shard are handed over to be settled like those of the run`() throws {
        let folder = try TemporaryFolder()
        let shard = try SampleShard.three[0].write(in: folder, as: "shard")
        let writer = try RunDirectory.Writer(creating: folder.path + "/merged")
        let copy = try writer.keep(shard, shard.manifest(), in: "shards/1")
        #expect(
            copy.files.sorted() == [
                "shards/1/coverage.json", "shards/1/observer.jsonl", "shards/1/policy.json",
                "shards/1/swift-testing-list.jsonl", "shards/1/xctest-list.json",
            ])
        #expect(copy.manifest.path == "shards/1/manifest.json")
    }

    @Test func `a shard whose number cannot be is refused`() throws {
        let merge = try SampleMerge([SampleShard.three[0]], expected: 1)
        try FileManager.default.removeItem(atPath: merge.directory.path)
        let path = "\(merge.folder.path)/shard-0/manifest.json"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for number in [0, -1, 4, Int.max] {
            try text.replacing("\"index\" : 1", with: "\"index\" : \(number)").write(
                toFile: path, atomically: true, encoding: .utf8)
            let directory = try RunDirectory.merge(
                [RunDirectory(path: "\(merge.folder.path)/shard-0")], expected: 3, kanmonVersion: "1", arguments: []
            ) { _ in "\(merge.folder.path)/\(number)" }
            let gap = try TestRun.read(from: directory).gaps.first
            let name = "run \(SampleRuns.id(SampleShard.three[0].number).short)"
            #expect(gap == Gap(.shardForeign, subject: name, detail: "there is no shard \(number)/3"))
        }
    }

    @Test(arguments: [
        ("0", 1, "merge.expected: 0 is not between 1 and 1000"),
        ("-1", 1, "merge.expected: -1 is not between 1 and 1000"),
        ("1001", 1, "merge.expected: 1001 is not between 1 and 1000"),
        ("9223372036854775807", 1, "merge.expected: 9223372036854775807 is not between 1 and 1000"),
        ("2", 2, "merge.shards: a folder is there twice"),
    ])
    func `a record that has shards without end is refused`(expected: String, copies: Int, reason: String) throws {
        var manifest = RecordedRun().manifest([])
        manifest.merge = MergeRecord(expected: 77, shards: ["shards/1"])
        let folders = [String](repeating: "\"shards/1\"", count: copies).joined(separator: ", ")
        let text = String(decoding: try manifest.encoded(), as: UTF8.self)
            .replacing("\"expected\" : 77", with: "\"expected\" : \(expected)")
            .replacing("\"shards/1\"", with: folders)
        #expect(throws: EvidenceError.malformedManifest(path: "m", line: nil, reason: reason)) {
            try RunManifest.decoded(Array(text.utf8), path: "m")
        }
    }

    @Test func `a lost shard is named, and so are its tests`() throws {
        let run = try SampleMerge.run([SampleShard.three[0], SampleShard.three[2]])
        #expect(
            run.gaps == [
                Gap(.shardMissing, subject: "shard 2/3", detail: "2 of 3 shards were given"),
                Gap(
                    .testsNotRun, detail: "1 of 4 tests were run by no shard, the first is CoreTests.A/two"),
            ])
        #expect(try run.test("CoreTests.A/two").outcome == .notRun)
    }

    @Test func `a doubled shard is named and counted once`() throws {
        var twin = SampleShard.three[1]
        twin.count = 3
        let other = try SampleMerge.run(SampleShard.three + [twin])
        #expect(other.gaps.map(\.code) == [.shardDoubled])
        #expect(other.gaps.first?.subject == "shard 2/3")
        #expect(other.tests.count == 4)
        #expect(other.tests.allSatisfy { $0.attempts.count == 1 })
    }

    struct Foreign: Sendable {
        let reason: String
        let change: @Sendable (inout SampleShard) -> Void

        init(_ reason: String, change: @escaping @Sendable (inout SampleShard) -> Void) {
            self.reason = reason
            self.change = change
        }
    }

    @Test(arguments: [
        Foreign("another revision.commit (c2 instead of c1), another revision.tree (t-c2 instead of t-c1)") {
            $0.commit = "c2"
        },
        Foreign("another toolchain.swiftVersion (Swift 6.4 instead of Swift 6.3.1)") { $0.compiler = "Swift 6.4" },
        Foreign("another policy.minimumTests (2 instead of none)") { $0.policy = #"{"minimumTests":2}"# },
        Foreign("another modules") { $0.target = "Kernel" },
        Foreign("another sources") { $0.sourceText = [0x0A] },
        Foreign("another inputs.settings (retries 3 instead of retries 0)") { $0.inputs?.settings = "retries 3" },
        Foreign("another inputs.environment (f instead of e)") { $0.inputs?.environment = "f" },
        Foreign(#"another dependencies (["yams u 2"] instead of ["yams u 1"])"#) { $0.dependencies = ["yams u 2"] },
        Foreign(
            #"another dependencies (none instead of ["yams u 1"]), the versions of its dependencies are unknown"#
        ) { $0.dependencies = nil },
        Foreign("another baseline.commit.commit (b2 instead of none)") {
            $0.givenFiles = [(role: .baseline, text: #"{"commit":{"commit":"b2"}}"#)]
        },
        Foreign("another comparison.base (b2 instead of none)") {
            $0.givenFiles = [(role: .comparison, text: #"{"base":"b2","coverage":7}"#)]
        },
        Foreign("another list of tests (2 more, 1 fewer)") { $0.listed = ["one", "two", "three", "five", "six"] },
        Foreign("it is shard 3/4, and 3 were expected") { $0.count = 4 },
        Foreign("it is not a shard") { $0.selection = Selection() },
        Foreign(#"another selection.disabledTargets (["X"] instead of [])"#) {
            $0.selection = Selection(disabledTargets: ["X"], shard: Shard(index: 3, count: 3))
        },
    ])
    func `a shard of another run is refused and says why`(foreign: Foreign) throws {
        var shards = SampleShard.three
        foreign.change(&shards[2])
        let run = try SampleMerge.run(shards)
        let name = "run \(SampleRuns.id(shards[2].number).short)"
        #expect(
            run.gaps.prefix(2) == [
                Gap(.shardForeign, subject: name, detail: foreign.reason),
                Gap(.shardMissing, subject: "shard 3/3", detail: "2 of 3 shards were given"),
            ])
        #expect(try run.test("CoreTests.A/three").outcome == .notRun)
    }

    @Test func `tests that fall to two shards or to none are found`() throws {
        var shards = SampleShard.three
        shards[0].chosen = ["one", "two"]
        let run = try SampleMerge.run(shards)
        #expect(
            run.gaps == [
                Gap(
                    .shardOverlap,
                    detail: "tests in two shards: 1, the first is CoreTests.A/two, in shard 1/3 and shard 2/3"),
                Gap(.testsNotRun, detail: "1 of 4 tests were run by no shard, the first is CoreTests.A/four"),
            ])
        #expect(try run.test("CoreTests.A/two").outcome == .failed)
    }

    @Test func `a shard to which no test fell is no gap`() throws {
        var shards = SampleShard.three
        shards[0].chosen = ["one", "four", "three"]
        shards[2].chosen = []
        shards[2].counts = nil
        shards[2].isEmpty = true
        let run = try SampleMerge.run(shards)
        #expect(run.gaps == [])
        #expect(run.outcomes.executed == 4)
        #expect(run.coverage?.files.first?.functions == CoverageTally(covered: 2, total: 2))
    }

    @Test func `without the functions regions are not guessed`() throws {
        var shards = SampleShard.three
        shards[1].hasFunctions = false
        let run = try SampleMerge.run(shards)
        let file = try #require(run.coverage?.files.first)
        #expect(file.lineTally == CoverageTally(covered: 6, total: 6))
        #expect(file.regions == CoverageTally())
        #expect(file.functions == CoverageTally())
        #expect(
            run.notes.filter { $0.code == .coverageMissing } == [
                Note(
                    .coverageMissing,
                    detail: "regions and functions cannot be merged: not every shard recorded them one by one")
            ])
    }

    @Test func `machines of two classes are none`() throws {
        var shards = SampleShard.three
        shards[0].machine = MachineClass(processor: "P", cores: 4)
        #expect(try SampleMerge.run(shards).machine == nil)
    }

    @Test func `places of two machines are no other run, and only variables that all shards saw are known`() throws {
        var shards = SampleShard.three
        for index in shards.indices { shards[index].variables = ["HOME": "0a1b", "TZ": "e584"] }
        #expect(try SampleMerge.run(shards).variables == ["HOME": "0a1b", "TZ": "e584"])
        shards[0].variables?["HOME"] = "0a1c"
        let run = try SampleMerge.run(shards)
        #expect(run.variables == nil)
        #expect(!run.gaps.contains { $0.code == .shardForeign })
    }

    @Test func `a merged run is of the build that made all of its shards`() throws {
        var shards = SampleShard.three
        for index in shards.indices {
            shards[index].origin = RunHost(
                host: "h\(index)", build: .init(url: "https://ci/1/", job: "kit", node: "n\(index)"))
        }
        let merge = try SampleMerge(shards)
        let common = RunHost(host: nil, build: .init(url: "https://ci/1/", job: "kit", node: nil))
        #expect(try merge.run().origin == common)
        #expect(try RunDirectory(path: merge.directory.path).manifest().origin == common)
        shards[2].origin = nil
        #expect(try SampleMerge(shards).run().origin == nil)
    }

    @Test func `the files of a merged run are its own and those of its shards, each once`() throws {
        let merge = try SampleMerge(SampleShard.three)
        let files = try merge.directory.files()
        let there = try FileManager.default.subpathsOfDirectory(atPath: merge.directory.path).filter { path in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(merge.directory.path)/\(path)", isDirectory: &isFolder)
            return !isFolder.boolValue
        }
        #expect(files.map(\.path) == there.sorted())
        for file in files {
            let bytes = try Data(contentsOf: URL(filePath: "\(merge.directory.path)/\(file.path)"))
            #expect(file.size == bytes.count && file.sha256 == Digest.sha256([UInt8](bytes)))
        }
    }

    @Test func `what is damaged in a shard is a gap of the run`() throws {
        let merge = try SampleMerge(SampleShard.three)
        let records = "\(merge.directory.path)/shards/2/observer.jsonl"
        try Data("{}".utf8).write(to: URL(filePath: records))
        #expect(try merge.run().gaps.map(\.code).contains(.artifactDamaged))
        try FileManager.default.removeItem(atPath: "\(merge.directory.path)/shards/3/manifest.json")
        let codes = try merge.run().gaps.map(\.code)
        #expect(codes.contains(.shardMissing) && codes.contains(.artifactDamaged))
    }

    @Test func `a manifest of a shard that was changed is not believed`() throws {
        let merge = try SampleMerge(SampleShard.three)
        let path = "\(merge.directory.path)/shards/1/manifest.json"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("\"index\" : 1", with: "\"index\" : 2").write(
            toFile: path, atomically: true, encoding: .utf8)
        let gaps = try merge.run().gaps
        #expect(gaps.contains { $0.code == .artifactDamaged && $0.subject == "shards/1" })
        #expect(gaps.contains { $0.code == .shardMissing && $0.subject == "shard 1/3" })
    }

    @Test func `a gap names a damaged file of a shard wherever the run lies`() throws {
        let merge = try SampleMerge(SampleShard.three)
        let path = "\(merge.directory.path)/shards/1/manifest.json"
        try FileManager.default.moveItem(atPath: path, toPath: path + ".whole")
        #expect(symlink("manifest.json.whole", path) == 0)
        let gap = Gap(
            .artifactDamaged, subject: "shards/1", detail: "shards/1/manifest.json: not a regular file")
        #expect(try merge.run().gaps.contains(gap))
    }
}
