import Evidence
import Foundation
import RunModel
import TestResults
import TestSupport
import Testing

/// A package that attaches files, with both engines.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct AttachmentTests {
    @Test(arguments: [Engine.direct, .swiftTest])
    func `attached files are kept by their content, and what is none of them is not`(engine: Engine) async throws {
        let sample = try await SampleRun("Attaching", engine: engine)
        let directory = RunDirectory(path: sample.directory)
        let run = try TestRun.read(from: directory)
        #expect(run.failures.map(\.firstFailure?.message) == [])
        #expect(run.gaps == [])
        let attached = Dictionary(uniqueKeysWithValues: run.tests.map { ($0.id.name, $0.attachments) })
        #expect(attached["attachesNothing()"] == [])
        #expect(attached["attachesTooMuch()"] == [])
        #expect(attached["leavesOtherThings()"] == [])
        let twice = try #require(attached["attachesTheSameNameTwice(number:)"])
        #expect(twice.map(\.name) == ["note.txt", "note.txt"])
        #expect(try Set(twice.map { try text($0, directory) }) == ["note 1", "note 2"])
        #expect(attached["attachesAPage()"]?.map(\.name) == ["page.html", "picture.svg"])
        let note = try #require(run.notes.first { $0.code == .attachmentsLeftOut })
        #expect(note.detail.hasPrefix("2 of 8 were not kept, the first is '../outside.txt'"))
        let kept = sample.manifest.artifacts.filter { $0.role == .attachment }
        #expect(kept.allSatisfy { $0.path == "attachments/\($0.sha256)" })
        #expect(kept.count == 6)
    }

    private func text(_ attachment: TestAttachment, _ directory: RunDirectory) throws -> String {
        let artifact = Artifact(
            role: .attachment, path: attachment.path, bytes: attachment.bytes, sha256: attachment.sha256)
        return String(decoding: try directory.bytes(of: artifact), as: UTF8.self)
    }
}
