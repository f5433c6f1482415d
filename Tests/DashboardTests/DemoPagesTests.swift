import Demo
import Evidence
import Foundation
import Gate
import RunModel
import Storage
import TestSupport
import Testing

@testable import Dashboard
@testable import Pages

/// The demo history in a real store, and every page of it asked for through the responder.
@Suite struct DemoPagesTests {
    static let project = "example.com/video-kit"

    private static let folder = FileManager.default.temporaryDirectory.appending(path: "kanmon-demo-pages-\(UUID())")

    /// The store, made once and removed when the tests end: it is only read.
    private static let store = Result {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: DemoPagesTests.folder) }
        let store = try RunStore(path: folder.appending(path: "kanmon.sqlite").path())
        for history in [DemoHistory.postcodes, .videoKit] {
            try history.forEach { judged, _ in
                _ = try store.ingest(judged.run, verdict: judged.verdict, runDirectory: nil)
                if let amended = DemoKnownTree(amending: judged) {
                    try store.add(amended.verdict, of: judged.run.id, on: amended.revision, at: amended.judgedAt)
                }
            }
        }
        return store
    }

    private func dashboard(_ progressFiles: ProgressFiles? = nil) throws -> SampleDashboard {
        try SampleDashboard(store: Self.store.get(), progressFiles: progressFiles, clock: { DemoHistory.now })
    }

    @Test func `home names the project that is blocked, what regressed and since which commit`() async throws {
        let page = try await dashboard().page("/")
        #expect(page.contains("1 of 2 projects is failing on its default branch."))
        #expect(page.contains("test_<wbr>異常系_<wbr>thumbnailのURLがnil"))
        #expect(page.contains("Decode thumbnails without width"))
    }

    @Test func `the branch whose commit has no run of its own leads to the verdict on that commit`() async throws {
        let branch = "fix/décodeur"
        let states = try Self.store.get().wholeRuns(project: Self.project, branch: branch, limit: 2)
        let latest = try #require(states.first)
        #expect(states.map(\.decision) == [.passed, .failed] && Set(states.map(\.id)).count == 1)
        #expect(latest.judgedCommit != nil && latest.judgedCommit == latest.revision?.commit)
        #expect(try await dashboard().page("/").contains("href=\"\(latest.route.href)\""))
    }

    @Test func `a project has a chart of its tests, its duration and each of its modules`() async throws {
        let page = try await dashboard().page("/project?project=\(Self.project)")
        let titles = ["Tests", "Duration", "VideoKit", "ThumbnailKit", "YoutubeAPI", "videotool"]
        #expect(page.components(separatedBy: "<figure class=\"chart\">").count - 1 == titles.count)
        for title in titles { #expect(page.contains("<strong><bdi>\(title)</bdi></strong>")) }
        #expect(page.contains("fix/<wbr>décodeur"))
    }

    @Test func `a branch says what fails there, with what was said, since which commit, and where it last passed`()
        async throws
    {
        let dashboard = try dashboard()
        let branch = Route.branch("main", project: Self.project)
        let link = "<a href=\"\(branch.href.replacing("&", with: "&amp;"))\">"
        for page in ["/", "/project?project=\(Self.project)"] { #expect(try await dashboard.page(page).contains(link)) }
        let page = try await dashboard.page(branch.href)
        let parts = page.components(separatedBy: "<h2>")
        #expect(parts[1].contains("Failing now") && parts[1].contains("test_<wbr>異常系_<wbr>thumbnailのURLがnil"))
        #expect(parts[1].contains("Decode thumbnails without width"))
        #expect(parts[2].contains("Latest run that passed") && parts[2].contains("class=\"state passed\""))
        let body = try await dashboard.page(Address(branch, isData: true).href)
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        let data = try #require(answer["data"] as? [String: Any])
        let failing = try #require((data["failing"] as? [[String: Any]])?.first)
        let message = try #require(failing["message"] as? String)
        #expect(page.contains("<small><bdi>") && !message.isEmpty)
        let since = try #require(failing["since"] as? [String: Any])
        #expect(since["subject"] as? String == "Decode thumbnails without width")
        let lastPassed = try #require(data["lastPassed"] as? [String: Any])
        #expect(lastPassed["decision"] as? String == "passed")
        #expect(await dashboard.ask("/branch?project=\(Self.project)&branch=nowhere").status == 404)
        #expect(await dashboard.ask("/branch.json?project=\(Self.project)&branch=nowhere").status == 404)
        #expect(await dashboard.ask("/branch?project=nobody&branch=main").status == 404)
    }

    @Test func `a branch that passes has nothing before its runs`() async throws {
        let page = try await dashboard().page(Route.branch("main", project: "example.com/郵便番号").href)
        #expect(page.contains("Latest full runs") && !page.contains("Failing now"))
        #expect(!page.contains("Latest run that passed"))
    }

    @Test func `a test tells since when it fails and which runs lie between`() async throws {
        let test = TestID(module: "VideoKitTests", suite: "VideoInfoTests", name: "test_異常系_thumbnailのURLがnil")
        let page = try await dashboard().page(Route.test(test, project: Self.project).href)
        #expect(page.contains("Failing since"))
        #expect(page.contains("Runs up to its first failure"))
        #expect(page.contains("Decode thumbnails without width"))
    }

    @Test(arguments: [
        (ProjectListKind.flaky, "DecoderTests/<wbr>testParallelDecoding"), (.slow, "DecodingTime/<wbr>testAV1Minute"),
        (.flaky, "<bdi>@network</bdi><small><bdi>until 2026-12-31"),
        (.exceptions, "the clock of the stub server drifts"), (.known, "the profile of HLG is read as PQ"),
        (.exclusions, "made by scripts/<wbr>generate.<wbr>sh"),
    ])
    func `a list has the entries of the history`(list: ProjectListKind, text: String) async throws {
        #expect(try await dashboard().page(Route.list(list, project: Self.project).href).contains(text))
    }

    @Test func `the page of an excluded file says that its lines do not count, and that of another does not`()
        async throws
    {
        let dashboard = try dashboard()
        let run = try #require(try Self.store.get().wholeRuns(project: Self.project, branch: nil, limit: 1).first).id
        for (path, isExcluded) in [
            ("Sources/VideoKit/Generated/Codecs.swift", true), ("Sources/VideoKit/VideoInfo.swift", false),
        ] {
            let page = try await dashboard.page(Route.source(run, path: path).href)
            #expect(page.contains(CountedFiles.exclusion) == isExcluded, "\(path)")
        }
    }

    @Test func `an exception is shown with its reason, its last day and its commit`() async throws {
        let dashboard = try dashboard()
        let page = try await dashboard.page(Route.list(.exceptions, project: Self.project).href)
        let parts = page.components(separatedBy: "<h2>").map { $0.components(separatedBy: "</section>")[0] }
        #expect(parts.count == 4)
        #expect(parts[1].contains("Waivers in force") && parts[1].contains("the staging server moves to another host"))
        #expect(parts[1].contains("2026-<wbr>03-<wbr>31") && parts[1].contains("29 days left"))
        #expect(parts[1].contains("<a href=\"/runs/"))
        #expect(parts[2].contains("Tests in quarantine") && parts[2].contains("@network"))
        #expect(parts[3].contains("Test targets that are switched off") && parts[3].contains("EndToEndTests"))
        let target = Address(.list(.exceptions, project: Self.project), isData: true).href
        let answer = try #require(
            try JSONSerialization.jsonObject(with: Data(try await dashboard.page(target).utf8)) as? [String: Any])
        let data = try #require(answer["data"] as? [String: Any])
        let waiver = try #require((data["waivers"] as? [[String: Any]])?.first)
        #expect(waiver["subject"] as? String == "EndToEndTests" && waiver["until"] as? String == "2026-03-31")
        #expect(data["disabledTargets"] as? [String] == ["EndToEndTests"])
        let other = try await dashboard.page(Route.list(.exceptions, project: "example.com/郵便番号").href)
        #expect(other.contains("There are no exceptions."))
    }

    @Test func `a list of runs says what blocked and which run is a part`() async throws {
        let page = try await dashboard().page("/runs?project=\(Self.project)")
        #expect(page.contains("Passed, part") && page.contains("The change is under its floor"))
    }

    @Test func `a list of runs is filtered by its address, and its pages keep the filter`() async throws {
        let dashboard = try dashboard()
        let target = "/runs?project=\(Self.project)&branch=main&verdict=failed&author=&since=2026-02-01&until="
        let page = try await dashboard.page(target)
        #expect(page.contains("<option value=\"failed\" selected>"))
        #expect(page.contains("class=\"state failed\"") && !page.contains("class=\"state passed\""))
        let body = try await dashboard.page(target.replacing("/runs?", with: "/runs.json?"))
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        let runs = try #require(answer["data"] as? [[String: Any]])
        #expect(!runs.isEmpty)
        for run in runs {
            #expect(run["branch"] as? String == "main" && run["decision"] as? String == "failed")
            #expect((run["startedAt"] as? String ?? "") >= "2026-02-01")
        }
        #expect(
            try await dashboard.page("/runs?project=\(Self.project)&verdict=passed").contains(
                "&amp;verdict=passed&amp;before="))
        #expect(try await dashboard.page("/runs?author=nobody").contains("No run matches."))
        #expect(await dashboard.ask("/runs?verdict=green").status == 400)
        #expect(await dashboard.ask("/runs?since=yesterday").status == 400)
    }

    /// Values of the entries of a list, in its order.
    private func values<Value>(_ target: String, _ read: ([String: Any]) -> Value?) async throws -> [Value] {
        let body = try await dashboard().page(target)
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        return try #require(answer["data"] as? [[String: Any]]).compactMap(read)
    }

    private static func tally(_ entry: [String: Any]) -> (covered: Int, total: Int)? {
        let tally = (entry["tally"] ?? entry["lines"]) as? [String: Any]
        guard let covered = tally?["covered"] as? Int, let total = tally?["total"] as? Int else { return nil }
        return (covered, total)
    }

    @Test func `runs are ordered by the address, page and data alike, and their links keep order and filter`()
        async throws
    {
        let target = "/runs?project=\(Self.project)&branch=main&sort=duration"
        let times = try await values(target.replacing("/runs", with: "/runs.json")) {
            $0["durationNanoseconds"] as? Int
        }
        #expect(times.count == 50 && times == times.sorted(by: >))
        let page = try await dashboard().page(target)
        #expect(page.contains("<th scope=\"col\" class=\"n\" aria-sort=\"descending\">"))
        #expect(page.components(separatedBy: "aria-sort=").count == 2)
        let kept = "project=\(Self.project)&amp;branch=main&amp;sort="
        #expect(page.contains("/runs?\(kept)duration&amp;order=desc&amp;before="))
        #expect(
            page.contains("/runs?\(kept)duration&amp;order=asc\"")
                && page.contains("/runs?\(kept)verdict&amp;order=desc\""))
        #expect(page.contains("name=\"sort\" value=\"duration\"") && page.contains("name=\"order\" value=\"desc\""))
        let plain = try await dashboard().page("/runs?project=\(Self.project)")
        #expect(
            plain.contains(
                "aria-sort=\"descending\"><a href=\"/runs?project=\(Self.project)&amp;sort=time&amp;order=asc\">"))
        let least = try await values("/runs.json?sort=coverage", Self.tally)
        #expect(
            least.map { Double($0.covered) / Double($0.total) }
                == least.map { Double($0.covered) / Double($0.total) }.sorted())
    }

    @Test func `tests, lists of tests and files are ordered by the address`() async throws {
        let latest = try #require(try Self.store.get().latestRun(project: Self.project)).id
        let tests = "/runs/\(latest)/tests?target=VideoKitTests"
        let times = try await values("\(tests)&sort=duration".replacing("/tests", with: "/tests.json")) {
            $0["durationNanoseconds"] as? Int
        }
        #expect(times.count > 3 && times == times.sorted(by: >))
        let page = try await dashboard().page("\(tests)&sort=duration")
        #expect(page.contains("aria-sort=\"descending\"") && page.contains("<a href=\"\(tests)\"><bdi>Suite by suite"))
        let outcomes = try await values("\(tests)&sort=outcome".replacing("/tests", with: "/tests.json")) {
            $0["outcome"] as? String
        }
        #expect(outcomes.first == "failed" && outcomes.last == "passed")
        let missed = try await values("/runs/\(latest)/coverage.json?sort=missed", Self.tally).map {
            $0.total - $0.covered
        }
        #expect(missed.count > 3 && missed == missed.sorted(by: >))
        let flips = try await values("/flaky.json?project=\(Self.project)&sort=flips&order=asc") { $0["flips"] as? Int }
        #expect(flips.count > 1 && flips == flips.sorted())
        let longest = try await values("/slow.json?project=\(Self.project)&sort=longest") {
            $0["longestNanoseconds"] as? Int
        }
        #expect(longest.count > 3 && longest == longest.sorted(by: >))
        let slow = try await dashboard().page("/slow?project=\(Self.project)")
        #expect(
            slow.contains(
                "aria-sort=\"descending\"><a href=\"/slow?project=\(Self.project)&amp;sort=duration&amp;order=asc\">"))
        #expect(await (try dashboard()).ask("/slow?project=\(Self.project)&sort=flips").status == 400)
    }

    @Test func `every head of a list leads to the list by it`() async throws {
        let latest = try #require(try Self.store.get().latestRun(project: Self.project)).id
        let routes: [(Route, [ListOrder.Key])] =
            [
                (.home(), ListColumns.projects.sortKeys), (.runs(), ListColumns.runs.sortKeys),
                (.tests(latest, target: "VideoKitTests"), ListColumns.tests.sortKeys),
                (.coverage(latest), SheetPage.fileSortKeys),
            ] + ProjectListKind.allCases.map { (.list($0, project: Self.project), $0.sortKeys) }
        for (route, keys) in routes {
            let page = try await dashboard().page(route.href)
            // What the demo has nothing of has no table.
            guard page.contains("<th scope") else {
                #expect(
                    [Route.list(.owners, project: Self.project), .list(.unverified, project: Self.project)].contains(
                        route))
                continue
            }
            let links = page.matches(of: /[?;]sort=([a-z]+)&amp;order=/).map { String($0.output.1) }
            #expect(Set(links) == Set(keys.map(\.rawValue)), "\(route.href)")
        }
    }

    @Test func `projects are kept and ordered by the address, page and data alike`() async throws {
        let (failed, passed) = (Self.project, "example.com/郵便番号")
        func names(_ query: String) async throws -> [String] {
            try await values("/index.json\(query)") { $0["name"] as? String }
        }
        #expect(try await names("") == [failed, passed])
        #expect(try await names("?sort=verdict&order=asc") == [passed, failed])
        #expect(try await names("?sort=name") == [failed, passed].sorted { Name($0) < Name($1) })
        #expect(try await names("?sort=runs") == [failed, passed])
        #expect(try await names("?verdict=passed") == [passed])
        #expect(try await names("?verdict=none") == [])
        let page = try await dashboard().page("/?verdict=passed&sort=name")
        #expect(page.contains("<option value=\"passed\" selected>") && page.contains("1 of 2 projects is failing"))
        #expect(page.contains("郵便番号") && !page.contains("Failing on default branches"))
        #expect(page.contains("<a href=\"/?verdict=passed&amp;sort=name&amp;order=desc\">"))
        #expect(page.contains("<a href=\"/?sort=name&amp;order=asc\">Show all</a>"))
        #expect(try await dashboard().page("/?verdict=none").contains("Nothing in this list matches."))
        #expect(await (try dashboard()).ask("/index.json?sort=flips").status == 400)
    }

    @Test func `exceptions are kept to one owner by the address, page and data alike`() async throws {
        func names(_ query: String) async throws -> [String] {
            let body = try await dashboard().page("/exceptions.json?project=\(Self.project)\(query)")
            let answer = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
            let data = try #require(answer["data"] as? [String: Any])
            return ["waivers", "quarantine"].flatMap { part in
                (data[part] as? [[String: Any]] ?? []).compactMap { ($0["subject"] ?? $0["test"]) as? String }
            } + (data["disabledTargets"] as? [String] ?? [])
        }
        let all = try await names("")
        let quarantined = try await names("&owner=@network")
        #expect(!quarantined.isEmpty && quarantined.count < all.count && Set(quarantined).isSubset(of: all))
        #expect(try await names("&owner=@Network") == [])
        #expect(try await Set(names("&sort=expires&order=desc")) == Set(all))
        let target = Route.list(.exceptions, project: Self.project, kept: "@network").href
        let page = try await dashboard().page(target)
        #expect(page.contains("Tests in quarantine") && !page.contains("Waivers in force"))
        #expect(page.contains("<label>Owner <input name=\"owner\" value=\"@network\"></label>"))
        #expect(
            try await dashboard().page(target.replacing("network", with: "nobody"))
                .contains("Nothing in this list matches."))
    }

    @Test func `the ledger of a selection is kept and ordered by the address, and its words are about all runs`()
        async throws
    {
        let path = "/selection.json?project=\(Self.project)"
        let runs = try await values(path) { $0["run"] as? String }
        #expect(runs.count > 3)
        let oldestFirst = try await values("\(path)&sort=time&order=asc") { $0["run"] as? String }
        #expect(oldestFirst == Array(runs.reversed()))
        let tests = try await values("\(path)&sort=tests") { $0["tests"] as? Int }
        #expect(tests == tests.sorted(by: >) && tests.count == runs.count)
        let green = try await values("\(path)&kind=green") { $0["newFailures"] as? Int }
        let red = try await values("\(path)&kind=red") { $0["run"] as? String }
        let missed = try await values("\(path)&kind=missed") { $0["run"] as? String }
        #expect(green.allSatisfy { $0 == 0 } && green.count + red.count + missed.count == runs.count)
        let words = "In \(runs.count) runs, "
        #expect(try await dashboard().page("/selection?project=\(Self.project)&kind=green").contains(words))
    }

    @Test func `unverified commits are kept and ordered by the address`() async throws {
        let run = try #require(try Self.store.get().latestRun(project: Self.project)).id
        let audit: BranchAudit = { _, branch in
            CommitAudit(
                branch: branch, looked: 7,
                entries: [
                    .init(commit: "c3", subject: "b", run: nil, decision: nil),
                    .init(commit: "c2", subject: "a", run: run, decision: .failed),
                    .init(commit: "c1", subject: "c", run: run, decision: .undecided),
                ])
        }
        let dashboard = try SampleDashboard(store: Self.store.get(), audit: audit, clock: { DemoHistory.now })
        func commits(_ query: String) async throws -> [String] {
            let body = try await dashboard.page("/unverified.json?project=\(Self.project)\(query)")
            let answer = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
            let data = try #require(answer["data"] as? [String: Any])
            return try #require(data["commits"] as? [[String: Any]]).compactMap { $0["commit"] as? String }
        }
        #expect(try await commits("") == ["c3", "c2", "c1"])
        #expect(try await commits("&sort=time") == ["c3", "c2", "c1"])
        #expect(try await commits("&sort=time&order=asc") == ["c1", "c2", "c3"])
        #expect(try await commits("&sort=verdict") == ["c2", "c1", "c3"])
        #expect(try await commits("&sort=name") == ["c2", "c3", "c1"])
        #expect(try await commits("&verdict=none") == ["c3"])
        #expect(try await commits("&verdict=failed&sort=name&order=desc") == ["c2"])
        let page = try await dashboard.page("/unverified?project=\(Self.project)&verdict=undecided")
        #expect(page.contains("1. Of the last 7 commits of main, first parents only."))
    }

    @Test(arguments: [
        ("検索", 6), ("か\u{3099}nil", 9), ("TESTPARALLEL", 1), ("retry.swift", 1), ("nothing like it", 0), ("", 0),
        ("🇯🇵 は一文字", 1), ("cached image EXPIRES", 1),
    ])
    func `search compares in one normal form and without regard to case`(text: String, count: Int) async throws {
        let page = try await dashboard().page(Route.search(text).href)
        #expect(page.components(separatedBy: "<td class=\"name\"").count - 1 == count)
    }

    @Test func `search finds runs by a commit and by an id`() async throws {
        let latest = try #require(try Self.store.get().latestRun(project: Self.project))
        for text in [latest.id.description, latest.id.short, String(try #require(latest.revision?.commit).prefix(9))] {
            #expect(try await dashboard().page(Route.search(text).href).contains("href=\"/runs/\(latest.id)\""))
        }
    }

    @Test func `search finds what people wrote, the test targets, and what tests said`() async throws {
        let store = try Self.store.get()
        var words: [RunSearchText] = []
        try store.forEachWords(project: Self.project, runs: 200) { text in
            words.append(text)
            return true
        }
        let branch = try #require(words.compactMap(\.branch).first { $0 != "main" })
        let author = try #require(words.compactMap(\.author).first)
        let subject = try #require(words.compactMap(\.subject).first)
        func found(_ text: String) async throws -> String { try await dashboard().page(Route.search(text).href) }
        #expect(
            try await found(branch.uppercased()).contains(
                Route.branch(branch, project: Self.project).href.replacing("&", with: "&amp;")))
        #expect(
            try await found(author).contains(
                Route.runs(project: Self.project, filter: RunFilter(author: author)).href.replacing("&", with: "&amp;"))
        )
        let run = try #require(words.first { $0.subject == subject }?.run)
        #expect(try await found(subject).contains("href=\"/runs/\(run)\""))
        let latest = try #require(try store.wholeRuns(project: Self.project, branch: nil, limit: 1).first?.id)
        let target = try #require(try store.run(latest)?.run.tests.first?.id.module)
        #expect(
            try await found(target).contains(Route.tests(latest, target: target).href.replacing("&", with: "&amp;")))
        let messages = try store.failureMessages(project: Self.project, runs: 1_000, limit: 500) { _ in true }
        let message = try #require(messages.first)
        let page = try await found(String(message.message.prefix(20)))
        #expect(page.contains(Route.test(message.test, project: Self.project).href.replacing("&", with: "&amp;")))
        #expect(page.contains("href=\"/runs/\(message.run)\""))
        #expect(Set(messages.map { [$0.test.description, $0.message] }).count == messages.count)
    }

    @Test func `the page of a project names the commit with which a module lost coverage`() async throws {
        let store = try Self.store.get()
        let runs = try store.wholeRuns(project: Self.project, branch: "main", limit: 100)
        let modules = try store.modules(project: Self.project, branch: "main", runs: 100)
        let shares = runs.map { run in
            (run, modules.first { $0.run == run.id && $0.module == "ThumbnailKit" }?.lines.share)
        }.filter { $0.1 != nil }
        let fall = try #require(zip(shares, shares.dropFirst()).first { ($0.0.1 ?? 0) < ($0.1.1 ?? 0) })
        let (after, before) = (fall.0.0, fall.1.0)
        let page = try await dashboard().page(Route.project(Self.project).href)
        let link = Route.compare(before.id, after.id).href.replacing("&", with: "&amp;")
        let commit = try #require(after.revision?.commit?.prefix(8))
        #expect(page.contains("<a href=\"\(link)\"><bdi>\(commit)</bdi>"))
    }

    @Test func `two runs of a project are picked, and a list of all projects has none to pick`() async throws {
        let page = try await dashboard().page(Route.runs(project: Self.project).href)
        let runs = try Self.store.get().runs(project: Self.project, limit: 2).map(\.id)
        #expect(page.contains("<form class=\"compare\" action=\"/compare\" method=\"get\">"))
        #expect(page.contains("name=\"before\" value=\"\(runs[1])\" aria-label=\"From run \(runs[1].short)\" checked>"))
        #expect(page.contains("name=\"after\" value=\"\(runs[0])\" aria-label=\"To run \(runs[0].short)\" checked>"))
        #expect(try await dashboard().page(Route.compare(runs[1], runs[0]).href).contains("<h1>"))
        #expect(try await !dashboard().page(Route.runs().href).contains("name=\"before\""))
    }

    @Test func `a permalink leads to the latest run of a project, a branch and a commit`() async throws {
        let dashboard = try dashboard()
        let latest = try #require(try Self.store.get().latestRun(project: Self.project))
        let target = "/runs/\(latest.id)"
        let commit = try #require(latest.revision?.commit)
        let tree = try #require(latest.revision?.tree)
        for route in [
            Route.permalink(project: Self.project, .latest),
            .permalink(project: Self.project, .commit(String(commit.prefix(8)).uppercased())),
            .permalink(project: Self.project, .tree(tree)), .latest(project: Self.project),
            .latest(project: Self.project, branch: "main"),
            .commit(String(commit.prefix(8))),
        ] {
            let reply = await dashboard.ask(route.href)
            #expect(reply.status == 302)
            #expect(reply["Location"] == target)
            guard case .permalink = route else { continue }
            let data = await dashboard.ask(Address(route, isData: true).href)
            #expect(data.status == 302)
            #expect(data["Location"] == target + ".json")
        }
        for route in [
            Route.latest(project: "nobody"), .commit("ffffffff"), .commit("zz"),
            .permalink(project: "nobody", .latest), .permalink(project: "nobody", .commit(commit)),
            .permalink(project: "nobody", .tree(tree)), .permalink(project: Self.project, .tree("ffffffff")),
        ] {
            #expect(await dashboard.ask(route.href).status == 404)
        }
    }

    @Test func `a run says what changed against its base`() async throws {
        let dashboard = try dashboard()
        let latest = try #require(try Self.store.get().latestRun(project: Self.project))
        let page = try await dashboard.page("/runs/\(latest.id)")
        #expect(page.contains("What changed") && page.contains("Compare both runs"))
    }

    /// A value for every name that the description has.
    private static func example(_ name: String, _ latest: RunID, _ before: RunID) -> String {
        switch name {
        case "project": project
        case "branch": "main"
        case "module": "VideoKitTests"
        case "suite": "VideoInfoTests"
        case "name": "testNetworkTitle"
        case "target": "VideoKitTests"
        case "path": "Sources/VideoKit/Retry.swift"
        case "at": "12"
        case "before": before.description
        case "after": latest.description
        default: "thumbnail"
        }
    }

    @Test(arguments: OpenAPIDescription.paths.filter(\.isRedirect).map(\.path))
    func `every address of the description that leads on leads to a run`(path: String) async throws {
        let latest = try #require(try Self.store.get().latestRun(project: Self.project))
        let commit = try #require(latest.revision?.commit)
        let target = path.replacing("{project}", with: Self.project).replacing("{commit}", with: commit)
            .replacing("{tree}", with: try #require(latest.revision?.tree))
        let described = try #require(OpenAPIDescription.paths.first { $0.path == path })
        let query = described.query.filter { !$0.hasSuffix("?") }.map { "\($0)=\($0 == "id" ? commit : Self.project)" }
        let dashboard = try dashboard()
        let answer = await dashboard.ask(([target] + query).joined(separator: "?"))
        #expect(answer.status == 302)
        #expect(answer["Location"] == "/runs/\(latest.id).json")
    }

    @Test func `the description names every value of an address, and says which may be left out`() async throws {
        let body = try await dashboard().page("/openapi.json")
        let document = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        func parameters(_ path: String) throws -> [String] {
            try #require(paths[path]?["get"]?["parameters"] as? [[String: Any]]).map {
                "\($0["name"] ?? "") in \($0["in"] ?? "")" + ($0["required"] as? Bool == true ? "" : ", optional")
            }
        }
        #expect(try parameters("/search.json") == ["q in query, optional"])
        #expect(
            try parameters("/runs/{run}/tests.json") == [
                "target in query", "tag in query, optional", "sort in query, optional", "order in query, optional",
                "from in query, optional", "run in path",
            ])
        #expect(try parameters("/p/{project}/commit/{commit}.json") == ["project in path", "commit in path"])
        #expect(try Address(target: "/search.json").route == .search(""))
    }

    @Test(arguments: OpenAPIDescription.paths.filter { !$0.isRedirect }.map(\.path))
    func `every address of the description answers with the fields that it names, and with no others`(
        path: String
    )
        async throws
    {
        let described = try #require(OpenAPIDescription.paths.first { $0.path == path })
        let runs = try Self.store.get().runs(project: Self.project, limit: 2)
        let query = described.query.filter {
            ![
                "before?", "module?", "file?", "line?", "branch?", "verdict?", "author?", "since?", "until?", "sort?",
                "order?", "tag?", "trust?", "owner?", "kind?", "from?",
            ].contains($0)
        }.map { name in
            let name = name.hasSuffix("?") ? String(name.dropLast()) : name
            let value = Self.example(name, runs[0].id, runs[1].id)
            return "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        // The one page of a run that is not stored.
        let underway = path.contains("/live") ? try LiveTests.Underway() : nil
        let id = underway == nil ? runs[0].id : LiveTests.id
        let target = path.replacing("{run}", with: id.description)
        let body = try await dashboard(underway?.progressFiles).page(
            query.isEmpty ? target : "\(target)?\(query.joined(separator: "&"))")
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        #expect(answer["schemaVersion"] as? Int == 1)
        guard let fields = described.fields else {
            // The report of a run has a schema of its own, a badge that of shields.io.
            #expect(["/runs/{run}.json", "/badge.json"].contains(path))
            return
        }
        #expect(Set(answer.keys).subtracting(["schemaVersion", "data", "next"] + described.also) == [])
        let one = (answer["data"] as? [String: Any]).map { [$0] }
        let entries = try #require(described.isList ? answer["data"] as? [[String: Any]] : one)
        // Nobody delivers to the demo, and none of its runs has left files here.
        #expect(entries.isEmpty == ["/machines.json", "/runs/{run}/evidence.json"].contains(path))
        for entry in entries { expectFields(fields, in: entry) }
    }

    /// Expects that some data has every field that must be there, and none that is not described.
    private func expectFields(_ fields: [String], in entry: [String: Any]) {
        let names = Set(fields.map { $0.hasSuffix("?") ? String($0.dropLast()) : $0 })
        #expect(Set(fields.filter { !$0.hasSuffix("?") }).subtracting(entry.keys) == [])
        #expect(Set(entry.keys).subtracting(names) == [])
    }

    @Test func `a machine, a file of a run and a badge have the fields of their description, too`() throws {
        let refusal = RefusedDelivery(code: .conflict, reason: "known with other bytes", moment: SampleRuns.moment)
        let machine = DeliveringMachine(
            host: "agent-3", token: "ci", trust: [.ci], runs: 1, lastHeard: SampleRuns.moment, waiting: 0,
            version: "1.2.3", refusals: [.conflict: 1], lastRefusal: refusal, others: 3)
        func object(_ value: some Encodable) throws -> [String: Any] {
            let text = try DashboardResponder.encode(value)
            return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }
        func fields(_ path: String) throws -> [String] {
            try #require(OpenAPIDescription.paths.first { $0.path == path }?.fields)
        }
        let machines = try fields("/machines.json")
        #expect(Set(try object(MachineResponse(machine)).keys).count == machines.count)
        for machine in [machine, DeliveringMachine(host: nil, token: "ci")] {
            expectFields(machines, in: try object(MachineResponse(machine)))
        }
        let file = EvidenceResponse(path: "transcript.log", role: "transcript", bytes: 31)
        expectFields(try fields("/runs/{run}/evidence.json"), in: try object(file))
        let state = ProjectState(name: "kit", runs: 0, branch: nil, latest: nil, regressions: [])
        let badge = try object(BadgeResponse(Badge(state)))
        #expect(badge.keys.sorted() == ["color", "label", "message", "schemaVersion"])
    }

    @Test func `data of runs leads on to the oldest, each once`() async throws {
        var next: String? = "/runs.json?project=\(Self.project)"
        var ids: [String] = []
        while let target = next {
            let body = try await dashboard().page(target)
            let answer = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
            ids += (answer["data"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
            next = answer["next"] as? String
        }
        #expect(ids == ids.sorted(by: >))
        #expect(ids.count == DemoHistory.videoKit.count)
    }

    @Test func `the coverage of a module has its floor, its trend and its files`() async throws {
        let latest = try #require(try Self.store.get().latestRun(project: Self.project))
        let page = try await dashboard().page(Route.coverage(latest.id, module: "ThumbnailKit").href)
        #expect(page.contains("floor 80 %, 4 short") && page.contains(" runs, dashed: the floor"))
        #expect(page.contains("Thumbnail.<wbr>swift") && !page.contains("Decoder.<wbr>swift"))
        #expect(await (try dashboard()).ask(Route.coverage(latest.id, module: "nothing").href).status == 404)
    }

    @Test func `another floor is asked about and changes nothing`() async throws {
        let latest = try #require(try Self.store.get().latestRun(project: Self.project))
        let dashboard = try dashboard()
        let stored = try await dashboard.page("/runs/\(latest.id)/policy")
        #expect(stored.contains("made by scripts/<wbr>generate.<wbr>sh") && !stored.contains("as judged:"))
        #expect(
            try await dashboard.page("/runs/\(latest.id)/policy?line=90").contains(
                "With 90 %:<wbr> blocked, as judged:<wbr> blocked"))
        let body = try await dashboard.page("/runs/\(latest.id)/policy.json?line=90")
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        let data = try #require(answer["data"] as? [String: Any])
        let whatIf = try #require(data["whatIf"] as? [String: Any])
        let modules = try [data, whatIf].map { try #require($0["modules"] as? [[String: Any]]) }
        let under = modules.map {
            $0.filter { $0["underFloor"] as? [String] != [] }.compactMap { $0["module"] as? String }
        }
        #expect(whatIf["line"] as? String == "90")
        #expect(under[0] == ["ThumbnailKit"])
        #expect(Set(under[1]).isStrictSuperset(of: under[0]))
        #expect(try await dashboard.page("/runs/\(latest.id)/policy") == stored)
    }

    @Test func `commits without a verdict are listed, and without a repository the page says so`() async throws {
        let target = Route.list(.unverified, project: Self.project).href
        let silent = try dashboard()
        #expect(try await silent.page(target).contains("No repository of this project is on this machine."))
        let audit: BranchAudit = { project, branch in
            #expect("\(project) \(branch)" == "\(Self.project) main")
            return CommitAudit(
                branch: "origin/\(branch)", looked: 7,
                entries: [.init(commit: "5c1f8e02d7b94a6c", subject: "<b>Hotfix", run: nil, decision: nil)])
        }
        let dashboard = try SampleDashboard(store: Self.store.get(), audit: audit, clock: { DemoHistory.now })
        let page = try await dashboard.page(target)
        #expect(page.contains("&lt;b&gt;Hotfix") && page.contains("<code>5c1f8e02d7b9</code>"))
        #expect(page.contains("1. Of the last 7 commits of origin/main, first parents only."))
        #expect(try await dashboard.page("/unverified.json?project=\(Self.project)").contains("\"looked\":7"))
    }

    @Test func `the metrics are those of every project`() async throws {
        let page = try await dashboard().page("/metrics")
        #expect(page.contains("kanmon_runs{project=\"example.com/video-kit\"} 120\n"))
        #expect(page.contains("kanmon_passed{project=\"example.com/郵便番号\"} 1\n"))
    }

    @Test func `badge and feed show the state of the default branch`() async throws {
        let dashboard = try dashboard()
        #expect(try await dashboard.page(Route.badge(project: Self.project).href).contains("✕ blocked, "))
        let feed = try await dashboard.page(Route.feed(project: Self.project).href)
        #expect(feed.components(separatedBy: "<entry>").count == 2)
    }
}
