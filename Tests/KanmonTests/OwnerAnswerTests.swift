import Gate
import RunModel
import TestSupport
import Testing

@testable import kanmon

/// What `kanmon explain --owner` and `--owners` say.
@Suite struct OwnerAnswerTests {
    private let run = SampleRuns.failing()

    private func answers(_ places: [String], _ text: String, quarantine: [QuarantineStatus] = []) -> [String] {
        let verdict = Verdict(
            decision: .failed, violations: [], gaps: [], modules: [], quarantine: quarantine, policy: Policy(),
            owners: CodeOwnersFile(path: ".github/CODEOWNERS", form: .gitHub, text: text),
            authors: FailureAuthors([FailureAuthors.Entry(test: run.failures[0].id, name: "Ana")]))
        return OwnerAnswer.all(of: places, in: run, verdict).map(\.text)
    }

    @Test func `a file has the owners of the line that says so`() {
        let text = "/Sources/ @core\n/Sources/tool/\n"
        #expect(
            answers(["Sources/Core/Core.swift", "Sources/tool/main.swift", "README.md", "Core.swift"], text) == [
                "Sources/Core/Core.swift: @core, by .github/CODEOWNERS:1 '/Sources/'",
                "Sources/tool/main.swift: nobody, as .github/CODEOWNERS:2 '/Sources/tool/' says",
                "README.md: nobody, no line is about it", "Core.swift: nobody, no line is about it",
            ])
    }

    @Test func `a path is found as shells write it, and of what is no path within the package no line is said to be`() {
        let text = "/Sources/ @core\n"
        let expected = ["Sources/Core/Core.swift: @core, by .github/CODEOWNERS:1 '/Sources/'"]
        #expect(answers(["./Sources/Core/Core.swift"], text) == expected)
        #expect(answers([".//./Sources/Core/Core.swift"], text) == expected)
        for place in ["/tmp/Core.swift", "../Core.swift", "Sources/Core/", "Sources//Core.swift"] {
            #expect(
                answers([place], text) == ["\(place): nobody, as it is no path of a file within the package"])
        }
    }

    @Test func `a test has those of its file, and a part of a name stands for all tests with it`() {
        let file = "(Tests/CoreTests/CoreTests.swift)"
        let network = "CoreTests.VideoInfoTests/testNetwork"
        #expect(
            answers([network], "/Tests/ @tests\n")
                == ["\(network) \(file): @tests, by .github/CODEOWNERS:1 '/Tests/'"])
        let all = answers(["VideoInfoTests"], "/Tests/ @tests\n")
        #expect(all.count == 2)
        #expect(all.allSatisfy { $0.hasSuffix("\(file): @tests, by .github/CODEOWNERS:1 '/Tests/'") })
        #expect(all.contains { $0.hasPrefix(network) })
    }

    @Test func `the quarantine comes first, and an author where nobody owns a test`() {
        let failed = run.failures[0]
        let name = failed.id.description
        let file = "(Tests/CoreTests/CoreTests.swift)"
        #expect(
            answers([name], "/Sources/ @core\n")
                == ["\(name) \(file): Ana, who changed the line last; no line is about the file"])
        let entry = QuarantineEntry(test: name, owner: "bo", reason: "r", expires: CalendarDay(run.startedAt))
        #expect(
            answers(
                [name], "/Tests/ @tests\n",
                quarantine: [QuarantineStatus(entry: entry, id: failed.id, outcome: .failed)])
                == ["\(name) \(file): bo, by the quarantine, else .github/CODEOWNERS:1 '/Tests/'"])
    }

    @Test(arguments: [nil, CodeOwnersFile(path: "CODEOWNERS", form: nil, text: "", fault: "it is not UTF-8")])
    func `without a CODEOWNERS that is read, the quarantine and the author are named`(file: CodeOwnersFile?) {
        let (first, second) = (run.failures[0].id, run.failures[1].id)
        let entry = QuarantineEntry(
            test: second.description, owner: "bo", reason: "r", expires: CalendarDay(run.startedAt))
        let verdict = Verdict(
            decision: .failed, violations: [], gaps: [], modules: [],
            quarantine: [QuarantineStatus(entry: entry, id: second, outcome: .crashed)], policy: Policy(), owners: file,
            authors: FailureAuthors([FailureAuthors.Entry(test: first, name: "Ana")]))
        let told = OwnerAnswer.all(of: [first.description, second.description, "README.md"], in: run, verdict)
        #expect(told.map(\.owners) == [["Ana"], ["bo"], []])
        #expect(told.map(\.file) == [nil, nil, nil])
        #expect(told[0].text.hasSuffix(": Ana, who changed the line last"))
        #expect(told[1].text.hasSuffix(": bo, by the quarantine"))
        #expect(told[2].text == "README.md: nobody, as no CODEOWNERS is read")
    }

    @Test func `the digest of an owner is a few lines, and hostile names are harmless`() {
        var digest = OwnerDigest(owner: "@a\u{1B}[31m")
        digest.failed = [TestID(module: "M", suite: "S", name: "t")]
        digest.lines = CoverageTally(covered: 1, total: 2)
        #expect(OwnerReport.text(digest) == "@a␛[31m\n  red: 1, M.S/t\n  covered: 50.0 % of 2 lines")
        #expect(OwnerReport.text(OwnerDigest(owner: "@b")) == "@b\n  nothing")
    }
}
