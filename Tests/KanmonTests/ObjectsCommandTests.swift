import Evidence
import Foundation
import RunModel
import Subprocess
import TestSupport
import Testing

@testable import Application
@testable import Objects

/// Commands that keep what is delivered as objects, each a process of its own.
@Suite struct ObjectsCommandTests {
    private let program: Program

    init() throws { program = Program(folder: try TestFolder()) }

    private var objects: String { "\(program.folder.path)/objects" }
    private var probe: ServerProbe { ServerProbe(path: "\(program.folder.path)/s") }

    private func token(_ name: String = "ci", _ scope: String = "attest") async throws -> String {
        let made = try await program.run(["token", "create", name, "--scope", scope, "--project", "*"])
        try #require(made.status == 0)
        return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Serves with objects while `body` talks to the server.
    private func serving(
        _ body: @escaping @Sendable (ServerProbe) async throws -> Void
    ) async throws -> Program.Outcome {
        let probe = probe
        let words = Program.serve + ["--socket", probe.path, "--objects", "folder://\(objects)"]
        return try await program.run(words) { send in
            defer { try? send(.terminate) }
            try await probe.wait()
            try await body(probe)
        }
    }

    /// Sends the files of a run and offers it.
    private func deliver(
        _ offer: ObjectsServer.Offer, _ probe: ServerProbe, _ token: String
    ) throws -> ServerProbe.Reply {
        for file in offer.delivery.files {
            let bytes = try Data(contentsOf: URL(filePath: "\(offer.directory.path)/\(file.path)"))
            _ = try probe.send("PUT", "/api/v1/blobs/\(file.sha256)", Array(bytes), token: token)
        }
        let list = Array(try JSONEncoder().encode(offer.delivery))
        return try probe.send("PUT", "/api/v1/runs/\(offer.id)", list, token: token)
    }

    @Test func `a server takes a run when its objects are kept, and asks for it again while they cannot be`()
        async throws
    {
        let secret = try await token()
        let offer = try ObjectsServer.Offer(try program.folder.seededRun("Mixed"))
        let objects = objects
        let outcome = try await serving { probe in
            // Something else has the place of the objects.
            try Data().write(to: URL(filePath: objects))
            let refused = try deliver(offer, probe, secret)
            #expect(refused.status == 503 && refused.body.contains("\"not-now\""), "\(refused.body)")
            #expect(!refused.body.contains(objects))
            #expect(try probe.send("GET", "/api/v1/whoami", token: secret).status == 200)
            try FileManager.default.removeItem(atPath: objects)
            #expect(try deliver(offer, probe, secret).status == 201)
            #expect(try deliver(offer, probe, secret).status == 200)
        }
        #expect(outcome.status == 0)
        #expect(outcome.messages.contains("kept in folder://\(objects)"), "\(outcome.messages)")
        #expect(outcome.messages.contains("its objects cannot be kept"), "\(outcome.messages)")
        let kept = try FileManager.default.subpathsOfDirectory(atPath: objects)
            .filter { $0.hasSuffix("/\(offer.manifest)") }
        #expect(kept == ["v1/manifests/\(offer.place.project)/\(offer.id)/\(offer.manifest)"])
    }

    @Test(.slow) func `a second server over the same objects soon shows what the first one takes`() async throws {
        let (secret, reader) = (try await token(), try await token("reader", "read"))
        let offer = try ObjectsServer.Offer(try program.folder.seededRun("Mixed"))
        let second = Program(folder: try TestFolder())
        try FileManager.default.createDirectory(atPath: second.folder.home, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: "\(program.folder.home)/tokens.json", toPath: "\(second.folder.home)/tokens.json")
        let other = ServerProbe(path: "\(second.folder.path)/s")
        let words = Program.serve + ["--socket", other.path, "--objects", "folder://\(objects)"]
        _ = try await serving { probe in
            let outcome = try await second.run(words) { send in
                defer { try? send(.terminate) }
                try await other.wait()
                #expect(try deliver(offer, probe, secret).status == 201)
                for _ in 0..<2400 {
                    let runs = try other.send("GET", "/runs.json", token: reader).body
                    if runs.contains(offer.id.description) { break }
                    try await Task.sleep(for: .milliseconds(250))
                }
                // Whoever asks it is told the same as by the first one.
                #expect(try deliver(offer, other, secret).status == 200)
            }
            #expect(outcome.status == 0)
        }
        let histories = try await (
            program.run(["history", "--all", "--json"]), second.run(["history", "--all", "--json"])
        )
        #expect(histories.0.output.contains("\"trust\":\"ci\""))
        // Each has the evidence in its own home.
        let (ownHome, otherHome) = (program.folder.home, second.folder.home)
        #expect(histories.0.output == histories.1.output.replacing(otherHome, with: ownHome))
    }

    @Test func `a machine that has lost its disk has every run and every answer again`() async throws {
        let secret = try await token()
        let offers = try ["Mixed", "Failing", "LowCoverage"].map {
            try ObjectsServer.Offer(try program.folder.seededRun($0))
        }
        _ = try await serving { probe in
            for offer in offers {
                let status = try deliver(offer, probe, secret).status
                #expect(status == 201)
            }
        }
        let before = try await program.run(["history", "--all", "--json"])
        #expect(before.output.contains("\"trust\":\"ci\""))
        let (home, files) = (program.folder.home, FileManager.default)
        for name in try files.contentsOfDirectory(atPath: home) where name != "tokens.json" {
            try files.removeItem(atPath: "\(home)/\(name)")
        }
        let words = ["db", "rebuild", "--from-objects", "folder://\(objects)"]
        let rebuilt = try await program.run(words)
        #expect(rebuilt.status == 0, "\(rebuilt.messages)")
        #expect(
            rebuilt.output == """
                brought back 3 runs from folder://\(objects), 0 were here
                rebuilt \(home)/kanmon.sqlite from 3 run directories

                """)
        #expect(try await program.run(["history", "--all", "--json"]).output == before.output)
        let again = try await program.run(words)
        #expect(again.output.hasPrefix("brought back 0 runs from folder://\(objects), 3 were here\n"))
        #expect(try await program.run(["history", "--all", "--json"]).output == before.output)

        // Without the list of tokens nobody vouches, and that is said.
        try files.removeItem(atPath: "\(home)/tokens.json")
        try files.removeItem(atPath: "\(home)/runs")
        let alone = try await program.run(words)
        #expect(alone.status == 0 && alone.messages.contains("nobody vouches for what 'ci' delivered"))
        #expect(!(try await program.run(["history", "--all", "--json"]).output.contains("\"trust\":\"ci\"")))
        // A blob that is gone costs its run, and no other.
        let own = try #require(offers[2].files.subtracting(offers[1].files).subtracting(offers[0].files).first)
        try files.removeItem(atPath: "\(objects)/v1/blobs/\(own.prefix(2))/\(own)")
        try files.removeItem(atPath: home)
        let partial = try await program.run(words)
        #expect(partial.status == 65, "\(partial.messages)")
        #expect(partial.messages.contains("run \(offers[2].id): files that are not among the objects: 1"))
        #expect(partial.output.contains("from 2 run directories"))
    }

    @Test(.slow) func `a machine that has lost its disk begins with a snapshot, and has every answer again`()
        async throws
    {
        let secret = try await token()
        let offers = try ["Mixed", "Failing"].map { try ObjectsServer.Offer(try program.folder.seededRun($0)) }
        let words = ["objects", "snapshot", "folder://\(objects)"]
        let early = try await program.run(words)
        #expect(early.status == 74 && early.messages.contains("it is not known how much of"), "\(early.messages)")
        let (home, files) = (program.folder.home, FileManager.default)
        _ = try await serving { probe in
            for offer in offers {
                let status = try deliver(offer, probe, secret).status
                #expect(status == 201)
            }
            // It reads the log every few seconds.
            for _ in 0..<2400 where !FileManager.default.fileExists(atPath: "\(home)/objects.json") {
                try await Task.sleep(for: .milliseconds(250))
            }
            let left = try await program.run(words)
            #expect(left.status == 0 && left.output.hasPrefix("left a snapshot of 2 runs in folder://"), "\(left)")
        }
        let before = try await program.run(["history", "--all", "--json"])
        for name in try files.contentsOfDirectory(atPath: home) where name != "tokens.json" {
            try files.removeItem(atPath: "\(home)/\(name)")
        }
        let name = try #require(try files.contentsOfDirectory(atPath: "\(objects)/v1/snapshots").first)
        let rebuild = ["db", "rebuild", "--from-objects", "folder://\(objects)"]
        let index = try await program.run(rebuild)
        #expect(index.status == 0, "\(index.messages)")
        #expect(
            index.output == """
                took 2 runs from the snapshot \(name)
                brought back 0 runs from folder://\(objects), 0 were here
                judged 0 runs; the files of 2 runs stay in folder://\(objects) until they are needed

                """)
        #expect(try await program.run(["history", "--all", "--json"]).output == before.output)
        #expect(try await program.run(["db", "check"]).status == 0)
        let refused = try await program.run(["db", "rebuild"])
        #expect(refused.status == 64 && refused.messages.contains("the files of 2 runs are only among the objects"))
        let kept = Home(home, process: program.folder.process)
            .runDirectory(project: offers[0].delivery.project, id: offers[0].id)
        #expect(try files.contentsOfDirectory(atPath: kept).sorted() == ["delivery.json", "manifest.json"])
        let report = try await program.run(["report", offers[0].id.description, "--format", "markdown"])
        #expect(report.status == 0, "\(report.messages)")
        #expect(try files.contentsOfDirectory(atPath: kept).count > 2)
        // All of it can be brought back, and judged anew.
        let anew = try await program.run(rebuild + ["--no-snapshot"])
        #expect(anew.output.hasSuffix("rebuilt \(home)/kanmon.sqlite from 2 run directories\n"), "\(anew.output)")
        #expect(try await program.run(["history", "--all", "--json"]).output == before.output)
        let wrong = try await program.run(["db", "rebuild", "--no-snapshot"])
        #expect(wrong.status == 64 && wrong.messages.contains("--no-snapshot belongs to --from-objects"))
    }

    @Test func `what is missing among the objects is told, and put back from where it is`() async throws {
        let secret = try await token()
        let offer = try ObjectsServer.Offer(try program.folder.seededRun("Mixed"))
        _ = try await serving { probe in
            let status = try deliver(offer, probe, secret).status
            #expect(status == 201)
        }
        let words = ["objects", "check", "folder://\(objects)"]
        let whole = "folder://\(objects): 1 run with \(offer.files.count) files\n"
        #expect(try await program.run(words) == Program.Outcome(status: 0, output: whole, messages: ""))

        let file = try #require(offer.files.sorted().first)
        let blob = "\(objects)/v1/blobs/\(file.prefix(2))/\(file)"
        try Data("other bytes".utf8).write(to: URL(filePath: blob))
        #expect(try await program.run(words).status == 0)
        let fault = "run \(offer.id): the file \(file) is missing, or has another hash\n"
        let read = try await program.run(words + ["--read"])
        #expect(read.status == 74 && read.output == fault + whole, "\(read.output)")
        #expect(read.messages.contains("Try: kanmon objects check --repair"))
        try FileManager.default.removeItem(atPath: blob)
        #expect(try await program.run(words).status == 74)
        let repaired = try await program.run(words + ["--repair"])
        #expect(repaired == Program.Outcome(status: 0, output: "repaired: " + fault + whole, messages: ""))
        #expect(try await program.run(words + ["--read"]).output == whole)
    }

    @Test func `a server keeps no files of its own, and pages and reports have them all the same`() async throws {
        let (program, objects) = (program, objects)
        let secret = try await token()
        let offer = try ObjectsServer.Offer(try program.folder.seededRun("Mixed"))
        let kept = Home(program.folder.home, process: program.folder.process)
            .runDirectory(project: offer.delivery.project, id: offer.id)
        _ = try await serving { probe in
            let status = try deliver(offer, probe, secret).status
            #expect(status == 201)
        }
        let report = ["report", offer.id.description, "--format", "markdown"]
        let before = try await program.run(report)
        #expect(before.status == 0, "\(before.messages)")
        let prune = ["db", "prune", "--keep-days", "0", "--objects", "folder://\(objects)"]
        let bytes = offer.delivery.files.reduce(0) { $0 + $1.size }
        let words = "the files of 1 run that are in folder://\(objects), \(bytes) bytes\n"
        #expect(try await program.run(prune + ["--dry-run"]).output == "would remove \(words)")
        #expect(try await program.run(prune).output == "removed \(words)")
        let left = try FileManager.default.contentsOfDirectory(atPath: kept)
        #expect(left.sorted() == ["delivery.json", "manifest.json"])
        // Without its files it cannot be read again, and a rebuild would lose it.
        let rebuilt = try await program.run(["db", "rebuild"])
        #expect(rebuilt.status == 64 && rebuilt.messages.contains("are only among the objects"))
        #expect(try await program.run(report).output == before.output)
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept).count > 2)

        // The same of a server: a page fetches them, and says so when it cannot.
        _ = try await program.run(prune)
        let reader = try await token("reader", "read")
        _ = try await serving { probe in
            let page = "/runs/\(offer.id)"
            let (blobs, elsewhere) = ("\(objects)/v1/blobs", "\(objects)/elsewhere")
            try FileManager.default.moveItem(atPath: blobs, toPath: elsewhere)
            let refused = try probe.send("GET", page, token: reader)
            #expect(refused.status == 503 && refused.body.contains("the object store does not have its file"))
            #expect(try probe.send("GET", page + ".json", token: reader).status == 200)
            try FileManager.default.moveItem(atPath: elsewhere, toPath: blobs)
            #expect(try probe.send("GET", page, token: reader).status == 200)
            #expect(try deliver(offer, probe, secret).status == 200)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept).count > 2)
    }

    @Test func `a sweep says what it sets aside and removes, and does nothing where it is only asked`() async throws {
        let secret = try await token()
        let offer = try ObjectsServer.Offer(try program.folder.seededRun("Mixed"))
        _ = try await serving { probe in
            let status = try deliver(offer, probe, secret).status
            #expect(status == 201)
        }
        let words = ["objects", "sweep", "folder://\(objects)"]
        let end = "folder://\(objects): 1 run\n"
        #expect(try await program.run(words) == Program.Outcome(status: 0, output: end, messages: ""))
        let stray = Array("of no run".utf8)
        let hash = Digest.sha256(stray)
        try program.folder.write("of no run", to: "objects/v1/blobs/\(hash.prefix(2))/\(hash)")
        let young = try await program.run(words)
        #expect(young.output == "of no run, and younger than 3 days: 1 file, 9 bytes\n" + end)
        let file = "\(objects)/v1/blobs/\(hash.prefix(2))/\(hash)"
        try FileManager.default.setAttributes(
            [.modificationDate: Date.now.addingTimeInterval(-2 * 86_400)], ofItemAtPath: file)
        let asked = try await program.run(words + ["--grace-days", "1", "--dry-run"])
        #expect(asked.output == "would set aside what no run needs: 1 file, 9 bytes\n" + end)
        #expect(FileManager.default.fileExists(atPath: file))
        let done = try await program.run(words + ["--grace-days", "1", "--keep-days", "1"])
        #expect(
            done.output == "removed 0 runs older than 1 day\nset aside what no run needs: 1 file, 9 bytes\n" + end)
        #expect(!FileManager.default.fileExists(atPath: file))
        // What is set aside is not touched before its time.
        #expect(try await program.run(words + ["--grace-days", "1"]).output == end)
        let refused = try await program.run(words + ["--keep-days", "2"])
        #expect(refused.status == 64 && refused.messages.contains("--keep-days is at least --grace-days, here 3"))

        let manifest = "\(objects)/v1/manifests/\(offer.place.project)/\(offer.id)/\(offer.manifest)"
        try FileManager.default.removeItem(atPath: manifest)
        let unknown = try await program.run(words)
        #expect(unknown.status == 74 && unknown.output.contains("run \(offer.id): the manifest \(offer.manifest)"))
        #expect(unknown.messages.contains("what runs need cannot be read, so no file was touched"))
    }

    @Test func `a run that a machine puts into the objects becomes one of the server that finds it`() async throws {
        _ = try await token()
        let offer = try ObjectsServer.Offer(try program.folder.seededRun("Mixed"))
        let machine = Program(folder: try TestFolder())
        let words = ["push", "folder://\(objects)", "--as", "agent"]
        #expect(try await machine.run(words).status == 64)
        let files = FileManager.default
        let kept = Home(machine.folder.home, process: machine.folder.process)
            .runDirectory(project: offer.delivery.project, id: offer.id)
        try files.createDirectory(
            atPath: (kept as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try files.copyItem(atPath: offer.directory.path, toPath: kept)
        let bytes = Dictionary(offer.delivery.files.map { ($0.sha256, $0.size) }) { one, _ in one }.values
        let pushed = try await machine.run(words)
        #expect(
            pushed.output == """
                put run \(offer.id.short) into the inbox of folder://\(objects): \(bytes.count) files, \
                \(Figures.grouped(bytes.reduce(0, +))) bytes

                """, "\(pushed.messages)")
        #expect(try await machine.run(words + ["--all"]).output == pushed.output)
        #expect(try await machine.run(words + ["--run", offer.id.short]).output == pushed.output)
        for refused in [
            ["--run", "another"], ["--run", offer.id.short, "--all"], ["--server", "https://ci.example"],
            ["--forget", "refused"], ["--as", "a b"],
        ] {
            let status = try await machine.run(words + refused).status
            #expect(status == 64, "\(refused)")
        }
        #expect(try await machine.run(["push", "--as", "agent"]).status == 64)
        #expect(try await machine.run(["push", "folder://\(objects)"]).status == 64)

        let inbox = "\(objects)/v1/inbox/runs"
        _ = try await serving { _ in
            for _ in 0..<2400 {
                let left = try FileManager.default.subpathsOfDirectory(atPath: inbox)
                if !left.contains(where: { $0.hasSuffix(offer.manifest) }) { break }
                try await Task.sleep(for: .milliseconds(250))
            }
        }
        let history = try await program.run(["history", "--all", "--json"])
        #expect(history.output.contains(offer.id.description) && history.output.contains("\"trust\":\"laptop\""))
    }

    @Test func `a server starts while its store is away, and says so, and what is delivered waits`() async throws {
        let secret = try await token()
        let offer = try ObjectsServer.Offer(try program.folder.seededRun("Mixed"))
        let port = try ServerProbe.freePort()
        var away = program
        away.variables = [
            "AWS_ENDPOINT_URL": "http://127.0.0.1:\(port)", "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "no-secret-is-told",
        ]
        let probe = probe
        let words = Program.serve + ["--socket", probe.path, "--objects", "s3://bucket/team"]
        let outcome = try await away.run(words) { send in
            defer { try? send(.terminate) }
            try await probe.wait()
            let refused = try deliver(offer, probe, secret)
            #expect(refused.status == 503 && refused.body.contains("\"not-now\""), "\(refused.body)")
            #expect(try probe.send("GET", "/api/v1/whoami", token: secret).status == 200)
        }
        #expect(outcome.status == 0)
        let told = "no delivery is taken yet: failed to use the objects: it cannot be reached"
        #expect(outcome.messages.contains(told), "\(outcome.messages)")
        #expect(outcome.messages.contains("Try: look at the address"), "\(outcome.messages)")
        #expect(!outcome.messages.contains("no-secret-is-told"))
    }

    @Test func `doctor tells of a run in the inbox that cannot be read`() async throws {
        let process = program.folder.process
        let home = Home(program.folder.home, process: process)
        home.prepare()
        let key = try #require(ObjectKey("v1/inbox/runs/agent/run"))
        let object = ObjectPage.Entry(key: key, size: 0, modified: nil)
        for attempt in 1...InboxLedger.quickAttempts {
            let entry = try InboxLedger(home).add(object, in: "s3://b/p", because: "it is archived", at: process.now)
            #expect(entry.attempts == attempt)
        }
        let outcome = try await program.run(["doctor"])
        #expect(outcome.status == 78)
        let told = "✕ inbox: 1 run in the inbox of s3://b/p cannot be taken in; v1/inbox/runs/agent/run, since "
        #expect(outcome.output.contains(told), "\(outcome.output)")
        #expect(outcome.output.contains("it is archived"))
        #expect(outcome.output.contains("Try: kanmon objects check s3://b/p"))
    }

    @Test(.slow) func `a server starts while its machine has no credentials, and is not ready`() async throws {
        _ = try await token()
        var early = program
        // Nobody listens there.
        let service = "http://127.0.0.1:\(try ServerProbe.freePort())"
        early.variables = ["AWS_ENDPOINT_URL": service, "AWS_EC2_METADATA_SERVICE_ENDPOINT": service]
        let probe = probe
        let arguments = Program.serve + ["--socket", probe.path, "--objects", "s3://bucket/team"]
        let outcome = try await early.run(arguments) { send in
            defer { try? send(.terminate) }
            try await probe.wait()
            let ready = try probe.send("GET", "/healthz/ready")
            #expect(ready.status == 503 && ready.body.contains("the objects do not answer"), "\(ready.body)")
            #expect(try probe.send("GET", "/healthz").status == 200)
        }
        #expect(outcome.status == 0)
        let words = [
            "are asked for again: there are no credentials", "no delivery is taken yet: failed to use the objects",
        ]
        for told in words { #expect(outcome.messages.contains(told), "\(outcome.messages)") }
    }

    @Test func `a server does not start with objects that can never be kept`() async throws {
        _ = try await token()
        for (place, status) in [("/srv/objects", Int32(64)), ("s3://b", 64), ("folder://objects", 64)] {
            let refused = try await program.run(["serve", "--socket", probe.path, "--objects", place])
            #expect(refused.status == status && refused.messages.contains("for objects"), "\(refused.messages)")
        }
        try program.folder.write("no folder", to: "objects")
        let refused = try await program.run(
            ["serve", "--socket", probe.path, "--objects", "folder://\(objects)"])
        #expect(refused.status == 74 && refused.messages.contains("failed to use the objects"), "\(refused.messages)")
    }
}
