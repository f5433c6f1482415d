import Access
import Dispatch
import Evidence
import Foundation
import Gate
import HTTPTypes
import Hummingbird
import Pages
import RunModel
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Dashboard

/// What one token or reader may take of the server.
@Suite struct BoundsTests {
    private let tokens: TokenFolder

    init() throws { tokens = try TokenFolder() }

    private func token(_ name: String) throws -> AccessToken {
        let secret = try tokens.token(name, .read)
        return try #require(try TokenRegistry(tokens.file).token(of: secret, at: SampleRuns.moment))
    }

    @Test func `ten thousand sessions of one token end none of another`() throws {
        let (anna, ben) = (try token("anna"), try token("ben"))
        let sessions = SessionList()
        let id = sessions.open(anna, at: SampleRuns.moment)
        let first = sessions.open(ben, at: SampleRuns.moment)
        var last = ""
        for _ in 0..<10_000 { last = sessions.open(ben, at: SampleRuns.moment) }
        #expect(sessions.find(id, at: SampleRuns.moment) == anna)
        #expect(sessions.find(last, at: SampleRuns.moment) == ben)
        #expect(sessions.find(first, at: SampleRuns.moment) == nil)
    }

    @Test func `answers that wait to be read have room for all and for one reader`() {
        let memory = BodyMemory(most: 100)
        let first = memory.take(20, for: "a")
        #expect(first != nil)
        // A quarter for one reader.
        #expect(memory.take(6, for: "a") == nil)
        var others = (0..<4).map { memory.take(20, for: "other \($0)") }
        #expect(others.allSatisfy { $0 != nil })
        #expect(memory.take(1, for: "b") == nil)
        #expect(memory.figures.bytes == 100)
        #expect(memory.figures.refused == 2)
        others = []
        #expect(memory.figures.bytes == 20)
        #expect(memory.take(5, for: "a") != nil)
        withExtendedLifetime(first) {}
    }

    @Test func `one reader follows runs in a quarter of the streams, and nobody is kept out by that`() {
        let streams = StreamLimiter(8)
        var own = (0..<3).map { _ in streams.take(for: "ben") }
        #expect(own.map { $0 != nil } == [true, true, false])
        let anna = streams.take(for: "anna")
        #expect(anna != nil)
        own.removeFirst()
        let again = streams.take(for: "ben")
        #expect(again != nil)
        // Those who cannot be told from each other share all that is left.
        let others = (0..<9).map { _ in streams.take(for: nil) }
        #expect(others.count { $0 != nil } == 5)
        #expect(streams.take(for: "carl") == nil)
        withExtendedLifetime((own, anna, again)) {}
    }

    @Test func `the first answer of all fits whatever its size`() {
        let memory = BodyMemory(most: 100)
        let large = memory.take(1_000, for: "a")
        #expect(large != nil)
        #expect(memory.take(1, for: "b") == nil)
        withExtendedLifetime(large) {}
    }

    @Test func `an answer larger than a quarter counts by itself, one at a time, and keeps nobody out`() {
        let memory = BodyMemory(most: 100, countsLargeApart: true)
        var large = memory.take(1_000, for: "a")
        #expect(large != nil)
        #expect(memory.take(26, for: "b") == nil)
        let small = memory.take(25, for: "b")
        #expect(small != nil)
        #expect(memory.figures.bytes == 1_025)
        large = nil
        #expect(memory.figures.bytes == 25)
        #expect(memory.take(26, for: "b") != nil)
        withExtendedLifetime(small) {}
    }

    @Test func `an answer so large that no other has room is read in time, or cut`() async throws {
        func isRead(_ body: Int, of most: Int, in seconds: Double) async throws -> Bool {
            let share = try #require(BodyMemory(most: most, countsLargeApart: true).take(body, for: "a"))
            let reader = PatientReader(pause: .seconds(seconds))
            let answer = Answer.data([UInt8](repeating: 0, count: body)).streamed(share) { reader.now }
            let stream = try #require(answer.stream)
            var writer: any ResponseBodyWriter = reader
            do { try await stream(&writer) } catch is ReadTooSlowly { return false }
            return true
        }
        // 64 KiB at a time.
        let (large, small) = (2 << 20, 512 << 10)
        #expect(try await isRead(large, of: large, in: 0.5))
        #expect(try await isRead(large, of: large, in: 8) == false)
        // There is room beside it.
        #expect(try await isRead(small, of: large, in: 8))
    }

    @Test func `files that wait for their run are counted until it comes, and for a day`() {
        let (files, moment) = (PendingFiles(), SampleRuns.moment)
        let half = PendingFiles.mostBytes / 2
        func send(_ name: String, _ bytes: Int, of token: String = "t", after seconds: Double = 0) -> Bool {
            let moment = moment.addingTimeInterval(seconds)
            let arrival = files.admit(bytes, of: token, at: moment)
            arrival?.end(name, at: moment)
            return arrival != nil
        }
        #expect(send("a", half))
        #expect(send("b", half))
        #expect(!send("c", 1))
        #expect(send("c", half, of: "other"))
        files.settle(["a"], of: "t")
        #expect(send("c", half, after: 80_000))
        #expect(!send("d", half, after: 80_000))
        #expect(send("d", half, after: 90_000))
    }

    @Test func `a file that arrives many times at once takes its room many times, and none once it has ended`() {
        let (files, moment) = (PendingFiles(), SampleRuns.moment)
        let quarter = PendingFiles.mostBytes / 4
        var arrivals = (0..<5).map { _ in files.admit(quarter, of: "t", at: moment) }
        #expect(arrivals.map { $0 != nil } == [true, true, true, true, false])
        arrivals.prefix(2).forEach { $0?.end("same", at: moment) }
        #expect(files.admit(1, of: "t", at: moment) == nil)
        arrivals = []
        // The same file again is one file.
        #expect((0..<4).map { _ in files.admit(quarter * 3, of: "t", at: moment) != nil } == [true, true, true, true])
        #expect(files.admit(quarter * 3 + 1, of: "t", at: moment) == nil)
    }

    @Test func `what a token delivers in a day is counted, the same files again, and what was not stored is not`() {
        let (quota, moment) = (DeliveryQuota(), SampleRuns.moment)
        func deliver(_ bytes: Int, of token: String = "t", hours: Double = 0, isStored: Bool = true) -> Bool {
            let moment = moment.addingTimeInterval(3600 * hours)
            guard let reservation = quota.reserve(bytes, of: token, most: 100, at: moment) else { return false }
            if isStored { reservation.keep(at: moment) }
            return true
        }
        #expect(deliver(60))
        #expect(!deliver(60, isStored: false))
        #expect(deliver(40, isStored: false))
        #expect(deliver(40, hours: 12))
        #expect(!deliver(1, hours: 23))
        #expect(deliver(100, of: "other", hours: 23))
        #expect(deliver(60, hours: 25.1))
        #expect(!deliver(1, hours: 25.1))
        // The first run of a day fits, however large.
        #expect(deliver(1_000, of: "large"))
        #expect(!deliver(1, of: "large"))
        // What is being taken in counts, too.
        let first = quota.reserve(70, of: "two", most: 100, at: moment)
        #expect(quota.reserve(70, of: "two", most: 100, at: moment) == nil)
        withExtendedLifetime(first) {}
    }

    @Test func `files and folders take room, however small they are`() {
        func room(_ files: (String, Int)...) -> Int {
            Delivery(project: "p", files: files.map { Delivery.File(path: $0.0, sha256: "", size: $0.1) }).room
        }
        #expect(room(("a", 0)) == 4096)
        #expect(room(("a", 5000), ("b", 1)) == 5000 + 4096)
        #expect(room(("a/b/c", 1), ("a/b/d", 1), ("a/bc/d", 1)) == 4096 * (3 + 3))
    }

    @Test func `a run beyond what a token may deliver in a day is refused, and that of another is not`() async throws {
        let (one, other) = (
            try tokens.token("laptop", .submit, projects: ["team/*"]),
            try tokens.token("desk", .attest, projects: ["team/*"])
        )
        let dashboard = try tokens.dashboard(configuration: DashboardConfiguration(dailyBytes: 6000))
        let bytes = Array(repeating: UInt8(ascii: "x"), count: 60)
        let file = Delivery.File(path: "manifest.json", sha256: Digest.sha256(bytes), size: bytes.count)
        func deliver(_ number: Int, _ token: String) async throws -> Int {
            _ = try await dashboard.send(.put, "/api/v1/blobs/\(file.sha256)", bytes, token: token)
            let run = "/api/v1/runs/\(SampleRuns.id(number))"
            return try await dashboard.send(.put, run, TokenFolder.list("team/kit", [file]), token: token).status
        }
        let statuses = [
            try await deliver(1, one), try await deliver(2, one), try await deliver(3, other),
            try await deliver(4, other),
        ]
        // One of scope `attest` may deliver more.
        #expect(statuses == [201, 429, 201, 201])
    }

    @Test func `a token delivers to so many projects, and one that has another name now is none more`() throws {
        let secret = try tokens.token("laptop", .submit)
        let token = try #require(try TokenRegistry(tokens.file).token(of: secret, at: SampleRuns.moment))
        let sample = try SampleStore()
        defer { withExtendedLifetime(sample) {} }
        for (number, project) in [(1, "new"), (2, "other")] {
            var run = SampleRuns.passing(number)
            run.project = project
            run.delivery = DeliveryRecord(
                token: "laptop", isAttested: false, receivedAt: SampleRuns.moment, address: nil)
            try sample.ingest(run, keeping: nil)
        }
        let responder = try tokens.dashboard(store: sample, name: { $0 == "old" ? "new" : $0 }).responder
        for known in ["new", "old", "other"] { try responder.checkProjects(token, known, most: 2) }
        try responder.checkProjects(token, "third", most: 3)
        #expect(throws: CallError.self) { try responder.checkProjects(token, "third", most: 2) }
    }

    @Test func `names without end are not kept, whether they are refused or not`() async throws {
        let secret = try tokens.token("laptop", .submit, projects: ["team/*"])
        let ledger = MachineLedger(path: nil)
        let dashboard = try tokens.dashboard(ledger: ledger)
        let run = "/api/v1/runs/\(SampleRuns.id(1))"
        let name = "team/" + String(repeating: "x", count: 1 << 20)
        let long = try await dashboard.send(.put, run, TokenFolder.list(name), token: secret)
        #expect(long.status == 422)
        // One character of a mebibyte.
        let mark = "a" + String(repeating: "\u{301}", count: 1 << 19)
        let marked = try await dashboard.send(
            .put, run,
            TokenFolder.list(
                "team/kit",
                ["manifest.json", mark].map { Delivery.File(path: $0, sha256: Digest.sha256([]), size: 0) }),
            token: secret)
        #expect(marked.status == 422)
        #expect(long.text.utf8.count + marked.text.utf8.count < 10_000)
        let kept = ledger.records.map { ($0.project ?? "") + ($0.lastRefusal?.reason ?? "") }
        #expect(kept.count == 2)
        #expect(kept.allSatisfy { $0.utf8.count < 1_000 })
    }

    @Test func `lists that arrive have room for all and for one token`() async throws {
        let (anna, ben) = (try tokens.token("anna", .submit), try tokens.token("ben", .submit))
        let dashboard = try tokens.dashboard()
        let run = "/api/v1/runs/\(SampleRuns.id(1))"
        // Half of the room, as if it arrived just now.
        let held = dashboard.responder.lists.take(64 << 20, for: "anna")
        let list = try TokenFolder.list()
        let refused = try await dashboard.send(.put, run, list, token: anna)
        #expect(refused.status == 503)
        #expect(refused["Retry-After"] == "10")
        #expect(try await dashboard.send(.put, run, list, token: ben).status == 202)
        withExtendedLifetime(held) {}
    }

    @Test func `questions for verdicts wait by turns of the tokens, and too many of one are refused`() async throws {
        let (anna, ben) = (try tokens.token("anna", .submit), try tokens.token("ben", .submit))
        let dashboard = try tokens.dashboard(signs: true)
        let tree = String(repeating: "0", count: 40)
        let question = "/api/v1/verdicts?project=kit&tree=\(tree)&folder=&nonce=\(tree)"
        let over = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup { group in
            for _ in 0..<66 {
                group.addTask { try await dashboard.responder.questions.make(for: "anna") { over.wait() } }
            }
            while dashboard.responder.questions.waiting < 64 { await Task.yield() }
            let refused = try await dashboard.send(.get, question, token: anna)
            #expect(refused.status == 503)
            #expect(refused["Retry-After"] == "10")
            #expect(try await dashboard.send(.get, question, token: ben).status == 200)
            for _ in 0..<66 { over.signal() }
            try await group.waitForAll()
        }
    }

    @Test func `whole runs are made data one at a time for a reader, and nothing else and nobody else waits for that`()
        async throws
    {
        let dashboard = try SampleDashboard()
        let over = DispatchSemaphore(value: 0)
        let target = "/runs/\(SampleRuns.id(1))"
        try await withThrowingTaskGroup { group in
            group.addTask { try await dashboard.responder.reports.make(for: "192.0.2.1") { over.wait() } }
            group.addTask {
                let reply = try await dashboard.send(.get, "\(target).json")
                #expect(reply.status == 200)
            }
            while dashboard.responder.reports.waiting < 1 { await Task.yield() }
            #expect(try await dashboard.send(.get, target).status == 200)
            #expect(try await dashboard.send(.get, "/runs.json").status == 200)
            // Another reader compares two runs, and has a whole one, while that one waits.
            let comparison = "/compare?before=\(SampleRuns.id(1))&after=\(SampleRuns.id(2))"
            #expect(try await dashboard.send(.get, comparison, from: "192.0.2.2").status == 200)
            #expect(try await dashboard.send(.get, "\(target).json", from: "192.0.2.2").status == 200)
            #expect(dashboard.responder.reports.waiting == 1)
            over.signal()
            try await group.waitForAll()
        }
    }

    @Test func `whoever has gone costs no question to the store, and no line of the log`() async throws {
        let secret = try tokens.token("anna", .admin)
        let dashboard = try tokens.dashboard(signs: true)
        let tree = String(repeating: "0", count: 40)
        let targets = [
            "/", "/search?q=a", "/runs/\(SampleRuns.id(1))", "/runs/\(SampleRuns.id(1)).json",
            "/api/v1/verdicts?project=example/video-kit&tree=\(tree)&folder=&nonce=\(tree)",
        ]
        for target in targets {
            #expect(try await dashboard.send(.get, target, token: secret).status == 200, "\(target)")
        }
        func logged() -> [String] { dashboard.log.lines.filter { !$0.hasPrefix("debug") } }
        let before = logged()
        for target in targets {
            let gone = try await dashboard.send(.get, target, token: secret, isGone: { true })
            #expect(gone.status == 400, "\(target)")
        }
        #expect(logged() == before)
    }

    @Test func `a fault is in the log though the reader who met it has gone`() async throws {
        let store = try SampleStore()
        try store.ingest(SampleRuns.passing())
        let dashboard = try tokens.dashboard(store: store)
        #expect(try await dashboard.send(.get, "/").status == 200)
        try store.lose()
        // Whoever waits for a store that does not answer leaves before the fault is found.
        let asked = Mutex(0)
        let isGone: @Sendable () -> Bool = {
            asked.withLock { asked in
                asked += 1
                return asked > 1
            }
        }
        #expect(try await dashboard.send(.get, "/", isGone: isGone).status == 500)
        #expect(dashboard.log.lines.contains { $0.hasPrefix("error a request failed ") })
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::ffff:c000:201", "192.0.2.1"),
        ("2001:db8:0:7:8:9:a:b", "2001:db8:0:7::/64"), ("2001:DB8:0:7::", "2001:db8:0:7::/64"),
        ("2001:db8:0:8::", "2001:db8:0:8::/64"), ("::1", "0:0:0:0::/64"), ("", ""), ("local", "local"),
        ("64:ff9b::192.0.2.1", "192.0.2.1"), ("64:ff9b:1::192.0.2.1", "64:ff9b:1:0::/64"),
    ])
    func `a peer is its IPv4 address, or the network of its IPv6 address`(address: String, name: String) {
        #expect(PeerNetwork.name(of: address) == name)
    }

    @Test func `failed attempts from all addresses of a network are counted together`() async throws {
        _ = try tokens.token("anna", .read)
        let dashboard = try tokens.dashboard()
        func attempt(_ target: String, from address: String) async throws -> Int {
            try await dashboard.send(.get, target, token: "kanmon_x", from: address).status
        }
        for number in 0..<10 { #expect(try await attempt("/", from: "2001:db8::\(number)") == 401) }
        #expect(try await attempt("/", from: "2001:db8::ffff:1") == 429)
        #expect(try await attempt("/api/v1/whoami", from: "2001:db8:0:0:ffff::1") == 429)
        #expect(try await attempt("/", from: "2001:db8:0:1::1") == 401)
        for _ in 0..<10 { #expect(try await attempt("/", from: "::ffff:192.0.2.7") == 401) }
        #expect(try await attempt("/", from: "192.0.2.7") == 429)
    }

    @Test func `attempts from more networks than are counted are refused until some are over`() {
        let (limit, moment) = (AttemptLimit(most: 10, seconds: 60), SampleRuns.moment)
        func fail(_ peer: String, after seconds: Double = 0) -> Int? {
            limit.fail(peer, at: moment.addingTimeInterval(seconds))
        }
        #expect(fail("first") == nil)
        for number in 1..<AttemptLimit.mostPeers { #expect(fail("\(number)", after: 30) == nil) }
        #expect(fail("another", after: 30) == 60)
        #expect(fail("first", after: 30) == nil)
        // The first one is over, but it was looked for just now.
        #expect(fail("another", after: 59.5) == 60)
        #expect(fail("another", after: 60.2) == 60)
        #expect(fail("another", after: 60.6) == nil)
        #expect(fail("one more", after: 60.7) == 60)
    }

    @Test func `readers from all addresses of a network wait for their turn together`() async throws {
        let dashboard = try tokens.dashboard()
        let over = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup { group in
            for _ in 0..<66 {
                group.addTask { try await dashboard.responder.pages.make(for: "2001:db8:0:0::/64") { over.wait() } }
            }
            while dashboard.responder.pages.waiting < 64 { await Task.yield() }
            #expect(try await dashboard.send(.get, "/", from: "2001:db8::7").status == 503)
            #expect(try await dashboard.send(.get, "/", from: "2001:db8:0:1::7").status == 200)
            for _ in 0..<66 { over.signal() }
            try await group.waitForAll()
        }
    }

    @Test func `the manual has the bounds of the code`() throws {
        let manual = try String(contentsOf: Checkout.top.appending(path: "docs/admin.md"), encoding: .utf8)
        let table = try #require(manual.components(separatedBy: "\n## Bounds\n").last)
        let rows = table.split(separator: "\n").map { String($0) }
        func check(_ start: String, _ bounds: String...) throws {
            let row = try #require(rows.first(where: { $0.hasPrefix("| \(start)") }), "\(start)")
            for bound in bounds { #expect(row.contains(bound), "\(row)") }
        }
        func count(_ number: Int) -> String { Figures.grouped(number) }
        func mebibytes(_ bytes: Int) -> String { "\(bytes >> 20) MiB" }
        try check("runs delivered |", "60 a minute", "\(60 * DeliveryLimit.offersOfRun) offers")
        try check("projects that a token", count(DashboardResponder.mostProjects))
        try check(
            "files that arrive or wait",
            "\(PendingFiles.mostBytes >> 30) GiB and \(count(PendingFiles.mostFiles)) files")
        try check("runs in progress;", "\(RemoteLiveRuns.mostOfToken) of a token, \(RemoteLiveRuns.most) in all")
        try check("runs in progress;", "\(RemoteLiveRuns.largest >> 10) KiB, twice a second")
        try check("names and texts that are told", "\(count(LiveRun.longestText)) bytes; \(LiveProgress.mostFailures);")
        try check("names and texts that are told", "\(Int(RemoteLiveRuns.silence)) s")
        try check("a list of files |", mebibytes(Delivery.largestList))
        try check("a file, a run |", "\(mebibytes(BlobStore.largest)), \(mebibytes(Delivery.largestRun))")
        try check("module rules, excludes", "\(count(Policy.mostEntries)) each")
        try check("module rules, excludes", "\(Policy.mostPatterns) and \(Policy.longestPatterns >> 10) KiB in a list")
        try check("entries of the quarantine", count(Policy.mostInQuarantine))
        try check("waivers", count(Baseline.mostWaivers))
        try check("targets of a package", count(Baseline.mostTargets))
        try check("lines in a comparison", "\(count(LineLimits.highest)) of a file, \(count(LineLimits.total)) of all")
        try check("sessions of browsers", "\(SessionList.mostOfToken) of a token, \(count(SessionList.most)) in all")
        try check("cookies of sessions", "the first \(SessionCookie.most)")
        try check("an address; a form", "\(DashboardResponder.longestTarget >> 10) KiB;")
        try check("texts that a search looks at", mebibytes(SearchBudget.all))
        try check("badges and feeds kept", "\(Int(AnswerCache.lifetime)) s; \(count(AnswerCache.most)) of ")
        try check(
            "badges and feeds kept", "\(AnswerCache.largest >> 10) KiB each, \(mebibytes(AnswerCache.mostBytes)) in all"
        )
        try check("failed attempts", "\(count(AttemptLimit.mostPeers)) addresses")
        try check("a source file that", "\(mebibytes(SourceText.largest)); \(mebibytes(RunStore.mostOfSources)) of all")
        try check("a source file that", "the first \(count(SourceText.longest)) lines")
        try check("lines of a file as data", count(SourceFilePage.mostLines))
        try check("tests, failures, violations", "\(count(RunReport.mostAsData)) of each")
        try check("pages that follow runs", "\(LiveLimits().clients), a quarter")
        try check("machines on `/machines`", "\(DeliveringMachine.mostOfToken) of a token")
        try check("[webhooks]", "\(Webhook.most)")
        try check("messages of a webhook", count(WebhookFolder.mostMessages))
    }

    @Test func `a list of numbers is refused before it is decoded`() async throws {
        let secret = try tokens.token("laptop", .submit)
        let dashboard = try tokens.dashboard()
        let numbers =
            "{\"schemaVersion\":1,\"project\":\"kit\",\"files\":[" + String(repeating: "1,", count: 200_000) + "1]}"
        let reply = try await dashboard.send(
            .put, "/api/v1/runs/\(SampleRuns.id(1))", Array(numbers.utf8), token: secret)
        #expect(reply.status == 413)
        #expect(reply.text.contains("more than 120000 values"))
    }
}
