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

        /// The recorded run of a sample package, with an id that was made of a seed.
        init(_ name: String, seed: String = "a seed") throws {
            let made = try TestFolder()
            defer { withExtendedLifetime(made) {} }
            let folder = try made.seededRun(name, seed: seed)
            let manifest = try RunDirectory(path: folder).manifest()
            id = manifest.id
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
        _ words: [String] = Program.serve, _ end: @escaping @Sendable (ServerProbe) async throws -> Void
    ) async throws -> Program.Outcome {
        let probe = probe
        return try await program.run(words + ["--socket", probe.path]) { send in
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
            #expect(try probe.send("GET", "/badge.json?project=Mixed", token: reader).body.contains("no verdict"))
            #expect(try !probe.send("GET", "/metrics", token: reader).body.contains("kanmon_passed{"))
            #expect(try probe.send("GET", "/latest?project=Mixed", token: reader).status == 404)
            let page = try probe.send("GET", "/runs/\(offer.id)", token: reader).body
            #expect(page.contains("laptop-<wbr>3") && page.contains("from a laptop"))
            // The same bytes from where they are trusted count. Nobody is told that they were here before.
            #expect(try deliver(offer, probe, ci).status == 201)
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
        #expect(history.output.contains("\"trust\":\"ci\"") && history.output.contains("\"deliveredBy\":\"ci\""))
    }

    @Test func `two runs with one file have it once, and it goes with the last of them`() async throws {
        let secret = try await token("ci", "attest")
        let (offer, second) = (try Offer("Mixed"), try Offer("Mixed", seed: "another"))
        _ = try await serving { (probe) async throws in
            #expect(try deliver(offer, probe, secret).status == 201)
            #expect(try deliver(second, probe, secret).status == 201)
        }
        let log = try #require(offer.delivery.files.first { $0.path == "transcript.log" })
        let blob = try #require(
            try FileManager.default.subpathsOfDirectory(atPath: "\(home)/blobs").first { $0.hasSuffix(log.sha256) }
                .map { "\(home)/blobs/\($0)" })
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
        let secret = try await token("ci", "attest", project: "Mixed*")
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
        try forge("a manifest without a seed", 422) { try $0.lie(", \"seed\": \"a seed\"", "") }
        try forge("a seed of another run", 422) { try $0.lie("\"seed\": \"a seed\"", "\"seed\": \"b seed\"") }
        try forge("a project of another run", 422) {
            try $0.lie("\"project\": \"Mixed\"", "\"project\": \"Mixed \"")
            $0.delivery.project = "Mixed "
        }
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

    @Test func `a known id with other bytes changes nothing, unless they come from where they are trusted more`()
        async throws
    {
        let (first, second) = (try await token("first", "submit"), try await token("second", "submit"))
        let (ci, other) = (try await token("ci", "attest"), try await token("other", "attest"))
        let reader = try await token("reader", "read")
        let offer = try Offer("Mixed")
        func changed(_ package: String) throws -> Offer {
            var offer = offer
            try offer.lie("\"package\": \"Mixed\"", "\"package\": \"\(package)\"")
            return offer
        }
        let (red, green) = (try changed("Red"), try changed("Green"))
        _ = try await serving { (probe) async throws in
            #expect(try deliver(red, probe, first).status == 201)
            #expect(try deliver(offer, probe, first).status == 409)
            #expect(try deliver(offer, probe, second).status == 409)
            // A laptop that has the id of a run of CI does not keep that out, in no state of either.
            #expect(try deliver(green, probe, ci).status == 201)
            #expect(try deliver(green, probe, ci).status == 200)
            for token in [first, second, other] { #expect(try deliver(offer, probe, token).status == 409) }
            let run = try probe.send("GET", "/runs.json", token: reader).body
            #expect(run.contains("\"package\":\"Green\"") && run.contains("\"trust\":\"ci\""))
            #expect(!run.contains("\"package\":\"Red\""))
        }
        #expect(try directories() == [offer.id.description])
        #expect(try await program.run(["db", "check"]).status == 0)
        try FileManager.default.removeItem(atPath: "\(home)/kanmon.sqlite")
        #expect(try await program.run(["db", "rebuild"]).status == 0)
        #expect(try await program.run(["history", "--all", "--json"]).output.contains("\"trust\":\"ci\""))
    }

    @Test func `whoever lists a run of another learns nothing of it, and gets at none of its bytes`() async throws {
        let (ci, reader) = (try await token("ci", "attest"), try await token("reader", "read"))
        let own = try await token("laptop", "submit", project: "Own")
        let offer = try Offer("Mixed")
        // The id of a run of CI in a project of one's own, and one that nobody has.
        var (taken, free) = (offer, offer)
        for index in [0, 1] {
            var copy = index == 0 ? taken : free
            if index == 1 {
                copy.id = try #require(RunID("019b7c00-0001-7000-8000-00000000000b"))
                try copy.lie(offer.id.description, copy.id.description)
            }
            try copy.lie("\"project\": \"Mixed\"", "\"project\": \"Own\"")
            copy.delivery.project = "Own"
            if index == 0 { taken = copy } else { free = copy }
        }
        let (known, unknown) = (taken, free)
        _ = try await serving { (probe) async throws in
            #expect(try deliver(offer, probe, ci).status == 201)
            func story(_ offer: Offer) throws -> [String] {
                var told: [String] = []
                func tell(_ reply: ServerProbe.Reply) {
                    told.append("\(reply.status) \(reply.body)".replacing(offer.id.description, with: "ID"))
                }
                tell(try probe.send("PUT", "/api/v1/runs/\(offer.id)", offer.list, token: own))
                // A manifest is asked for, whoever has it; everything else is there.
                for file in offer.delivery.files where file.path != "manifest.json" {
                    _ = try probe.send(
                        "PUT", "/api/v1/blobs/\(file.sha256)", offer.bytes[file.sha256] ?? [], token: own)
                }
                let manifest = try #require(offer.delivery.manifestFile)
                tell(try probe.send("PUT", "/api/v1/runs/\(offer.id)", offer.list, token: own))
                tell(try probe.send("PUT", "/api/v1/blobs/\(manifest.sha256)", [1], token: own))
                tell(
                    try probe.send(
                        "PUT", "/api/v1/blobs/\(manifest.sha256)", offer.bytes[manifest.sha256] ?? [], token: own))
                tell(try probe.send("PUT", "/api/v1/runs/\(offer.id)", offer.list, token: own))
                return told.map { $0.replacing(manifest.sha256, with: "MANIFEST") }
            }
            let first = try story(known)
            #expect(first.map { $0.prefix(3) } == ["202", "202", "422", "201", "422"])
            let second = try story(unknown)
            #expect(first.dropFirst() == second.dropFirst())
            #expect(try probe.send("GET", "/runs.json", token: reader).body.contains("\"trust\":\"ci\""))
        }
        #expect(try directories() == [offer.id.description])
    }

    @Test func `how much of the disk must be free is said at the start`() async throws {
        let secret = try await token("ci", "attest")
        let offer = try Offer("Mixed")
        // No disk is all free once something lies on it.
        _ = try await serving(["serve", "--least-free", "100"]) { (probe) async throws in
            #expect(try deliver(offer, probe, secret).status == 507)
        }
        #expect(try directories() == [])
        _ = try await serving { (probe) async throws in #expect(try deliver(offer, probe, secret).status == 201) }
        for words in ["101", "-1"] {
            #expect(try await program.run(["serve", "--least-free=\(words)"]).status == 64)
        }
    }

    @Test func `a server that is killed while it takes a run in leaves no half of it`() async throws {
        let secret = try await token("ci", "attest")
        let offer = try Offer("Mixed")
        let probe = probe
        for round in 0..<6 {
            let outcome = try await program.unmeasured.run(Program.serve + ["--socket", probe.path]) { send in
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
