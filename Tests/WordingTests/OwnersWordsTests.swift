import Gate
import RunModel
import TestSupport
import Testing
import Wording

@Suite struct OwnersWordsTests {
    private func owners(_ file: CodeOwnersFile?) -> RunOwners {
        let run = SampleRuns.failing()
        return RunOwners(
            run, Verdict(decision: .failed, violations: [], gaps: [], modules: [], policy: Policy(), owners: file))
    }

    @Test func `owners are named, and many are counted`() {
        #expect(OwnerWords.sentence([]) == nil)
        #expect(OwnerWords.sentence(["@a"]) == "Owner: @a.")
        #expect(OwnerWords.sentence(["@a", "@b"]) == "Owners: @a, @b.")
        #expect(OwnerWords.sentence((1...7).map { "@\($0)" }) == "Owners: @1, @2, @3, @4, @5 and 2 more.")
        #expect(TestOwner.quarantine("ana").words == "Owner: ana, by the quarantine.")
        #expect(TestOwner.codeOwners(["@a"]).words == "Owner: @a.")
        #expect(TestOwner.author("Ana").words == "Nobody is known to own it; Ana changed the line last.")
    }

    @Test func `where owners come from is said, and what of the file has no effect`() {
        var file = CodeOwnersFile(
            path: "docs/CODEOWNERS", form: .gitHub, text: "* @a\n!b @c\n[d] @e\n", commit: "0123456789abcdef")
        #expect(owners(nil).source == nil)
        #expect(owners(nil).note == nil)
        #expect(
            owners(file).source
                == "docs/CODEOWNERS of 0123456789ab, by the rules of GitHub; line 2 has no effect: GitHub knows no '!'"
                + ", and 1 more such line")
        #expect(owners(file).note == nil)
        file.commit = nil
        file.text = "* @a\n"
        #expect(owners(file).source == "docs/CODEOWNERS of the tested tree itself, by the rules of GitHub")
        #expect(
            owners(file).note
                == "Owners are those of docs/CODEOWNERS in the tested tree itself: there is no base to read it from.")
        file.fault = "it is not UTF-8"
        #expect(owners(file).source == "docs/CODEOWNERS is not read: it is not UTF-8")
        #expect(owners(file).note == "Owners are not known: docs/CODEOWNERS: it is not UTF-8.")
    }

    @Test func `what of an owner needs a look is told by its kind`() {
        let tests = (1...7).map { TestID(module: "M", suite: "S", name: "t\($0)") }
        #expect(OwnerDigests([]).note == nil)
        #expect(
            OwnerDigests([], isCut: true).note == "Not everything is looked up and listed: it would take too long.")
        var digest = OwnerDigest(owner: "@a")
        #expect(digest.points == [])
        #expect(digest.covered == nil)
        #expect(digest.name == "@a")
        #expect(OwnerDigest(owner: nil).name == "no known owner")
        digest.failed = tests
        digest.flaky = [FlakyTest(id: tests[0], disagreements: 1)]
        digest.slow = [
            SlowTest(id: tests[1], latest: .seconds(3), median: .seconds(2), longest: .seconds(3), runs: 4)
        ]
        digest.modules = ["Core", "tool"]
        let day = CalendarDay(SampleRuns.moment)
        digest.expiring = [QuarantineEntry(test: "M.S/t1", owner: "@a", reason: "r", expires: day)]
        digest.lines = CoverageTally(covered: 9, total: 10)
        #expect(
            digest.points.map { "\($0.title): \($0.count), \($0.names)" } == [
                "red: 7, M.S/t1, M.S/t2, M.S/t3, M.S/t4, M.S/t5 and 2 more", "flaky: 1, M.S/t1", "slow: 1, M.S/t2",
                "under floor: 2, Core, tool", "expires: 1, M.S/t1 on 2026-01-02",
            ])
        #expect(digest.covered == "90.0 % of 10 lines")
    }
}
