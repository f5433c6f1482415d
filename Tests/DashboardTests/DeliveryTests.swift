import Access
import Evidence
import Foundation
import HTTPTypes
import RunModel
import Synchronization
import TestSupport
import Testing

@testable import Dashboard

/// Programs that deliver runs, and those that should not.
@Suite struct DeliveryTests {
    private let tokens: TokenFolder
    private let run = "/api/v1/runs/\(SampleRuns.id(9))"
    private let manifest = Array("{}".utf8)

    init() throws { tokens = try TokenFolder() }

    private var blob: String { "/api/v1/blobs/\(Digest.sha256(manifest))" }

    @Test func `a run is offered, its files are sent, and it is stored`() async throws {
        let secret = try tokens.token("laptop-3", .submit)
        let dashboard = try tokens.dashboard()
        let list = try TokenFolder.list()
        let first = try await dashboard.send(.put, run, list, token: secret)
        #expect(first.status == 202)
        #expect(first.text == "{\"missing\":[\"\(Digest.sha256(manifest))\"],\"state\":\"incomplete\"}\n")
        #expect(try await dashboard.send(.put, blob, manifest, token: secret).status == 201)
        #expect(try await dashboard.send(.put, blob, manifest, token: secret).status == 200)
        let second = try await dashboard.send(.put, run, list, token: secret)
        #expect(second.status == 201)
        #expect(second.text.contains("\"page\":\"/runs/\(SampleRuns.id(9))\""))
        let taken = tokens.taken.withLock { $0 }
        #expect(taken.map(\.0) == [SampleRuns.id(9)])
        #expect(taken.first?.1.record.token == "laptop-3")
        #expect(taken.first?.1.record.isAttested == false)
        #expect(taken.first?.1.record.address == "192.0.2.1")
    }

    @Test func `a list with a path too deep or too long is refused, and told why`() async throws {
        let secret = try tokens.token("laptop-3", .submit)
        let dashboard = try tokens.dashboard()
        let (part, hash) = (String(repeating: "n", count: 200), Digest.sha256(manifest))
        for (path, reason) in [
            (Array(repeating: "p", count: 9).joined(separator: "/"), "the path has more than 8 parts"),
            ("\(part)/\(part)/\(part)", "the path has more than 512 bytes"),
        ] {
            let files = ["manifest.json", path].map { Delivery.File(path: $0, sha256: hash, size: manifest.count) }
            let reply = try await dashboard.send(.put, run, TokenFolder.list("kit", files), token: secret)
            #expect(reply.status == 422)
            #expect(reply.text.hasPrefix("{\"code\":\"impossible\",\"error\":\"") && reply.text.contains(reason))
        }
    }

    @Test func `whoever asks is told what the token may do`() async throws {
        let secret = try tokens.token(
            "ci", .attest, projects: ["kit", "team/*"], expires: Date(timeIntervalSince1970: 1_800_000_000))
        let dashboard = try tokens.dashboard()
        let reply = try await dashboard.send(.get, "/api/v1/whoami", token: secret)
        #expect(reply.status == 200)
        #expect(
            reply.text
                == "{\"expires\":\"2027-01-15T08:00:00Z\",\"projects\":[\"kit\",\"team/*\"],\"scope\":\"attest\",\"token\":\"ci\"}\n"
        )
        let endless = try tokens.token("endless", .read)
        #expect(try await dashboard.send(.get, "/api/v1/whoami", token: endless).text.contains("\"expires\":null"))
    }

    @Test func `no token, an expired one and a revoked one deliver nothing`() async throws {
        let expired = try tokens.token("old", .submit, expires: SampleRuns.moment)
        let revoked = try tokens.token("gone", .submit)
        try tokens.file.revoke("gone", at: SampleRuns.moment)
        let dashboard = try tokens.dashboard()
        for secret in [nil, expired, revoked, "kanmon_x", ""] {
            for (target, body) in [(run, try TokenFolder.list()), (blob, manifest)] {
                let reply = try await dashboard.send(.put, target, body, token: secret, from: "\(secret ?? "none")")
                #expect(reply.status == 401)
                #expect(reply["WWW-Authenticate"] == "Bearer")
                #expect(reply.text.hasPrefix("{\"code\":\"invalid-token\",\"error\":\""))
            }
        }
        #expect(tokens.blobs.size() == (0, 0))
        #expect(try await SampleDashboard().send(.put, run, [], token: expired).status == 401)
    }

    @Test func `a token for reading delivers nothing, and one for delivering reads nothing`() async throws {
        let (reads, submits) = (try tokens.token("reader", .read), try tokens.token("sender", .submit))
        let dashboard = try tokens.dashboard()
        #expect(try await dashboard.send(.put, run, TokenFolder.list(), token: reads).status == 403)
        #expect(try await dashboard.send(.put, blob, manifest, token: reads).status == 403)
        for target in ["/", "/runs.json", "/runs/\(SampleRuns.id(1))", "/metrics"] {
            #expect(try await dashboard.send(.get, target, token: submits).status == 403)
            #expect(try await dashboard.send(.get, target, token: reads).status != 403)
        }
    }

    @Test func `a token delivers no run of another project`() async throws {
        let secret = try tokens.token("sender", .submit, projects: ["team/*"])
        let dashboard = try tokens.dashboard()
        #expect(try await dashboard.send(.put, run, TokenFolder.list("other"), token: secret).status == 403)
        #expect(try await dashboard.send(.put, run, TokenFolder.list("team/kit"), token: secret).status == 202)
    }

    @Test func `a token in the address is none, and is in no line of the log`() async throws {
        let secret = try tokens.token("sender", .admin)
        let lines = Mutex<[String]>([])
        let dashboard = try tokens.dashboard(access: { entry in lines.withLock { $0.append("\(entry)") } })
        for target in ["/api/v1/whoami?token=\(secret)", "/?token=\(secret)", "/api/v1/\(secret)", "/\(secret)"] {
            #expect([401, 404].contains(try await dashboard.send(.get, target).status))
        }
        _ = try await dashboard.send(.get, "/", token: secret + "x")
        let all = lines.withLock { $0 }.joined() + dashboard.log.lines.joined()
        #expect(lines.withLock { $0.count } == 5)
        #expect(!all.contains(secret.dropFirst(7).prefix(20)))
    }

    @Test func `a cookie delivers nothing`() async throws {
        let secret = try tokens.token("admin", .admin)
        let control = AccessControl(tokens: TokenRegistry(tokens.file), reading: .untilTokens)
        let token = try #require(try control.token(of: secret, at: SampleRuns.moment))
        let dashboard = try SampleDashboard(control: control)
        let id = control.sessions.open(token, at: SampleRuns.moment)
        let cookie: HTTPFields = [.cookie: "kanmon_session=\(id)"]
        #expect(try await dashboard.send(.get, "/", fields: cookie).status == 200)
        #expect(try await dashboard.send(.put, run, TokenFolder.list(), fields: cookie).status == 401)
    }

    @Test func `a body without a length, or with too much of it, is not read`() async throws {
        let secret = try tokens.token("sender", .submit)
        let dashboard = try tokens.dashboard()
        let chunked: HTTPFields = [.transferEncoding: "chunked"]
        #expect(try await dashboard.send(.put, run, TokenFolder.list(), fields: chunked, token: secret).status == 411)
        #expect(try await dashboard.send(.put, blob, manifest, fields: chunked, token: secret).status == 411)
        #expect(try await dashboard.send(.put, run, [], token: secret, length: (8 << 20) + 1).status == 413)
        #expect(try await dashboard.send(.put, blob, [], token: secret, length: (64 << 20) + 1).status == 413)
        for body in ["", "[]", "{", "{\"project\":\"kit\"}", "{\"project\":\"kit\",\"schemaVersion\":2,\"files\":[]}"] {
            #expect(try await dashboard.send(.put, run, Array(body.utf8), token: secret).status == 400)
        }
        #expect(try await dashboard.send(.put, "/api/v1/runs/x", TokenFolder.list(), token: secret).status == 400)
        #expect(try await dashboard.send(.put, "/api/v1/blobs/x", manifest, token: secret).status == 400)
        #expect(try await dashboard.send(.get, run, token: secret).status == 405)
        #expect(try await dashboard.send(.get, "/api/v1/x", token: secret).status == 404)
    }

    @Test func `a file with other bytes than its name says, fewer or more, is never visible`() async throws {
        let secret = try tokens.token("sender", .submit)
        let dashboard = try tokens.dashboard()
        #expect(try await dashboard.send(.put, blob, Array("{]".utf8), token: secret).status == 422)
        #expect(try await dashboard.send(.put, blob, Array("{".utf8), token: secret, length: 2).status == 422)
        #expect(try await dashboard.send(.put, blob, Array("{}}".utf8), token: secret).status == 422)
        #expect(tokens.blobs.size() == (0, 0))
        let rest = try FileManager.default.subpathsOfDirectory(atPath: tokens.sent(secret).path)
        #expect(rest == ["incoming"])
        #expect(try await dashboard.send(.put, blob, manifest, token: secret).status == 201)
    }

    @Test func `a file that would inflate is taken as it is, and is none of the promised one`() async throws {
        let secret = try tokens.token("sender", .submit)
        let dashboard = try tokens.dashboard()
        // `{}`, deflated by gzip.
        let packed: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 171, 174, 5, 0, 67, 191, 166, 163, 2, 0, 0, 0]
        let asked: HTTPFields = [.contentEncoding: "gzip"]
        #expect(try await dashboard.send(.put, blob, packed, fields: asked, token: secret).status == 422)
        let own = "/api/v1/blobs/\(Digest.sha256(packed))"
        #expect(try await dashboard.send(.put, own, packed, fields: asked, token: secret).status == 201)
        #expect(try tokens.sent(secret).size(of: Digest.sha256(packed)) == packed.count)
        #expect(tokens.blobs.size() == (1, packed.count))
    }

    @Test(arguments: [
        ("../x", 2), ("/etc/passwd", 2), ("a//b", 2), ("a/./b", 2), ("", 2), ("a\0b", 2), ("manifest.json", 2),
        ("a", -1), ("manifest.json/x", 2), ("delivery.json", 2), ("delivery.json/x", 2),
        (String(repeating: "a", count: 256), 2), (String(repeating: "ä", count: 128), 2),
        (String(repeating: "a/", count: 16) + "a", 2), (String(repeating: "abcdefg/", count: 128) + "a", 2),
    ])
    func `a list that climbs or lies is refused before anything of it is looked for`(
        path: String, size: Int
    ) async throws {
        let secret = try tokens.token("sender", .submit)
        let files = [
            Delivery.File(path: "manifest.json", sha256: Digest.sha256(manifest), size: 2),
            .init(path: path, sha256: Digest.sha256([1]), size: size),
        ]
        let reply = try await tokens.dashboard().send(.put, run, TokenFolder.list("kit", files), token: secret)
        #expect(reply.status == 422)
    }

    @Test func `a run above its limit is refused with 413`() async throws {
        let secret = try tokens.token("sender", .submit)
        let dashboard = try tokens.dashboard()
        let manifest = Delivery.File(path: "manifest.json", sha256: Digest.sha256(manifest), size: 2)
        let large = Delivery.File(path: "a", sha256: Digest.sha256([1]), size: (64 << 20) + 1)
        #expect(
            try await dashboard.send(.put, run, TokenFolder.list("kit", [manifest, large]), token: secret).status == 413
        )
        let many = (0..<9).map { Delivery.File(path: "f\($0)", sha256: Digest.sha256([$0]), size: 60 << 20) }
        #expect(
            try await dashboard.send(.put, run, TokenFolder.list("kit", [manifest] + many), token: secret).status == 413
        )
        let wrong = Delivery.File(path: "a", sha256: "ABC", size: 1)
        #expect(
            try await dashboard.send(.put, run, TokenFolder.list("kit", [manifest, wrong]), token: secret).status == 422
        )
    }

    @Test func `ten thousand missing files are named, each once`() async throws {
        let secret = try tokens.token("sender", .submit)
        let files =
            [Delivery.File(path: "manifest.json", sha256: Digest.sha256(manifest), size: 2)]
            + (0..<10_000).map { number in
                .init(path: "sources/\(number)", sha256: Digest.sha256(Array("\(number)".utf8)), size: 1)
            } + [.init(path: "again", sha256: Digest.sha256(Array("7".utf8)), size: 1)]
        let reply = try await tokens.dashboard().send(.put, run, TokenFolder.list("kit", files), token: secret)
        #expect(reply.status == 202)
        let receipt = try JSONDecoder().decode(DeliveryReceipt.self, from: Data(reply.text.utf8))
        #expect(receipt.missing.count == 10_001 && Set(receipt.missing).count == 10_001)
    }

    @Test func `a token delivers sixty runs a minute, and each as often as it takes`() async throws {
        let (secret, other) = (try tokens.token("sender", .submit), try tokens.token("other", .submit))
        let dashboard = try tokens.dashboard()
        let list = try TokenFolder.list()
        for number in 1...60 {
            let target = "/api/v1/runs/\(SampleRuns.id(number))"
            #expect(try await dashboard.send(.put, target, list, token: secret).status == 202)
        }
        let refused = try await dashboard.send(.put, "/api/v1/runs/\(SampleRuns.id(61))", list, token: secret)
        #expect(refused.status == 429)
        #expect(refused["Retry-After"] == "60")
        #expect(try await dashboard.send(.put, "/api/v1/runs/\(SampleRuns.id(1))", list, token: secret).status == 202)
        #expect(try await dashboard.send(.put, "/api/v1/runs/\(SampleRuns.id(61))", list, token: other).status == 202)
    }

    @Test func `an offer counts, too, however often it is of the same run`() {
        let limit = DeliveryLimit(most: 2, seconds: 60)
        let moment = SampleRuns.moment
        func offer(_ run: String, after seconds: Double = 0, of token: String = "t") -> Int? {
            limit.admit(run, of: token, at: moment.addingTimeInterval(seconds))
        }
        for _ in 0..<2 * DeliveryLimit.offersOfRun { #expect(offer("a") == nil) }
        #expect(offer("a", after: 10) == 50)
        #expect(offer("a", of: "other") == nil)
        #expect(offer("a", after: 60) == nil)
        #expect(offer("b", after: 60) == nil)
        #expect(offer("c", after: 61) == 59)
    }

    @Test func `a full disk takes nothing, and says when to come again`() async throws {
        let secret = try tokens.token("sender", .submit)
        let dashboard = try tokens.dashboard(leastFree: 2)
        for (target, body) in [(run, try TokenFolder.list()), (blob, manifest)] {
            let reply = try await dashboard.send(.put, target, body, token: secret)
            #expect(reply.status == 507)
            #expect(reply["Retry-After"] == "60")
        }
    }

    @Test func `a file that another token sent is asked for, refused and taken as if nobody had it`() async throws {
        let (ci, laptop) = (try tokens.token("ci", .attest), try tokens.token("laptop", .submit))
        let alone = try tokens.token("alone", .submit)
        let dashboard = try tokens.dashboard()
        /// What a token is told of a file, step by step.
        func story(_ token: String, of bytes: [UInt8]) async throws -> [String] {
            let name = Digest.sha256(bytes)
            let target = "/api/v1/blobs/\(name)"
            let list = try TokenFolder.list(holding: bytes)
            let wrong = try TokenFolder.list(
                "kit", [.init(path: "manifest.json", sha256: name, size: bytes.count + 1)])
            // A difference from a file of a run was once a way to the bytes of others.
            let difference = "\(target)?project=kit&earlier=\(SampleRuns.id(9))&file=manifest.json"
            var told: [String] = []
            for (target, body, length) in [
                (run, wrong, nil), (run, list, nil), (target, Array("other".utf8), nil), (target, [], nil),
                (target, bytes, bytes.count + 1), (difference, [2, 2, 0x90, 2], nil), (run, list, nil),
                (target, bytes, nil),
                (target, bytes, nil), (run, wrong, nil), (run, list, nil),
            ] as [(String, [UInt8], Int?)] {
                let reply = try await dashboard.send(.put, target, body, token: token, length: length)
                let lines = reply.headers.map { "\($0.name): \($0.value)" }.sorted()
                told.append("\(reply.status) \(lines) \(reply.text)".replacing(name, with: "NAME"))
            }
            return told
        }
        #expect(try await dashboard.send(.put, blob, manifest, token: ci).status == 201)
        let known = try await story(laptop, of: manifest)
        #expect(try await known == story(alone, of: Array("[]".utf8)))
        #expect(
            known.map { $0.prefix(3) } == [
                "202", "202", "422", "422", "422", "422", "202", "201", "200", "422", "201",
            ])
        // Who sent it before is asked for it no more, and what was sent is there for each of them.
        #expect(try await dashboard.send(.put, blob, manifest, token: ci).status == 200)
        #expect(tokens.blobs.size() == (3, 6))
    }

    @Test func `the metrics count deliveries, refusals and files`() async throws {
        let (secret, reader) = (try tokens.token("sender", .submit), try tokens.token("reader", .read))
        let some = try tokens.token("some", .read, projects: ["kit"])
        let dashboard = try tokens.dashboard()
        _ = try await dashboard.send(.put, blob, manifest, token: secret)
        _ = try await dashboard.send(.put, run, TokenFolder.list(), token: secret)
        _ = try await dashboard.send(.put, run, TokenFolder.list(), token: reader)
        let text = try await dashboard.send(.get, "/metrics", token: reader).text
        for line in [
            "kanmon_delivery_answers_total{status=\"201\"} 2", "kanmon_delivery_answers_total{status=\"403\"} 1",
            "kanmon_blobs_received_total 1", "kanmon_blob_bytes_received_total 2",
            "kanmon_deliveries_accepted_total 1", "kanmon_deliveries_refused_total{reason=\"not-allowed\"} 1",
            "kanmon_blobs 1", "kanmon_blob_bytes 2",
        ] {
            #expect(text.contains(line + "\n"))
        }
        #expect(text.contains("\nkanmon_disk_free_bytes ") && text.contains("\nkanmon_disk_bytes "))
        #expect(text.contains("\nkanmon_disk_free_share "))
        #expect(try await !dashboard.send(.get, "/metrics", token: some).text.contains("kanmon_blobs"))
        #expect(!text.contains("kanmon_objects_"))
    }

    @Test func `a server is ready while its objects answer, or without any`() async throws {
        func ready(_ followed: FollowedObjects?) async throws -> (status: Int, text: String) {
            let reply = try await tokens.dashboard(followed: followed).send(.get, "/healthz/ready")
            return (reply.status, reply.text)
        }
        for followed in [nil, FollowedObjects(), FollowedObjects(waiting: 3)] {
            let reply = try await ready(followed)
            #expect(reply.status == 200 && reply.text == "ok\n")
        }
        let away = try await ready(FollowedObjects(isAway: true))
        #expect(away.status == 503 && away.text.hasPrefix("no delivery is taken"))
        // Its pages are those of before.
        let dashboard = try tokens.dashboard(followed: FollowedObjects(isAway: true))
        #expect(try await dashboard.send(.get, "/healthz").status == 200)
    }

    @Test func `the metrics say whether a server over the objects sees what others take`() async throws {
        let reader = try tokens.token("reader", .read)
        func objects(_ followed: FollowedObjects) async throws -> [String] {
            let text = try await tokens.dashboard(followed: followed).send(.get, "/metrics", token: reader).text
            return text.split(separator: "\n").filter { $0.hasPrefix("kanmon_objects_") }.map(String.init)
        }
        #expect(try await objects(FollowedObjects()) == ["kanmon_objects_waiting 0"])
        let read = FollowedObjects(waiting: 2, readAt: Date(timeIntervalSince1970: 1_780_000_000))
        #expect(
            try await objects(read) == [
                "kanmon_objects_waiting 2", "kanmon_objects_read_timestamp_seconds 1780000000",
            ])
    }
}
