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
        #expect(TestOwner.author("Ana").words == "Nobody owns it; Ana changed the line last.")
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
}
