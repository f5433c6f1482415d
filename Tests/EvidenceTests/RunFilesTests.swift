import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence

/// The files of a run, as they are delivered.
@Suite struct RunFilesTests {
    private let folder: TemporaryFolder
    private let directory: RunDirectory

    init() throws {
        folder = try TemporaryFolder()
        directory = try RecordedRun(artifacts: [(.transcript, Array("text\n".utf8)), (.buildLog, [1, 2])])
            .write(in: folder)
    }

    @Test func `what the manifest names is listed with the manifest, and nothing else`() throws {
        try Data("stray".utf8).write(to: URL(filePath: "\(directory.path)/stray"))
        let files = try directory.files()
        #expect(files.map(\.path) == ["0-transcript", "1-build-log", "manifest.json"])
        #expect(files[0] == Delivery.File(path: "0-transcript", sha256: Digest.sha256(Array("text\n".utf8)), size: 5))
    }

    @Test func `a file that is gone, a link or of another length ends the listing`() throws {
        let log = "\(directory.path)/1-build-log"
        for bytes in [[1], [1, 2, 3]] as [[UInt8]] {
            try Data(bytes).write(to: URL(filePath: log))
            #expect(throws: EvidenceError.self) { try directory.files() }
        }
        try FileManager.default.removeItem(atPath: log)
        #expect(throws: EvidenceError.self) { try directory.files() }
        try FileManager.default.createSymbolicLink(atPath: log, withDestinationPath: "\(directory.path)/0-transcript")
        #expect(throws: EvidenceError.self) { try directory.files() }
    }

    @Test func `a file is read in pieces, and nothing outside of the directory`() throws {
        let file = try directory.open("0-transcript")
        #expect(file.size == 5)
        #expect(try file.bytes(from: 0, most: 3) == Array("tex".utf8))
        #expect(try file.bytes(from: 3, most: 9) == Array("t\n".utf8))
        #expect(try file.bytes(from: 5, most: 9) == [])
        try folder.write("secret", to: "outside")
        for path in ["../outside", "/etc/passwd", "", "passes/../../outside"] {
            #expect(throws: EvidenceError.self) { try directory.open(path) }
        }
    }
}
