import Evidence
import Foundation
import RunModel
import Subprocess
import Testing

/// Runs that are delivered to a server of its own process, by a sender that may lie.
@Suite struct DeliveryTests {
    private let program: Program

    init() throws { program = Program(folder: try TestFolder()) }

    private var home: String { program.folder.home }
    private var probe: ServerProbe { ServerProbe(path: "\(program.folder.path)/s") }

    /// A run directory as it is offered.
    private struct Offer {
        var id: RunID
        var delivery: Delivery
        var bytes: [String: [UInt8]]

        /// The recorded run of a sample package.
        init(_ name: String) throws {
            let folder = "\(TestFolder.runs)/\(name)"
            let manifest = try RunDirectory(path: folder).manifest()
            id = manifest.runID
            delivery = Delivery(project: manifest.project, files: [])
            bytes = [:]
            let paths =
                ["manifest.json"] + manifest.artifacts.map(\.path)
                + Set(manifest.sources.map { "sources/\($0.sha256)" })
            for path in paths { try add(path, Array(Data(contentsOf: URL(filePath: "\(folder)/\(path)")))) }
        }

        /// Adds a file, or replaces it.
        mutating func add(_ path: String, _ content: [UInt8]) throws {
            let sha256 = Digest.sha256(content)
            bytes[sha256] = content
            delivery.files.removeAll { $0.path == path }
            delivery.files.append(.init(path: path, sha256: sha256, size: content.count))
        }

        /// Changes the manifest.
        mutating func lie(_ old: String, _ new: String) throws {
            let sha256 = try #require(delivery.manifestFile?.sha256)
            let text = String(decoding: try #require(bytes[sha256]), as: UTF8.self)
            try #require(text.contains(old))
            try add("manifest.json", Array(text.replacing(old, with: new).utf8))
        }

        var list: [UInt8] {
            get throws { Array(try JSONEncoder().encode(delivery)) }
        }
    }

    private func token(_ name: String, _ scope: String, project: String = "*") async throws -> String {
        let made = try await program.run(["token", "create", name, "--scope", scope, "--project", project])
        try #require(made.status == 0)
        return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs the server while `body` talks to it.
    private func serving(
        _ end: @escaping @Sendable (ServerProbe) async throws -> Void
    ) async throws -> Program.Outcome {
        let probe = probe
        return try await program.run(["serve", "--socket", probe.path]) { send in
            try await probe.wait()
            do { try await end(probe) } catch {
                try send(.terminate)
                throw error
            }
            try send(.terminate)
        }
    }

    /// Offers a run until the server has it or refuses.
    @discardableResult
    private func deliver(_ offer: Offer, _ probe: ServerProbe, _ token: String) throws -> ServerProbe.Reply {
        var reply = try probe.send("PUT", "/api/v1/runs/\(offer.id)", offer.list, token: token)
        for _ in 0..<3 where reply.status == 202 {
            for sha256 in try JSONDecoder().decode(DeliveryReceipt.self, from: Data(reply.body.utf8)).missing {
                let sent = try probe.send("PUT", "/api/v1/blobs/\(sha256)", offer.bytes[sha256] ?? [], token: token)
                if sent.status >= 300 { return sent }
            }
            reply = try probe.send("PUT", "/api/v1/runs/\(offer.id)", offer.list, token: token)
        }
        return reply
    }

    /// The run directories of the home, and what is unfinished among them.
    private func directories() throws -> [String] {
        let runs = "\(home)/runs"
        guard FileManager.default.fileExists(atPath: runs) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: runs).flatMap {
            try FileManager.default.contentsOfDirectory(atPath: "\(runs)/\($0)")
        }
    }

    @Test func `a run is taken in, judged here, and known afterwards`() async throws {
        let (laptop, ci) = (try await token("laptop-3", "submit"), try await token("ci", "attest"))
        let reader = try await token("reader", "read")
        let offer = try Offer("Mixed")
        let outcome = try await serving { (probe) async throws in
            let taken = try deliver(offer, probe, laptop)
            #expect(taken.status == 201)
            let receipt = try JSONDecoder().decode(DeliveryReceipt.self, from: Data(taken.body.utf8))
            #expect(receipt == DeliveryReceipt(.stored, decision: "passed", page: "/runs/\(offer.id)"))
            #expect(try deliver(offer, probe, laptop).status == 200)
            // It is listed, but says nothing of the project.
            let runs = try probe.send("GET", "/runs.json", token: reader).body
            #expect(runs.contains("\"trust\":\"laptop\"") && runs.contains("\"deliveredBy\":\"laptop-3\""))
            #expect(runs.contains("\"isExact\":false"))
            #expect(try probe.send("GET", "/badge.json?project=Mixed", token: reader).body.contains("no run"))
            #expect(try !probe.send("GET", "/metrics", token: reader).body.contains("kanmon_passed{"))
            #expect(try probe.send("GET", "/latest?project=Mixed", token: reader).status == 404)
            let page = try probe.send("GET", "/runs/\(offer.id)", token: reader).body
            #expect(page.contains("laptop-<wbr>3") && page.contains("from a laptop"))
            // The same bytes from where they are trusted count.
            #expect(try deliver(offer, probe, ci).status == 200)
            #expect(try probe.send("GET", "/runs.json", token: reader).body.contains("\"trust\":\"ci\""))
            #expect(try probe.send("GET", "/badge.json?project=Mixed", token: reader).body.contains("passed"))
            #expect(try deliver(offer, probe, laptop).status == 200)
            #expect(try probe.send("GET", "/runs.json", token: reader).body.contains("\"trust\":\"ci\""))
        }
        #expect(outcome.status == 0)
        #expect(!(outcome.messages + outcome.output).contains(laptop))
        try FileManager.default.removeItem(atPath: "\(home)/kanmon.sqlite")
        #expect(try await program.run(["db", "rebuild"]).status == 0)
        let history = try await program.run(["history", "--all", "--json"])
        #expect(history.output.contains("\"trust\" : \"ci\"") && history.output.contains("\"deliveredBy\" : \"ci\""))
    }

    @Test func `a file is taken as its difference from an earlier run of the same token, of no other`() async throws {
        let (secret, other) = (try await token("ci", "attest"), try await token("other", "attest"))
        let first = try Offer("Mixed")
        var later = first
        later.id = try #require(RunID("019b7c00-0001-7000-8000-00000000000a"))
        try later.lie(first.id.description, later.id.description)
        later.delivery.earlier = [try #require(RunID("019b7c00-0001-7000-8000-00000000000b")), first.id]
        let second = later
        _ = try await serving { (probe) async throws in
            #expect(try deliver(first, probe, secret).status == 201)
            for (token, isOwn) in [(other, false), (secret, true)] {
                let offered = try probe.send("PUT", "/api/v1/runs/\(second.id)", second.list, token: token)
                let receipt = try JSONDecoder().decode(DeliveryReceipt.self, from: Data(offered.body.utf8))
                #expect(offered.status == 202 && receipt.earlier == (isOwn ? first.id : nil))
                let hash = try #require(receipt.missing.first)
                #expect(receipt.missing.count == 1)
                let manifest = try #require(first.delivery.manifestFile?.sha256)
                let difference = Difference.between(
                    try #require(first.bytes[manifest]), try #require(second.bytes[hash]))
                #expect(difference.count < 200)
                let query = "project=Mixed&earlier=\(first.id)&file=manifest.json"
                let sent = try probe.send("PUT", "/api/v1/blobs/\(hash)?\(query)", difference, token: token)
                #expect(sent.status == (isOwn ? 201 : 404))
            }
            #expect(try probe.send("PUT", "/api/v1/runs/\(second.id)", second.list, token: secret).status == 201)
        }
        let folder = try #require(try FileManager.default.contentsOfDirectory(atPath: "\(home)/runs").first)
        let kept = RunDirectory(path: "\(home)/runs/\(folder)/\(second.id)")
        #expect(try kept.manifestDigest() == second.delivery.manifestFile?.sha256)
    }

    @Test func `two runs with one file have it once, and it goes with the last of them`() async throws {
        let secret = try await token("ci", "attest")
        var other = try Offer("Mixed")
        let offer = other
        other.id = try #require(RunID("019b7c00-0001-7000-8000-00000000000a"))
        try other.lie(offer.id.description, other.id.description)
        let second = other
        _ = try await serving { (probe) async throws in
            #expect(try deliver(offer, probe, secret).status == 201)
            #expect(try deliver(second, probe, secret).status == 201)
        }
        let log = try #require(offer.delivery.files.first { $0.path == "transcript.log" })
        let blob = "\(home)/blobs/\(log.sha256.prefix(2))/\(log.sha256)"
        var status = stat()
        #expect(stat(blob, &status) == 0 && status.st_nlink == 3)
        let old = [timespec(tv_sec: 1_770_000_000, tv_nsec: 0), timespec(tv_sec: 1_770_000_000, tv_nsec: 0)]
        for file in try FileManager.default.subpathsOfDirectory(atPath: "\(home)/blobs") where file.count > 60 {
            _ = old.withUnsafeBufferPointer { utimensat(AT_FDCWD, "\(home)/blobs/\(file)", $0.baseAddress, 0) }
        }
        let pruned = try await program.run(["db", "prune", "--keep-days", "1"])
        #expect(pruned.status == 0)
        #expect(pruned.output.contains("delivered files without a run"))
        #expect(!FileManager.default.fileExists(atPath: blob))
    }

    @Test func `a forged run is refused, and leaves nothing`() async throws {
        let secret = try await token("ci", "attest", project: "Mixed")
        let honest = try Offer("Mixed")
        var forged: [(String, Offer, Int)] = []
        func forge(_ name: String, _ status: Int, _ body: (inout Offer) throws -> Void) throws {
            var offer = honest
            try body(&offer)
            forged.append((name, offer, status))
        }
        try forge("a path that climbs", 422) { try $0.lie("\"path\": \"build.log\"", "\"path\": \"../build.log\"") }
        try forge("an artifact named as the record", 422) {
            try $0.lie("\"path\": \"build.log\"", "\"path\": \"delivery.json\"")
        }
        try forge("other bytes than the manifest has", 422) { try $0.add("build.log", Array("forged".utf8)) }
        try forge("a size that is not true", 422) { offer in
            offer.delivery.files[1].size += 1
        }
        try forge("a file that the manifest does not name", 422) { try $0.add("more", [1]) }
        try forge("a record of its own", 422) { try $0.add("delivery.json", Array("{}".utf8)) }
        try forge("a file that is left out", 422) { $0.delivery.files.removeLast() }
        try forge("a manifest of another run", 422) {
            $0.id = try #require(RunID("019b7c00-0001-7000-8000-00000000000b"))
        }
        try forge("a manifest of another project", 422) {
            try $0.lie("\"project\": \"Mixed\"", "\"project\": \"Other\"")
        }
        try forge("a project that the token is not for", 403) { $0.delivery.project = "Other" }
        try forge("a run of tomorrow", 422) { try $0.lie("2026-01-02T03:0", "9999-01-02T03:0") }
        try forge("no manifest", 422) { $0.delivery.files.removeFirst() }
        try forge("a manifest that is none", 422) { try $0.add("manifest.json", Array("[]".utf8)) }
        let offers = forged
        _ = try await serving { (probe) async throws in
            for (name, offer, status) in offers {
                let reply = try deliver(offer, probe, secret)
                #expect(reply.status == status, "\(name): \(reply.body)")
                #expect(!reply.body.contains(home), "\(name): \(reply.body)")
            }
        }
        #expect(try directories() == [])
        #expect(try await program.run(["db", "check"]).status == 0)
    }

    @Test func `a known id with other bytes, or of another project, changes nothing`() async throws {
        let (first, second) = (try await token("first", "submit"), try await token("second", "admin"))
        let offer = try Offer("Mixed")
        var (other, foreign) = (offer, offer)
        try other.lie("\"package\": \"Mixed\"", "\"package\": \"Other\"")
        try foreign.lie("\"project\": \"Mixed\"", "\"project\": \"Other\"")
        foreign.delivery.project = "Other"
        let offers = [other, foreign]
        _ = try await serving { (probe) async throws in
            #expect(try deliver(offer, probe, first).status == 201)
            for offer in offers {
                #expect(try deliver(offer, probe, first).status == 409)
                #expect(try deliver(offer, probe, second).status == 409)
            }
        }
        #expect(try await program.run(["history", "--all"]).output.contains("Mixed"))
        #expect(try directories().count == 1)
    }

    @Test func `a server that is killed while it takes a run in leaves no half of it`() async throws {
        let secret = try await token("ci", "attest")
        let offer = try Offer("Mixed")
        let probe = probe
        for round in 0..<6 {
            let outcome = try await program.unmeasured.run(["serve", "--socket", probe.path]) { send in
                try await probe.wait()
                async let delivered: ServerProbe.Reply? = try? deliver(offer, probe, secret)
                try await Task.sleep(for: .milliseconds(5 + round * 40))
                try send(.kill)
                _ = await delivered
            }
            #expect(outcome.status == 137)
            for name in try directories() where !name.contains(".partial-") {
                let place = "\(home)/runs/\(Self.folder(in: home))/\(name)"
                #expect(try RunDirectory(path: place).isWhole())
            }
        }
        _ = try await serving { (probe) async throws in
            let status = try deliver(offer, probe, secret).status
            #expect([200, 201].contains(status))
        }
        #expect(try await program.run(["db", "check"]).status == 0)
        #expect(try directories().filter { !$0.contains(".partial-") } == [offer.id.description])
    }

    private static func folder(in home: String) -> String {
        (try? FileManager.default.contentsOfDirectory(atPath: "\(home)/runs").first) ?? ""
    }

    @Test func `an address that others reach is served only if somebody may read there`() async throws {
        _ = try await program.run(["ingest", "\(TestFolder.runs)/Mixed"])
        let refused = try await program.run(["serve", "--host", "0.0.0.0", "--port", "0"])
        #expect(refused.status == 64)
        #expect(refused.messages.contains("there is no token that lets anybody in"))
        #expect(refused.messages.contains("--anyone-may-read"))
    }

    @Test func `a token is shown once, listed without its secret, and revoked for good`() async throws {
        let secret = try await token("laptop-3", "submit", project: "team/*")
        #expect(secret.hasPrefix("kanmon_") && secret.utf8.count == 56)
        let list = try await program.run(["token", "list"])
        #expect(list.output.contains("laptop-3") && list.output.contains("team/*") && !list.output.contains(secret))
        #expect(
            try await program.run(["token", "create", "laptop-3", "--scope", "read", "--project", "*"]).status == 64)
        #expect(try await program.run(["token", "revoke", "laptop-3"]).output == "revoked 'laptop-3'\n")
        #expect(try await program.run(["token", "revoke", "laptop-4"]).status == 64)
        #expect(try await program.run(["token", "list"]).output.contains("revoked"))
        for wrong in [
            ["--scope", "all"], ["--scope", "read", "--expires", "0d"], ["--scope", "read", "--expires", "1h"],
        ] {
            #expect(try await program.run(["token", "create", "x", "--project", "*"] + wrong).status == 64)
        }
        #expect(try await program.run(["token", "create", "-x", "--scope", "read", "--project", "*"]).status == 64)
    }
}
