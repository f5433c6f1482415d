import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence
@testable import TestResults

/// Reports are copied and hashed, and the copies are read.
@Suite struct ReportIntakeTests {
    private let folder: TemporaryFolder
    private var runs: String { "\(folder.path)/state/runs" }

    init() throws { folder = try TemporaryFolder() }

    private func ingest(_ reports: [ForeignReport]) throws -> TestRun {
        try TestRun.ingesting(
            reports, id: SampleRuns.id(1), project: "p", package: "P", at: SampleRuns.moment,
            packageRoot: "/home/ci/Sample")
    }

    private func write(_ text: String, _ name: String) throws -> String {
        let path = "\(folder.path)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    /// Longer than a block of the writer and than a piece of the reader.
    private static let many = (0..<20_000).map { number in
        "<testcase classname='M.S\(number / 100)' name='日\(number)' time='0.\(number)'/>\n"
    }.joined()

    @Test func `what is read is what was copied`() throws {
        let root = Bundle.module.bundleURL.appending(path: "Fixtures")
        let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        var files = paths.filter { [".xml", ".lcov", "events.jsonl", "underflow.json"].contains(where: $0.hasSuffix) }
            .sorted().map { "\(root.path)/\($0)" }
        #expect(files.count > 80)
        files += [
            try write("<testsuite>\(Self.many)</testsuite>", "large.xml"),
            try write("<testsuite>\(Self.many)<?late?></testsuite>", "late.xml"),
            try write("<testsuite>\(Self.many)\(Self.many)</testsuite>", "twice.xml"),
            try write("<testsuite>\(Self.many)<testcase", "cut.xml"), try write("", "empty.xml"),
        ]
        for file in files {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
            let whole = ForeignReport(path: file, bytes: bytes)
            func outcome(_ reports: () throws -> [ForeignReport]) -> String {
                do { return try "\(ingest(reports()))" } catch { return "\(error)" }
            }
            let expected = outcome { [whole] }
            guard let intake = try? ReportIntake(copying: [file], into: runs) else {
                #expect(outcome { try ReportIntake(copying: [file], into: runs).reports } == expected, "\(file)")
                continue
            }
            defer { intake.discard() }
            #expect(try intake.reports.map { try $0.lent { Array($0.bytes) } } == [bytes], "\(file)")
            #expect(intake.seed(told: []) == Digest.sha256(Array(Digest.sha256(bytes).utf8)), "\(file)")
            #expect(outcome { intake.reports } == expected, "\(file)")
        }
    }

    @Test func `what is kept is what was copied, under the path it is given`() throws {
        let file = try write("<testsuite>\(Self.many)</testsuite>", "r.xml")
        let intake = try ReportIntake(copying: [file, file], into: runs)
        let run = try ingest(intake.reports)
        try Data("<testsuite/>".utf8).write(to: URL(filePath: file))
        let kept = try intake.keep(
            of: run, seed: "s", packageRoot: "", kanmonVersion: "", arguments: [], givenFiles: [], at: "\(runs)/p/1")
        intake.discard()
        #expect(try TestRun.read(from: kept).tests.map(\.attempts.count) == [Int](repeating: 2, count: 20_000))
        #expect(try kept.manifest().artifacts.map(\.path) == ["reports/1-r.xml", "reports/2-r.xml"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: runs) == ["p"])
    }

    @Test func `a report is kept by the last part of its path, also where that begins with a combining mark`() throws {
        let path = "\(folder.path)/\u{301}r.xml"
        try FileBytes.write(Array("<testsuite><testcase name='a'/></testsuite>".utf8), to: path)
        let intake = try ReportIntake(copying: [path], into: runs)
        let kept = try intake.keep(
            of: ingest(intake.reports), seed: "s", packageRoot: "", kanmonVersion: "", arguments: [], givenFiles: [],
            at: "\(runs)/p/1")
        let names = try kept.manifest().artifacts.map { Array($0.path.utf8) }
        #expect(names == [Array("reports/1-\u{301}r.xml".utf8)])
    }

    @Test func `reports that are not kept leave nothing behind`() throws {
        let file = try write("<testsuite><testcase name='a'/></testsuite>", "r.xml")
        let intake = try ReportIntake(copying: [file], into: runs)
        let run = try ingest(intake.reports)
        #expect(throws: EvidenceError.self) {
            try intake.keep(
                of: run, seed: "s", packageRoot: "", kanmonVersion: "", arguments: [],
                givenFiles: [(.policy, "../policy.json", [])], at: "\(runs)/1")
        }
        intake.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["r.xml"])
    }

    @Test func `what could not be read again is refused, and leaves nothing behind`() throws {
        let file = try write("<testsuite><testcase name='a'/></testsuite>", "r.xml")
        let intake = try ReportIntake(copying: [file], into: runs)
        var run = try ingest(intake.reports)
        run.revision = Revision(commit: nil, tree: nil, branch: String(repeating: "b", count: 1025), isDirty: false)
        let refusal = EvidenceError.tooLarge(
            file: "what was told of the reports", reason: "revision.branch: 1025 bytes, the limit is 1024")
        #expect(throws: refusal) {
            try intake.keep(
                of: run, seed: "s", packageRoot: "", kanmonVersion: "", arguments: [], givenFiles: [], at: "\(runs)/1")
        }
        intake.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["r.xml"])
    }

    @Test func `what is no regular file is refused and leaves nothing behind`() throws {
        let file = try write("<testsuite/>", "r.xml")
        let (link, pipe) = ("\(folder.path)/link.xml", "\(folder.path)/pipe.xml")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [link, pipe, folder.path] {
            #expect(throws: EvidenceError.damaged(file: path, reason: "not a regular file")) {
                try ReportIntake(copying: [file, path], into: runs)
            }
        }
        let nowhere = "\(folder.path)/nowhere.xml"
        let missing = EvidenceError.unreadable(path: nowhere, reason: "there is no such file")
        #expect(!missing.isBadInput)
        #expect(throws: missing) { try ReportIntake(copying: [file, nowhere], into: runs) }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/state"))
    }

    @Test func `a file that grows while it is read is limited`() throws {
        let file = try write(String(repeating: "a", count: 1_000), "growing")
        let writer = try #require(FileHandle(forWritingAtPath: file))
        try writer.seekToEnd()
        #expect(throws: EvidenceError.tooLarge(file: file, reason: "2000 bytes, the limit is 1500")) {
            try FileBytes.pieces(of: file, limit: 1_500) { writer.write(Data(repeating: 0x61, count: $0.count)) }
        }
    }
}
