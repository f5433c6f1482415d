import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence
@testable import TestResults

/// Which test attached which of the kept files.
@Suite struct AttachedFilesTests {
    private static let content = Array("abc".utf8)
    private static let hash = Digest.sha256(content)

    private func stream(_ attached: [(test: String, name: String?, path: String?)]) -> [UInt8] {
        func event(_ kind: String, _ rest: String = "") -> String {
            #"{"kind":"event","payload":{"kind":"\#(kind)"\#(rest)},"version":"6.3.0"}"#
        }
        func id(_ name: String) -> String { "M.\(name)()/F.swift:1:2" }
        let names = ["a", "b"]
        var lines = names.map { #"{"kind":"test","payload":{"kind":"function","id":"\#(id($0))"},"version":"6.3.0"}"# }
        lines.append(event("runStarted"))
        lines += names.map { event("testStarted", #","testID":"\#(id($0))""#) }
        lines += attached.map { test, name, path in
            let fields = [path.map { #""path":"\#($0)""# }, name.map { #""_preferredName":"\#($0)""# }]
            let attachment = fields.compactMap(\.self).joined(separator: ",")
            return event("valueAttached", #","testID":"\#(id(test))","attachment":{\#(attachment)}"#)
        }
        lines += names.map { event("testEnded", #","testID":"\#(id($0))""#) }
        lines.append(event("runEnded"))
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    @Test func `a recorded stream says which file a test attached`() throws {
        let events = try EventStream.read(try Fixture.recorded("attach/events.jsonl"), file: "e")
        let attached = events.functions.filter { !$0.attached.isEmpty }
        #expect(attached.map(\.id.test.name) == ["attachmentGood()"])
        #expect(
            attached.first?.attached == [
                EventStream.AttachedFile(name: "log-日本.txt", path: "/home/ci/out/attach/files/log-日本.txt")
            ])
    }

    @Test func `a stream that is cut anywhere has no attachment that was not there`() throws {
        let bytes = stream([("a", "x.txt", "/w/pass-1/x.txt")])
        let whole = [EventStream.AttachedFile(name: "x.txt", path: "/w/pass-1/x.txt")]
        for count in bytes.indices {
            let cut = try EventStream.read(Array(bytes[..<count]), file: "e")
            let attached = cut.functions.flatMap(\.attached)
            #expect(attached.isEmpty || attached == whole)
        }
    }

    @Test func `each test has the files that it attached, by the names that it gave them`() throws {
        let kept = [
            KeptAttachment(file: "pass-1/x.txt", bytes: 3, sha256: Self.hash),
            KeptAttachment(file: "pass-1/x-1.txt", bytes: 3, sha256: Self.hash),
            KeptAttachment(file: "pass-1/large", bytes: 0, reason: "too large"),
        ]
        let events = stream([
            ("b", "x.txt", "/w/pass-1/x-1.txt"), ("b", "a.txt", "/w/pass-1/x.txt"), ("a", nil, "/w/pass-1/x.txt"),
            ("a", "z", "/w/pass-1/large"), ("a", "y", "/w/pass-1/../../y"), ("a", "none", nil),
        ])
        var sample = RecordedRun(
            artifacts: [
                (.xctestList, RecordedRun.xctestList()), (.eventStream, events), (.attachment, Self.content),
            ])
        sample.attached = kept
        let run = try sample.read()
        let file = "attachments/\(Self.hash)"
        #expect(
            run.tests.map(\.attachments) == [
                [TestAttachment(name: "x.txt", path: file, bytes: 3)],
                [
                    TestAttachment(name: "a.txt", path: file, bytes: 3),
                    TestAttachment(name: "x.txt", path: file, bytes: 3),
                ],
            ])
        #expect(
            run.notes.filter { $0.code == .attachmentsLeftOut }.map(\.detail) == [
                "2 of 5 were not kept, the first is 'y': it is not in the folder for attachments"
            ])
    }

    @Test func `those of a shard lie in its folder of the merged run`() throws {
        var sample = RecordedRun(
            artifacts: [
                (.xctestList, RecordedRun.xctestList()), (.eventStream, stream([("a", "x", "/w/pass-1/x")])),
                (.attachment, Self.content),
            ])
        sample.attached = [KeptAttachment(file: "pass-1/x", bytes: 3, sha256: Self.hash)]
        let folder = try TemporaryFolder()
        let shard = try ShardRun(try sample.write(in: folder), in: "shards/1", EvidenceBudget())
        #expect(shard.run.tests.flatMap(\.attachments).map(\.path) == ["shards/1/attachments/\(Self.hash)"])
    }

    @Test func `a file with another content than was recorded is a gap`() throws {
        let sample = RecordedRun(
            artifacts: [
                (.xctestList, RecordedRun.xctestList()), (.eventStream, stream([("a", "x", "/w/pass-1/x")])),
                (.attachment, Self.content),
            ])
        let folder = try TemporaryFolder()
        let directory = try sample.write(in: folder)
        try Data("changed".utf8).write(to: URL(filePath: "\(directory.path)/attachments/\(Self.hash)"))
        let run = try TestRun.read(from: RunDirectory(path: directory.path))
        #expect(run.gaps.contains { $0.code == .artifactDamaged && $0.subject == "attachments/\(Self.hash)" })
    }
}
