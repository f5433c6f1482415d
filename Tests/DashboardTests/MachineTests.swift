import Access
import Evidence
import Foundation
import HTTPTypes
import RunModel
import Storage
import TestSupport
import Testing

@testable import Dashboard

/// The machines that deliver, as the server knows them.
@Suite struct MachineTests {
    private let tokens: TokenFolder
    /// A store without runs, which lasts as long as the test.
    private let empty: SampleStore
    private let run = "/api/v1/runs/\(SampleRuns.id(9))"
    private let manifest = Array("{}".utf8)

    init() throws {
        tokens = try TokenFolder()
        empty = try SampleStore()
    }

    private var blob: String { "/api/v1/blobs/\(Digest.sha256(manifest))" }

    /// What a machine says of itself.
    private func claim(_ machine: String, waiting: String? = nil, agent: String = "kanmon/1.2.3") -> HTTPFields {
        var fields: HTTPFields = [.userAgent: agent]
        if let name = HTTPField.Name("Kanmon-Machine") { fields[name] = machine }
        if let waiting, let name = HTTPField.Name("Kanmon-Waiting") { fields[name] = waiting }
        return fields
    }

    private struct Row: Decodable, Equatable {
        struct Refusal: Decodable, Equatable {
            let code: String
            let reason: String
        }

        var machine: String?
        var token: String
        var trust: [String]
        var runs: Int
        var waiting: Int?
        var version: String?
        var refused: [String: Int]
        var lastRefusal: Refusal?
    }

    private struct Rows: Decodable { let data: [Row] }

    private func rows(_ dashboard: SampleDashboard, _ reader: String) async throws -> [Row] {
        let text = try await dashboard.send(.get, "/machines.json", token: reader).text
        return try JSONDecoder().decode(Rows.self, from: Data(text.utf8)).data
    }

    @Test func `a machine is known by its calls: its name, its version, and what waits there`() async throws {
        let (secret, reader) = (try tokens.token("anna", .submit), try tokens.token("reader", .read))
        let dashboard = try tokens.dashboard(store: empty)
        let list = try TokenFolder.list()
        func offer() async throws -> Int {
            try await dashboard.send(.put, run, list, fields: claim("laptop-3%C3%A9", waiting: "2"), token: secret)
                .status
        }
        #expect(try await offer() == 202)
        // The run that is offered waits, too, until all of it is here.
        var expected = Row(
            machine: "laptop-3é", token: "anna", trust: ["laptop"], runs: 0, waiting: 3, version: "1.2.3",
            refused: [:])
        #expect(try await rows(dashboard, reader) == [expected])
        _ = try await dashboard.send(.put, blob, manifest, fields: claim("laptop-3%C3%A9", waiting: "9"), token: secret)
        #expect(try await offer() == 201)
        expected.waiting = 2
        #expect(try await rows(dashboard, reader) == [expected])
        let page = try await dashboard.send(.get, "/machines", token: reader).text
        #expect(page.contains("laptop-<wbr>3é") && page.contains("token anna") && page.contains("just now"))
        #expect(page.contains("1 machine delivered 0 runs") && page.contains("2 runs wait there"))
        #expect(
            try await dashboard.send(.get, "/metrics", token: reader).text
                .contains("kanmon_runs_waiting{machine=\"laptop-3é\",token=\"anna\"} 2\n"))
    }

    @Test func `what is refused is counted by its reason, and the last one is told`() async throws {
        let (secret, reader) = (try tokens.token("anna", .submit, projects: ["kit"]), try tokens.token("reader", .read))
        let some = try tokens.token("some", .read, projects: ["kit"])
        let clock = MovingClock()
        let dashboard = try tokens.dashboard(store: empty, clock: { clock.now })
        let fields = claim("laptop-3", waiting: "0")
        _ = try await dashboard.send(.put, run, TokenFolder.list(), fields: fields, token: secret)
        clock.pass(1)
        for project in ["other", "more"] {
            _ = try await dashboard.send(.put, run, TokenFolder.list(project), fields: fields, token: secret)
        }
        clock.pass(1)
        _ = try await dashboard.send(.put, blob, Array("{]".utf8), fields: fields, token: secret)
        let row = try #require(try await rows(dashboard, reader).first)
        #expect(row.refused == ["not-allowed": 2, "impossible": 1] && row.waiting == 0)
        #expect(row.lastRefusal?.code == "impossible")
        let page = try await dashboard.send(.get, "/machines", token: reader).text
        #expect(page.contains("impossible 1, not-<wbr>allowed 2"))
        // What names no project that the reader may see is not for them.
        let seen = try #require(try await rows(dashboard, some).first)
        #expect(seen.refused == [:])
        // A machine counts what waits for all projects.
        #expect(seen.waiting == nil)
    }

    @Test func `machines are kept to a class of trust and ordered by the address, page and data alike`() async throws {
        let reader = try tokens.token("reader", .read)
        let (ci, laptop) = (try tokens.token("ci", .attest), try tokens.token("anna", .submit))
        let clock = MovingClock()
        let dashboard = try tokens.dashboard(store: empty, clock: { clock.now })
        for (secret, machine, waiting) in [(ci, "agent-2", "0"), (laptop, "laptop-3", "7"), (ci, "agent-1", "2")] {
            _ = try await dashboard.send(
                .get, "/api/v1/whoami", fields: claim(machine, waiting: waiting), token: secret)
            clock.pass(60)
        }
        func names(_ query: String) async throws -> [String?] {
            let text = try await dashboard.send(.get, "/machines.json\(query)", token: reader).text
            return try JSONDecoder().decode(Rows.self, from: Data(text.utf8)).data.map(\.machine)
        }
        #expect(try await names("") == ["agent-1", "laptop-3", "agent-2"])
        #expect(try await names("?sort=time&order=asc") == ["agent-2", "laptop-3", "agent-1"])
        #expect(try await names("?sort=name") == ["agent-1", "agent-2", "laptop-3"])
        #expect(try await names("?sort=waiting") == ["laptop-3", "agent-1", "agent-2"])
        #expect(try await names("?trust=ci&sort=name&order=desc") == ["agent-2", "agent-1"])
        #expect(try await names("?trust=distrusted") == [])
        let page = try await dashboard.send(.get, "/machines?trust=laptop", token: reader).text
        #expect(
            page.contains("laptop-<wbr>3") && !page.contains("agent") && page.contains("1 machine delivered 0 runs"))
        #expect(page.contains("<a href=\"/machines?trust=laptop&amp;sort=name&amp;order=asc\">"))
        #expect(
            try await dashboard.send(.get, "/machines?trust=distrusted", token: reader).text
                .contains("Nothing in this list matches."))
        #expect(try await dashboard.send(.get, "/machines?trust=local", token: reader).status == 400)
    }

    @Test func `a claim that nobody could read is none`() async throws {
        let (secret, reader) = (try tokens.token("ci", .attest), try tokens.token("reader", .read))
        let dashboard = try tokens.dashboard(store: empty)
        let long = String(repeating: "x", count: 256)
        for (machine, waiting, agent) in [
            ("%00", "-1", "curl/8"), ("%FF", "x", "kanmon/"), (long, "99999999999", "kanmon/<b>"),
            ("%E2%80%AEa", "", ""),
        ] {
            _ = try await dashboard.send(
                .get, "/api/v1/whoami", fields: claim(machine, waiting: waiting, agent: agent), token: secret)
        }
        #expect(
            try await rows(dashboard, reader) == [Row(token: "ci", trust: ["ci"], runs: 0, refused: [:])])
        // A reader is no machine.
        _ = try await dashboard.send(.get, "/api/v1/whoami", fields: claim("desk"), token: reader)
        _ = try await dashboard.send(.put, run, manifest, fields: claim("desk"), token: reader)
        #expect(try await rows(dashboard, reader).count == 1)
    }

    @Test func `no token says anything of the machine of another one, whatever name it takes`() async throws {
        let (ci, laptop) = (try tokens.token("ci", .attest), try tokens.token("anna", .submit))
        let reader = try tokens.token("reader", .read)
        let dashboard = try tokens.dashboard(store: empty)
        for (secret, waiting) in [(ci, "0"), (laptop, "4711"), (reader, "4711")] {
            _ = try await dashboard.send(
                .put, run, [], fields: claim("agent-7", waiting: waiting), token: secret)
        }
        let found = try await rows(dashboard, reader)
        #expect(
            found.map { "\($0.token) \($0.trust) \($0.waiting ?? -1)" }.sorted() == [
                #"anna ["laptop"] 4712"#, #"ci ["ci"] 1"#,
            ])
    }

    @Test func `runs that were delivered tell of their machines by themselves`() async throws {
        let store = try SampleStore()
        var run = SampleRuns.passing()
        run.origin = RunHost(host: "agent-1")
        run.delivery = DeliveryRecord(token: "ci", isAttested: true, receivedAt: SampleRuns.moment, address: nil)
        try store.ingest(run)
        let (reader, other) = (try tokens.token("reader", .read), try tokens.token("other", .read, projects: ["x"]))
        let dashboard = try tokens.dashboard(store: store)
        #expect(
            try await rows(dashboard, reader) == [
                Row(machine: "agent-1", token: "ci", trust: ["ci"], runs: 1, refused: [:])
            ])
        #expect(try await dashboard.send(.get, "/machines", token: reader).text.contains("2 hours ago"))
        #expect(try await rows(dashboard, other) == [])
        let page = try await dashboard.send(.get, "/machines", token: other).text
        #expect(page.contains("No machine has delivered a run yet.") && !page.contains("agent"))
    }

    @Test func `what is remembered survives the server, and what is damaged is begun anew`() async throws {
        let (secret, reader) = (try tokens.token("anna", .submit), try tokens.token("reader", .read))
        func dashboard() throws -> (SampleDashboard, MachineLedger) {
            let ledger = MachineLedger(path: tokens.machines)
            return (try tokens.dashboard(store: empty, ledger: ledger), ledger)
        }
        let (first, ledger) = try dashboard()
        _ = try await first.send(
            .put, run, TokenFolder.list(), fields: claim("laptop-3", waiting: "4"), token: secret)
        _ = try await first.send(.put, run, [], fields: claim("laptop-3"), token: secret)
        ledger.save()
        let before = try await rows(first, reader)
        #expect(before.first?.refused == ["malformed": 1] && before.first?.waiting == 5)
        #expect(try await rows(try dashboard().0, reader) == before)
        try Data("{".utf8).write(to: URL(filePath: tokens.machines))
        #expect(try await rows(try dashboard().0, reader) == [])
        // A newer version is left as it is.
        let newer = Data("{\"schemaVersion\":2}".utf8)
        try newer.write(to: URL(filePath: tokens.machines))
        let (third, kept) = try dashboard()
        _ = try await third.send(.get, "/api/v1/whoami", fields: claim("laptop-3"), token: secret)
        kept.save()
        #expect(try Data(contentsOf: URL(filePath: tokens.machines)) == newer)
    }

    @Test func `made-up names fill no memory`() throws {
        let secret = try tokens.token("anna", .submit)
        let ledger = MachineLedger(path: nil)
        let token = try #require(try tokens.file.tokens().first)
        #expect(!secret.isEmpty)
        for number in 0..<600 {
            var call = DeliveryCall(.identity, claim("m\(number)"))
            call.token = token
            ledger.note(
                call, waiting: nil, refusal: nil, at: SampleRuns.moment.addingTimeInterval(Double(number)))
        }
        let names = Set(ledger.records.compactMap(\.host))
        #expect(names.count == 500 && names.contains("m599") && !names.contains("m0"))
    }

    @Test func `a token that names ever more machines has 500 of them in the list and the metrics, and a sum`() throws {
        let start = SampleRuns.moment
        let runs = (0..<502).map { number in
            DeliveredRuns(
                project: "kit", host: "m\(number)", token: "anna", trust: .laptop, count: 1,
                latest: start.addingTimeInterval(Double(number)))
        }
        // The store has summed some, too.
        let sum = DeliveredRuns(
            project: "kit", host: nil, token: "anna", trust: .workingCopy, count: 9, latest: start, others: 4)
        let agent = DeliveredRuns(
            project: "kit", host: "agent", token: "ci", trust: .ci, count: 1, latest: start.addingTimeInterval(-60))
        var record = MachineRecord(host: "m0", token: "anna", project: "kit", isAttested: false, heard: start)
        record.waiting = 3
        let machines = DeliveringMachine.all(runs + [sum, agent], [record], since: 0)
        #expect(machines.count == 502)
        let expected = DeliveringMachine(
            host: nil, token: "anna", trust: [.laptop, .workingCopy], runs: 11, lastHeard: runs[1].latest, waiting: 3,
            others: 6)
        #expect(machines.filter { $0.others != nil } == [expected])
        #expect(machines.last?.host == "agent")
        let names = (2..<502).reversed().map { "m\($0)" }
        #expect(machines.prefix(500).compactMap(\.host) == names)
        let lines = DeliveringMachine.lines(of: machines)
        #expect(lines.filter { $0.contains("token=\"anna\"") }.count == 500)
        let texts = try [machines[0], expected].map { try DashboardResponder.encode(MachineResponse($0)) }
        #expect(!texts[0].contains("others") && texts[1].contains("\"others\":6"))
    }

    @Test func `refusals of more than a month ago do not count`() {
        func record(_ day: Int) -> MachineRecord {
            var record = MachineRecord(
                host: "a", token: "t", project: nil, isAttested: false, heard: Date(timeIntervalSince1970: 0))
            let refusal = RefusedDelivery(
                code: .conflict, reason: "r", moment: Date(timeIntervalSince1970: Double(day) * 86_400))
            for _ in 0..<2 { record.count(refusal, first: 0) }
            return record
        }
        let machine = DeliveringMachine.all([], [record(9), record(40)], since: 10)
        #expect(machine.map(\.refusals) == [[.conflict: 2]])
        #expect(DeliveringMachine.all([], [record(9)], since: 10).first?.lastRefusal?.code == .conflict)
    }
}
