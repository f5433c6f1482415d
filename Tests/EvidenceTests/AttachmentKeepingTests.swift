import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence

/// Which files are kept of a folder that tests wrote.
@Suite struct AttachmentKeepingTests {
    private let place: TemporaryFolder
    private let writer: RunDirectory.Writer
    private var folder: String { "\(place.path)/attached" }
    private var pass: String { "\(folder)/pass-1" }

    init() throws {
        place = try TemporaryFolder()
        writer = try RunDirectory.Writer(creating: "\(place.path)/run")
        try FileManager.default.createDirectory(
            atPath: "\(place.path)/attached/pass-1", withIntermediateDirectories: true)
    }

    private func attach(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(pass)/\(name)"))
    }

    private func keep(
        _ limits: RunDirectory.AttachmentLimits = RunDirectory.AttachmentLimits()
    ) throws -> RunDirectory.KeptAttachments {
        try writer.keepAttachments(in: folder, passes: ["pass-1", "pass-2"], limits: limits)
    }

    @Test func `each content is kept once, under its hash`() throws {
        try attach("same", "a.txt")
        try attach("same", "b.txt")
        try attach("other", "c.txt")
        let kept = try keep()
        #expect(kept.entries.map(\.file) == ["pass-1/a.txt", "pass-1/b.txt", "pass-1/c.txt"])
        #expect(kept.entries[0].sha256 == kept.entries[1].sha256)
        #expect(kept.artifacts.map(\.path) == [0, 2].map { "attachments/\(kept.entries[$0].sha256 ?? "")" })
        #expect(kept.artifacts.map(\.bytes) == [4, 5])
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(writer.path)/attachments")
        #expect(Set(files) == Set(kept.artifacts.map(\.sha256)))
    }

    @Test func `links, pipes and folders are named and not kept`() throws {
        try attach("secret", "secret.txt")
        try FileManager.default.moveItem(atPath: "\(pass)/secret.txt", toPath: "\(place.path)/secret.txt")
        #expect(symlink("\(place.path)/secret.txt", "\(pass)/link") == 0)
        #expect(mkfifo("\(pass)/pipe", 0o600) == 0)
        #expect(mkdir("\(pass)/folder", 0o700) == 0)
        let kept = try keep()
        #expect(kept.artifacts == [])
        #expect(
            kept.entries
                == ["folder", "link", "pipe"].map {
                    KeptAttachment(file: "pass-1/\($0)", bytes: 0, reason: "not a regular file")
                })
    }

    @Test func `a folder that became a link is not entered`() throws {
        try attach("secret", "a.txt")
        try FileManager.default.moveItem(atPath: pass, toPath: "\(place.path)/elsewhere")
        #expect(symlink("\(place.path)/elsewhere", pass) == 0)
        #expect(try keep() == RunDirectory.KeptAttachments())
    }

    @Test func `200 MB are not read`() throws {
        try attach("", "large.bin")
        #expect(truncate("\(pass)/large.bin", 200_000_000) == 0)
        let kept = try keep()
        #expect(kept.artifacts == [])
        #expect(kept.entries.map(\.reason) == ["200000000 bytes, the limit is 16777216"])
    }

    @Test func `number and size of all have limits`() throws {
        for name in ["a", "b", "c", "d"] { try attach(name + "12345", name) }
        let few = try keep(RunDirectory.AttachmentLimits(file: 10, all: 100, count: 2))
        #expect(few.entries.map { $0.sha256 != nil } == [true, true, false, false])
        #expect(few.entries.last?.reason == "the limit is 2 attachments for a run")
        let small = try keep(RunDirectory.AttachmentLimits(file: 10, all: 15, count: 10))
        #expect(small.entries.map { $0.sha256 != nil } == [true, true, false, false])
        #expect(
            small.entries.last?.reason
                == "6 bytes, the limit is 3 for what is left of 15 bytes for a run")
    }
}
