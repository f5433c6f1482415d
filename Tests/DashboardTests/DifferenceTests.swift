import Access
import Evidence
import Foundation
import HTTPTypes
import RunModel
import Synchronization
import TestSupport
import Testing

@testable import Dashboard

/// Files that are sent as differences from those of earlier runs, and senders that try to learn or change something with it.
@Suite struct DifferenceTests {
    private let tokens: TokenFolder
    private let earlier = SampleRuns.id(3)
    private let secretFile = Array(repeating: "what only its sender knows\n", count: 100).joined()
    private var before: [UInt8] { Array(secretFile.utf8) }
    private var now: [UInt8] { before + Array("one more line\n".utf8) }

    init() throws {
        tokens = try TokenFolder()
        let folder = "\(tokens.path)/runs/\(earlier)"
        try FileManager.default.createDirectory(atPath: "\(folder)/passes", withIntermediateDirectories: true)
        try Data(before).write(to: URL(filePath: "\(folder)/passes/log.txt"))
        try Data("{}".utf8).write(to: URL(filePath: "\(folder)/delivery.json"))
        symlink("/etc/passwd", "\(folder)/link")
        let directory = RunDirectory(path: folder)
        tokens.earlier.withLock { $0[[earlier.description, "kit", "laptop"]] = directory }
    }

    private func target(
        of file: [UInt8], earlier: String? = nil, project: String = "kit", path: String = "passes/log.txt"
    ) -> String {
        let path = path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return
            "/api/v1/blobs/\(Digest.sha256(file))?project=\(project)&earlier=\(earlier ?? self.earlier.description)&file=\(path)"
    }

    private func isHere(_ file: [UInt8]) -> Bool { tokens.blobs.size(of: Digest.sha256(file)) != nil }

    @Test func `a difference from a file of the token's own run becomes the file`() async throws {
        let secret = try tokens.token("laptop", .submit)
        let dashboard = try tokens.dashboard()
        let difference = Difference.between(before, now)
        #expect(difference.count < 40)
        #expect(try await dashboard.send(.put, target(of: now), difference, token: secret).status == 201)
        #expect(tokens.blobs.size(of: Digest.sha256(now)) == now.count)
        #expect(try await dashboard.send(.put, target(of: now), difference, token: secret).status == 200)
    }

    @Test func `a difference from a run of another token, project or id tells and changes nothing`() async throws {
        let (other, laptop) = (try tokens.token("other", .attest), try tokens.token("laptop", .submit))
        let bound = try tokens.token("bound", .submit, projects: ["team/*"])
        let dashboard = try tokens.dashboard()
        let difference = Difference.between(before, now)
        let unknown = SampleRuns.id(4).description
        let own = try await dashboard.send(.put, target(of: now), difference, token: other)
        let none = try await dashboard.send(.put, target(of: now, earlier: unknown), difference, token: other)
        // What is not the sender's is answered like what is not there.
        #expect(own.status == 404 && none.status == 404 && own.text == none.text)
        #expect(try await dashboard.send(.put, target(of: now), difference, token: bound).status == 403)
        #expect(
            try await dashboard.send(.put, target(of: now, project: "other"), difference, token: laptop).status == 404)
        let reader = try tokens.token("reader", .read)
        #expect(try await dashboard.send(.put, target(of: now), difference, token: reader).status == 403)
        #expect(try await dashboard.send(.put, target(of: now), difference).status == 401)
        #expect(!isHere(now))
    }

    @Test(arguments: [
        "../../../tokens.json", "/etc/passwd", "link", "passes", "passes/none.txt", "", "passes/../passes/log.txt",
        "delivery.json",
    ])
    func `a path that is no file of the run is none to make a difference from`(_ path: String) async throws {
        let secret = try tokens.token("laptop", .submit)
        let reply = try await tokens.dashboard().send(
            .put, target(of: now, path: path), Difference.between(before, now), token: secret)
        #expect(reply.status == 404 && !reply.text.contains(tokens.path))
        #expect(!isHere(now))
    }

    @Test func `a difference that makes other bytes than the name says, or is none, leaves nothing`() async throws {
        let secret = try tokens.token("laptop", .submit)
        let dashboard = try tokens.dashboard()
        let difference = Difference.between(before, now)
        for wrong in [Difference.between(before, before), Array(difference.dropLast()), [], now] {
            #expect(try await dashboard.send(.put, target(of: now), wrong, token: secret).status == 422)
        }
        #expect(try await dashboard.send(.put, target(of: now), difference, token: secret, length: 4).status == 422)
        let large = [UInt8](repeating: 0, count: Difference.largest + 1)
        #expect(try await dashboard.send(.put, target(of: now), large, token: secret).status == 413)
        // More than 16 MiB, from a few bytes.
        let huge: [UInt8] = [0x8C, 0x15, 0x81, 0x80, 0x80, 0x08]
        #expect(try await dashboard.send(.put, target(of: now), huge, token: secret).status == 413)
        #expect(!isHere(now))
        #expect((try? FileManager.default.subpathsOfDirectory(atPath: tokens.blobs.path)) ?? [] == [])
    }

    @Test func `an address that names half of an earlier file is refused`() async throws {
        let secret = try tokens.token("laptop", .submit)
        let dashboard = try tokens.dashboard()
        let blob = "/api/v1/blobs/\(Digest.sha256(now))"
        for query in [
            "", "earlier=\(earlier)", "project=kit&file=a", "project=kit&earlier=x&file=a", "project=kit&file=a&file=b",
            "project=%FF&earlier=\(earlier)&file=a",
        ] {
            #expect(try await dashboard.send(.put, "\(blob)?\(query)", now, token: secret).status == 400)
        }
        #expect(!isHere(now))
    }

    @Test func `more than 32 earlier runs are refused`() async throws {
        let secret = try tokens.token("laptop", .submit)
        let dashboard = try tokens.dashboard()
        var delivery = Delivery(
            project: "kit",
            files: [
                .init(path: "manifest.json", sha256: Digest.sha256(now), size: now.count)
            ])
        for (count, status) in [(32, 202), (33, 422)] {
            delivery.earlier = (0..<count).map { SampleRuns.id($0) }
            let list = Array(try JSONEncoder().encode(delivery))
            #expect(
                try await dashboard.send(.put, "/api/v1/runs/\(SampleRuns.id(9))", list, token: secret).status == status
            )
        }
    }
}
