import Foundation
import RunModel
import TestSupport
import Testing

@testable import Gate

/// Whom to ask about what a run says.
@Suite struct RunOwnersTests {
    private static let file = CodeOwnersFile(
        path: "CODEOWNERS", form: .gitHub,
        text: """
            /Tests/ @tests
            /Sources/Core/ @core
            /Sources/Core/URLRule.swift @core @net
            /Sources/tool/main.swift

            """)

    private func judged(
        _ run: TestRun, _ file: CodeOwnersFile? = Self.file, quarantine: [QuarantineStatus] = [],
        authors: [FailureAuthors.Entry] = [], modules: [ModuleCoverage] = []
    ) -> Verdict {
        Verdict(
            decision: .failed, violations: [], gaps: [], modules: modules, quarantine: quarantine, policy: Policy(),
            owners: file, authors: authors.isEmpty ? nil : FailureAuthors(authors))
    }

    @Test func `the quarantine comes before CODEOWNERS, and an author only where there is no owner`() {
        let run = SampleRuns.failing()
        let (first, second) = (run.failures[0], run.failures[1])
        let author = FailureAuthors.Entry(test: first.id, name: "Ana")
        let entry = QuarantineEntry(
            test: second.id.description, owner: "bo", reason: "r", expires: CalendarDay(run.startedAt))
        let status = QuarantineStatus(entry: entry, id: second.id, outcome: .crashed)
        var expired = status
        expired.fault = .expired
        func owners(_ verdict: Verdict) -> [TestOwner?] {
            let owners = RunOwners(run, verdict)
            return run.failures.map { owners.owner(of: $0) }
        }
        #expect(owners(judged(run, authors: [author])) == [.codeOwners(["@tests"]), .codeOwners(["@tests"])])
        #expect(owners(judged(run, quarantine: [status])) == [.codeOwners(["@tests"]), .quarantine("bo")])
        #expect(owners(judged(run, quarantine: [expired])) == [.codeOwners(["@tests"]), .codeOwners(["@tests"])])
        #expect(owners(judged(run, nil, authors: [author])) == [.author("Ana"), nil])
        var nobody = Self.file
        nobody.text += "/Tests/\n"
        #expect(owners(judged(run, nobody, authors: [author])) == [.author("Ana"), nil])
        #expect(RunOwners(run, judged(run, nobody)).owners(of: first)?.rules.map(\.line) == [5])
        #expect(RunOwners(run, judged(run)).file(of: second) == "Tests/CoreTests/CoreTests.swift")
    }

    @Test func `a module under its floor belongs to the owners of most of its files`() {
        let run = SampleRuns.passing()
        func module(_ name: String, _ covered: Int) -> ModuleCoverage {
            ModuleCoverage(
                module: name, lines: CoverageTally(covered: covered, total: 10), floors: Floors(line: Percentage("80")))
        }
        let verdict = judged(run, modules: [module("Core", 7), module("tool", 7)])
        let owners = RunOwners(run, verdict)
        #expect(owners.owners(ofModule: "Core") == ["@core", "@net"])
        #expect(owners.owners(ofModule: "tool") == [])
        // What needs no look is not looked up.
        let fine = judged(run, modules: [module("Core", 8)])
        #expect(RunOwners(run, fine).owners(ofModule: "Core") == [])
    }

    @Test func `what would take too long is not looked up, and that is known`() {
        var run = SampleRuns.passing()
        let sample = run.tests[0]
        run.tests = (0..<100).map { number in
            var test = sample
            test.id = TestID(module: "CoreTests", suite: "", name: "t\(number)()")
            test.outcome = .failed
            test.location = SourceLocation(path: "\(number)/" + String(repeating: "a", count: 1000), line: 1)
            return test
        }
        // They fail at the first byte, but might not.
        let text = String(repeating: "\(String(repeating: "b", count: 500)) @b\n", count: 8) + ".* @all\n"
        let owners = RunOwners(
            run, judged(run, CodeOwnersFile(path: "CODEOWNERS", form: .gitea, text: text)))
        #expect(owners.isCut)
        let known = run.failures.filter { owners.owner(of: $0) == .codeOwners(["@all"]) }
        #expect((1..<100).contains(known.count))
        #expect(run.failures.allSatisfy { owners.owner(of: $0) == nil || known.contains($0) })
        #expect(!RunOwners(run, judged(run)).isCut)
    }

    @Test func `every name in a line is paid for, and of a file the first fifty owners are named`() {
        func sections(_ count: Int, _ owners: (Int) -> [String]) -> CodeOwnersFile {
            let lines = (0..<count).map { "[s\($0)] \(owners($0).joined(separator: " "))\n*.swift\n" }
            return CodeOwnersFile(path: "CODEOWNERS", form: .gitLab, text: lines.joined())
        }
        let few = CodeOwners(sections(60) { ["@o\($0)"] }).owners(of: "a.swift")
        #expect(few?.owners == (0..<50).map { "@o\($0)" })
        #expect(few?.rules.count == 60)
        var run = SampleRuns.passing()
        let sample = run.tests[0]
        run.tests = (0..<100).map { number in
            var test = sample
            test.id = TestID(module: "CoreTests", suite: "", name: "t\(number)()")
            test.outcome = .failed
            test.location = SourceLocation(path: "\(number).swift", line: 1)
            return test
        }
        let names = (0..<100).map { "@n\($0)" }
        let owners = RunOwners(run, judged(run, sections(500) { _ in names }))
        #expect(owners.isCut)
        let known = run.failures.filter { owners.owner(of: $0) == .codeOwners(Array(names.prefix(50))) }
        #expect((1..<100).contains(known.count))
        #expect(run.failures.allSatisfy { owners.owner(of: $0) == nil || known.contains($0) })
    }

    @Test func `so many owners are listed, those with most to do first, and that there are more is said`() {
        let run = SampleRuns.failing()
        let today = CalendarDay(run.startedAt)
        let entries = (0...OwnerDigests.most).map { number in
            QuarantineEntry(test: "t", owner: "o\(number)", reason: "r", expires: today)
        }
        func digests(_ entries: ArraySlice<QuarantineEntry>, only owner: String? = nil) -> OwnerDigests {
            let verdict = judged(run, quarantine: entries.map { QuarantineStatus(entry: $0) })
            return OwnerDigest.all(
                of: run.tests, targets: run.modules, run.coverage, verdict, flaky: [], slow: [], today: today,
                only: owner)
        }
        let all = digests(entries[...])
        #expect(all.isCut)
        // The tests and the lines that this file gives to somebody, and to nobody.
        #expect(all.list.first?.owner == "@tests")
        #expect(all.list.last?.owner == nil)
        #expect(all.list.count == OwnerDigests.most + 1)
        #expect(!digests(entries.prefix(10)).isCut)
        // Whoever is asked for is found behind the end of the list, too.
        let listed = Set(all.list.compactMap(\.owner))
        let behind = entries.map(\.owner).filter { !listed.contains($0) }
        #expect(!behind.isEmpty)
        for owner in behind {
            let one = digests(entries[...], only: owner)
            #expect(one.list.map(\.owner) == [owner])
            #expect(one.list.first?.expiring.map(\.owner) == [owner])
            #expect(!one.isCut)
        }
        #expect(digests(entries[...], only: "nobody").list.isEmpty)
    }

    @Test func `the digest of an owner has what is red, flaky, slow, uncovered and about to expire`() {
        var run = SampleRuns.failing()
        run.tests[1].outcome = .passed
        let flaky = FlakyTest(id: run.tests[1].id, disagreements: 2)
        let slow = SlowTest(
            id: run.tests[2].id, latest: .seconds(3), median: .seconds(2), longest: .seconds(3), runs: 4)
        let today = CalendarDay(run.startedAt)
        func entry(_ days: Int) -> QuarantineEntry {
            QuarantineEntry(test: "t\(days)", owner: "bo", reason: "r", expires: today.adding(days: days))
        }
        let under = ModuleCoverage(
            module: "tool", lines: CoverageTally(covered: 5, total: 10), floors: Floors(line: Percentage("80")))
        let verdict = judged(
            run, quarantine: [-1, 14, 15].map { QuarantineStatus(entry: entry($0)) }, modules: [under])
        let digests = OwnerDigest.all(
            of: run.tests, targets: run.modules, run.coverage, verdict, flaky: [flaky], slow: [slow], today: today)
        var tests = OwnerDigest(owner: "@tests")
        (tests.failed, tests.flaky, tests.slow) = (run.failures.map(\.id), [flaky], [slow])
        var bo = OwnerDigest(owner: "bo")
        bo.expiring = [entry(-1), entry(14)]
        var core = OwnerDigest(owner: "@core")
        core.lines = CoverageTally(covered: 19, total: 20)
        var net = OwnerDigest(owner: "@net")
        net.lines = CoverageTally(covered: 7, total: 8)
        var nobody = OwnerDigest(owner: nil)
        (nobody.lines, nobody.modules) = (CoverageTally(covered: 5, total: 10), ["tool"])
        #expect(digests == OwnerDigests([tests, bo, core, net, nobody]))
        #expect([tests, bo, core, net, nobody].map(\.isQuiet) == [false, false, true, true, false])
    }

    @Test func `the lines of twenty failures are looked up at most, and none that somebody owns`() {
        var run = SampleRuns.passing()
        let sample = run.tests[0]
        run.tests = (0..<40).map { number in
            var test = sample
            let path = number < 5 ? "Tests/A.swift" : number < 7 ? "/elsewhere/B.swift" : "More/C.swift"
            test.id = TestID(module: "CoreTests", suite: "", name: "t\(number)()")
            test.outcome = .failed
            test.location = SourceLocation(path: path, line: 1)
            test.attempts = [
                TestAttempt(
                    outcome: .failed,
                    issues: [Issue(message: "m", location: SourceLocation(path: path, line: number + 1))])
            ]
            return test
        }
        let named = QuarantineEntry(
            test: run.tests[7].id.description, owner: "o", reason: "r", expires: CalendarDay(run.startedAt))
        let found = run.unownedFailures(by: Self.file, Policy(quarantine: [named]))
        #expect(found.map(\.test) == run.tests[8..<28].map(\.id))
        #expect(found.map(\.place.line) == Array(9...28))
        #expect(run.unownedFailures(by: nil, Policy()).first?.test == run.tests[0].id)
    }

    @Test func `a verdict has the owners of its baseline, and is judged the same`() throws {
        let run = SampleRuns.failing()
        var baseline = Baseline(absence: "it is the first commit", head: GateSettings())
        let before = try Verdict(judging: run, by: Policy(), against: baseline)
        baseline.owners = Self.file
        let authors = FailureAuthors([FailureAuthors.Entry(test: run.tests[0].id, name: "Ana")])
        var after = try Verdict(judging: run, by: Policy(), against: baseline, authors: authors)
        #expect(after.owners == Self.file)
        #expect(after.authors == authors)
        #expect(try JSONDecoder().decode(Verdict.self, from: JSONEncoder().encode(after)) == after)
        (after.owners, after.authors) = (nil, nil)
        #expect(after == before)
        #expect(try JSONDecoder().decode(Baseline.self, from: JSONEncoder().encode(baseline)) == baseline)
    }
}
