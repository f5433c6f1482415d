import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence
@testable import TestResults

@Suite struct RunDirectoryTests {
    @Test func `a manifest survives writing and reading`() throws {
        let folder = try TemporaryFolder()
        var recorded = RecordedRun(artifacts: [(.transcript, Array("text\n".utf8))])
        recorded.termination = .signaled(9)
        recorded.gaps = [Gap(.processLeaked, subject: "sleep", detail: "1 process")]
        let directory = try recorded.write(in: folder)
        let manifest = try directory.manifest()
        #expect(manifest == recorded.manifest(manifest.artifacts))
        #expect(try directory.bytes(of: manifest.artifacts[0]) == Array("text\n".utf8))
    }

    @Test(arguments: [(1 << 20) - 1, 1 << 20, (1 << 20) + 1, (1 << 20) + 4096, 3 << 19 | 4095])
    func `large artifacts have every byte, whatever their length`(count: Int) throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8 ^ $0 >> 16) }
        let directory = try RecordedRun(artifacts: [(.transcript, bytes)]).write(in: folder)
        let artifact = try #require(try directory.manifest().artifacts.first)
        #expect(try directory.bytes(of: artifact) == bytes)
        #expect(try Data(contentsOf: URL(filePath: directory.location(of: artifact.path))) == Data(bytes))
    }

    @Test func `a manifest can be read by people`() throws {
        let text = String(decoding: try RecordedRun().manifest([]).encoded(), as: UTF8.self)
        #expect(text.contains("\"duration\" : 3000000000,"))
        #expect(text.contains("\"startedAt\" : \"2026-01-02T03:04:05.000Z\""))
        #expect(text.contains("\"termination\" : {\n        \"exited\" : 0\n      }"))
    }

    @Test func `the reader of the coverage is recorded like the steps`() throws {
        let folder = try TemporaryFolder()
        var manifest = RecordedRun().manifest([])
        manifest.coverage = CoverageProvenance(
            tools: "/usr/bin", profiles: ["/p/1.profraw"], objects: "/p/objects.rsp", functions: 3,
            duration: .seconds(2))
        let directory = try RunDirectory.Writer(creating: folder.path + "/run").finish(manifest)
        #expect(try directory.manifest() == manifest)
        #expect(
            String(decoding: try manifest.encoded(), as: UTF8.self).contains(
                "    \"duration\" : 2000000000,\n    \"functions\" : 3,"))
    }

    @Test(arguments: [0, 1_767_323_045.678, -0.001, 253_402_300_799.999])
    func `a moment keeps its milliseconds`(seconds: Double) {
        let moment = Date(timeIntervalSince1970: seconds)
        #expect(Timestamp.date(of: Timestamp.text(of: moment)) == moment)
    }

    @Test func `a folder without a manifest is no run directory`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: EvidenceError.notARunDirectory(path: folder.path)) {
            try RunDirectory(path: folder.path).manifest()
        }
    }

    @Test func `a manifest of a newer version is refused`() throws {
        let bytes = Array(#"{"schemaVersion": 2, "anything": [1]}"#.utf8)
        #expect(throws: EvidenceError.newerManifest(path: "m", version: 2, supported: 1)) {
            try RunManifest.decoded(bytes, path: "m")
        }
    }

    @Test func `a damaged manifest is refused with its line`() throws {
        let bytes = Array("{\n  \"schemaVersion\" : 1,\n  \"package\" : tru\n}\n".utf8)
        let error = #expect(throws: EvidenceError.self) { try RunManifest.decoded(bytes, path: "m") }
        #expect(error?.description == "m:3: byte 10 where 'true' should be")
    }

    @Test func `a manifest cut at any byte is refused`() throws {
        let bytes = try RecordedRun().manifest([]).encoded()
        for length in 0..<bytes.count - 2 {
            #expect(throws: EvidenceError.self) { try RunManifest.decoded(Array(bytes[..<length]), path: "m") }
        }
    }

    @Test func `an unfinished directory never has its final name`() throws {
        let folder = try TemporaryFolder()
        let final = folder.path + "/run"
        let writer = try RunDirectory.Writer(creating: final)
        _ = try writer.write([1, 2, 3], as: .transcript, to: "logs/transcript.txt")
        #expect(!FileManager.default.fileExists(atPath: final))
        #expect(writer.path.contains(RunDirectory.Writer.partialMark))
        try writer.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func `files and folders are their owner's alone`() throws {
        let folder = try TemporaryFolder()
        let writer = try RunDirectory.Writer(creating: folder.path + "/deep/run")
        let place = try writer.location(of: "logs/transcript.txt")
        try Data("made by another process".utf8).write(to: URL(filePath: place))
        let artifact = try #require(try writer.adopt("logs/transcript.txt", as: .transcript))
        #expect(try writer.adopt("logs/none.txt", as: .transcript) == nil)
        let source = try writer.keepSource(Array("let a = 1\n".utf8), as: "Sources/A/a.swift")
        let directory = try writer.finish(RecordedRun().manifest([artifact]))
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: directory.path + path)[.posixPermissions] as? Int
        }
        #expect(try mode("") == 0o700)
        #expect(try mode("/logs") == 0o700)
        #expect(try mode("/logs/transcript.txt") == 0o600)
        #expect(try mode("/manifest.json") == 0o600)
        #expect(try directory.source(source.sha256) == Array("let a = 1\n".utf8))
        #expect(try directory.source("../manifest.json") == nil)
        #expect(try directory.source(String(repeating: "0", count: 64)) == nil)
    }

    @Test func `every folder on the way to a file is settled, and so are the files of shards`() throws {
        let folder = try TemporaryFolder()
        let writer = try RunDirectory.Writer(creating: folder.path + "/run")
        let files = ["a/b/\u{301}c.txt", "shards/1/pass-2/d.txt"]
        let folders = ["a", "a/b", "shards", "shards/1", "shards/1/pass-2"]
        for file in files { try FileBytes.write([1], to: try writer.location(of: file)) }
        // As another process may have made them: what is settled is its owner's alone.
        for path in files + folders { #expect(chmod("\(writer.path)/\(path)", 0o755) == 0) }
        let artifact = try #require(try writer.adopt(files[0], as: .transcript))
        let directory = try writer.finish(RecordedRun().manifest([artifact]), shardFiles: [files[1]])
        func mode(_ path: String) -> mode_t {
            var status = stat()
            return lstat("\(directory.path)/\(path)", &status) == 0 ? status.st_mode & 0o777 : 0
        }
        #expect(folders.map(mode) == [mode_t](repeating: 0o700, count: folders.count))
        #expect(files.map(mode) == [mode_t](repeating: 0o600, count: files.count))
    }

    @Test func `a directory is replaced only on request, and restored if the replacement fails`() throws {
        let folder = try TemporaryFolder()
        let old = try RecordedRun(artifacts: [(.transcript, [1])]).write(in: folder)
        let writer = try RunDirectory.Writer(creating: old.path, replacing: true)
        _ = try writer.write([2], as: .transcript, to: "t")
        #expect(throws: EvidenceError.self) { try old.take(writer.path, replacing: false) }
        #expect(throws: EvidenceError.self) { try old.take(writer.path + "-gone", replacing: true) }
        #expect(try RunDirectory(path: old.path).isWhole())
        let new = try writer.finish(RecordedRun().manifest([]))
        #expect(try RunDirectory(path: old.path).manifest() == new.manifest())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["run"])
    }

    @Test(arguments: ["0-transcript", "1-policy", "manifest.json"])
    func `a directory of which a file was changed or is gone is not whole`(file: String) throws {
        let folder = try TemporaryFolder()
        let artifacts: [(role: ArtifactRole, bytes: [UInt8])] = [(.transcript, [1, 2]), (.policy, [3])]
        let directory = try RecordedRun(artifacts: artifacts).write(in: folder)
        #expect(try directory.isWhole())
        try Data([1, 3]).write(to: URL(filePath: "\(directory.path)/\(file)"))
        #expect(try !directory.isWhole())
        try FileManager.default.removeItem(atPath: "\(directory.path)/\(file)")
        #expect(try !directory.isWhole())
    }

    @Test func `a directory that exists is never replaced`() throws {
        let folder = try TemporaryFolder()
        _ = try RecordedRun().write(in: folder)
        #expect(throws: EvidenceError.unwritable(path: folder.path + "/run", reason: "it exists already")) {
            try RunDirectory.Writer(creating: folder.path + "/run")
        }
    }

    @Test(arguments: [
        "", "/etc/passwd", "../x", "a/../../x", "a//b", "./a", "../\u{301}x", "a/../\u{301}x", "a//\u{301}x",
    ])
    func `no path leads out of the directory`(path: String) throws {
        let folder = try TemporaryFolder()
        let artifact = Artifact(role: .transcript, path: path, bytes: 0, sha256: "")
        #expect(throws: EvidenceError.self) { try RunDirectory(path: folder.path).bytes(of: artifact) }
        let writer = try RunDirectory.Writer(creating: folder.path + "/run")
        #expect(throws: EvidenceError.self) { try writer.location(of: path) }
    }

    @Test func `an artifact behind a link is not read`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: "/etc/hostname"
        )
        let artifact = Artifact(role: .transcript, path: "link", bytes: 1, sha256: "")
        #expect(throws: EvidenceError.damaged(file: folder.path + "/link", reason: "not a regular file")) {
            try RunDirectory(path: folder.path).bytes(of: artifact)
        }
    }

    @Test func `an artifact that was changed, cut or removed is a gap`() throws {
        let folder = try TemporaryFolder()
        let recorded = RecordedRun(
            artifacts: [
                (.transcript, Array("abc".utf8)), (.buildLog, Array("abc".utf8)), (.policy, Array("abc".utf8)),
            ]
        )
        let directory = try recorded.write(in: folder)
        try Data("abd".utf8).write(to: URL(filePath: directory.path + "/0-transcript"))
        try Data("ab".utf8).write(to: URL(filePath: directory.path + "/1-build-log"))
        try FileManager.default.removeItem(atPath: directory.path + "/2-policy")
        let run = try TestRun.read(from: directory)
        #expect(
            run.gaps.filter { $0.code == .artifactDamaged } == [
                Gap(.artifactDamaged, subject: "1-build-log", detail: "2 bytes, 3 were recorded"),
                Gap(.artifactDamaged, subject: "2-policy", detail: "the file is gone"),
                Gap(
                    .artifactDamaged, subject: "0-transcript",
                    detail: "SHA-256 is a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9, "
                        + "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad was recorded"
                ),
            ]
        )
    }
}
