import Foundation
import Gate
import Pages
import RunModel
import Storage
import TestSupport
import Testing

@testable import Dashboard

/// A commit without a run of its own: an earlier run of the same tree, which was blocked, answered for it, and a waiver lets it pass.
@Suite struct KnownTreeTests {
    private static let project = SampleRuns.passing().project
    private static let amended = String(repeating: "c", count: 40)
    private static let base = BaseCommit(commit: String(repeating: "b", count: 40), kind: .parent, name: "main")

    private let sample: SampleStore

    init() throws { sample = try SampleStore() }

    /// Judges a run of a branch for the commit that it tested, and for the same tree with a waiver in the message of its commit.
    private func judgeTwice(_ run: TestRun, _ edit: (inout Revision) -> Void = { _ in }) throws {
        let day = CalendarDay(SampleRuns.moment).adding(days: 3)
        let change = GateChange(.testTargetOff, subject: "EndToEndTests", before: "on", after: "off")
        let blocked = Verdict(
            decision: .failed, violations: [.gateChange(change)], gaps: [], modules: [], policy: Policy(),
            base: BaseReview(commit: Self.base, changes: [change]))
        _ = try sample.store.ingest(run, verdict: blocked, runDirectory: nil)
        let waiver = Waiver(
            subject: "EndToEndTests", until: day, reason: "the staging server moves", commit: Self.amended, line: 3)
        var waived = change
        waived.waiver = waiver
        let entry = QuarantineEntry(test: "CoreTests.S/t", owner: "@qa", reason: "it drifts", expires: day)
        let passed = Verdict(
            decision: .passed, violations: [], gaps: [], modules: [], quarantine: [QuarantineStatus(entry: entry)],
            policy: Policy(),
            base: BaseReview(commit: Self.base, changes: [waived], waivers: [WaiverStatus(waiver, .used)]))
        var revision = try #require(run.revision)
        revision.commit = Self.amended
        edit(&revision)
        try sample.store.add(passed, of: run.id, on: revision, at: SampleRuns.moment.addingTimeInterval(60))
    }

    private func page(_ route: Route, isData: Bool = false) async throws -> String {
        try await SampleDashboard(store: sample.store).page(Address(route, isData: isData).href)
    }

    private static func link(_ run: RunID, commit: String? = nil) -> String {
        "href=\"\(Route.run(run, commit: commit).href)\""
    }

    @Test func `the state of a project is told by the verdict on its commit, and leads to that`() async throws {
        try judgeTwice(SampleRuns.passing(2))
        let (own, told) = (Self.link(SampleRuns.id(2)), Self.link(SampleRuns.id(2), commit: Self.amended))
        for route in [Route.home(), .wall, .list(.known, project: Self.project)] {
            let text = try await page(route)
            #expect(text.contains(told) && !text.contains(own), "\(route)")
        }
        #expect(try await page(.project(Self.project)).contains(told))
        #expect(try await page(.run(SampleRuns.id(2), commit: Self.amended)).contains("✓ Passed"))
        #expect(try await page(.home(), isData: true).contains("\"expires\":"))
    }

    @Test func `the address of a tree leads to what CI says of it, and never to a run of a laptop`() async throws {
        func delivered(_ run: TestRun, isAttested: Bool) -> TestRun {
            var run = run
            run.delivery = DeliveryRecord(
                token: isAttested ? "ci" : "laptop", isAttested: isAttested, receivedAt: SampleRuns.moment, address: nil
            )
            return run
        }
        try sample.ingest(delivered(SampleRuns.failing(3), isAttested: false), keeping: nil)
        let tree = try #require(SampleRuns.failing(3).revision?.tree)
        let dashboard = try SampleDashboard(store: sample.store)
        let target = Route.permalink(project: Self.project, .tree(tree)).href
        #expect(await dashboard.ask(target).status == 404)
        // The laptop's run is the newer one.
        try sample.ingest(delivered(SampleRuns.passing(2), isAttested: true), keeping: nil)
        let reply = await dashboard.ask(target)
        #expect(reply.status == 302)
        #expect(reply["Location"] == "/runs/\(SampleRuns.id(2))")
    }

    @Test func `the exceptions are those of the commit, with its run`() async throws {
        try judgeTwice(SampleRuns.passing(2))
        let route = Route.list(.exceptions, project: Self.project)
        let text = try await page(route)
        #expect(text.contains("the staging server moves") && text.contains("@qa"))
        #expect(text.contains("\(Self.link(SampleRuns.id(2), commit: Self.amended))><bdi>cccccccccccc</bdi></a>"))
        #expect(try await page(route, isData: true).contains("\"changes\":[\"test-target-off\"]"))
    }

    @Test func `what the gate says of a branch is what it says of its commit`() async throws {
        try sample.ingest(SampleRuns.passing(1), keeping: nil)
        var run = SampleRuns.passing(2)
        run.revision?.commit = String(repeating: "a", count: 40)
        run.revision?.branch = "topic"
        try judgeTwice(run)
        let told = Self.link(run.id, commit: Self.amended)
        let home = try await page(.home())
        #expect(home.contains(told) && !home.contains(Self.link(run.id)))
        let text = try await page(.branch("topic", project: Self.project))
        #expect(!text.contains("What the gate says"))
        let parts = text.components(separatedBy: "<h2>")
        #expect(parts[0].contains(told) && !parts[0].contains(Self.link(run.id)))
        let change = try #require(parts.first { $0.contains("What it changes") })
        #expect(change.contains(told) && !change.contains(Self.link(run.id)))
        let data = try await page(.branch("topic", project: Self.project), isData: true)
        #expect(data.contains("\"commit\":\"\(Self.amended)\"") && data.contains("\"violations\":[]"))
    }

    @Test func `a search finds branch, subject and hash of a commit without a run of its own`() async throws {
        try judgeTwice(SampleRuns.passing(2)) { revision in
            revision.branch = "release/2"
            revision.subject = "Wait for the staging server"
        }
        let told = Self.link(SampleRuns.id(2), commit: Self.amended)
        for text in ["STAGING", "cccccccccc"] { #expect(try await page(.search(text)).contains(told), "\(text)") }
        let branch = Route.branch("release/2", project: Self.project)
        #expect(try await page(.search("release")).contains("href=\"\(branch.href.replacing("&", with: "&amp;"))\""))
        #expect(try await page(branch).contains(told))
    }

    @Test func `a commit that has not passed leads to what is stored of it`() async throws {
        var run = SampleRuns.passing(2)
        run.revision?.commit = String(repeating: "a", count: 40)
        try judgeTwice(run)
        let (id, own) = (run.id, String(repeating: "a", count: 40))
        let audit: BranchAudit = { _, branch in
            CommitAudit(
                branch: branch, looked: 3,
                entries: [
                    .init(commit: Self.amended, subject: "stored", run: id, decision: .passed),
                    .init(commit: own, subject: "its own", run: id, decision: .failed),
                    // Its base has moved, so that it was judged again for the list.
                    .init(commit: Self.amended, subject: "not stored", run: id, decision: .undecided),
                ])
        }
        let dashboard = try SampleDashboard(store: sample.store, audit: audit)
        let text = try await dashboard.page(Route.list(.unverified, project: Self.project).href)
        // The verdict and the commit of a row are links.
        #expect(text.components(separatedBy: Self.link(id, commit: Self.amended)).count == 3)
        #expect(text.components(separatedBy: Self.link(id)).count == 5)
    }
}
