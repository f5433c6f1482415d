import RunModel
import TestSupport
import Testing

@testable import Gate

/// Which file counts, what form it has, and what is too much of it.
@Suite struct CodeOwnersFileTests {
    private static let plain = "*.swift @lin\n"
    private static let sections = "[Docs]\ndocs/ @docs\n"
    private static let expressions = ".*\\\\.swift @lin\n"

    private func chosen(
        _ files: [(String, String)], form: CodeOwnersForm? = nil, forge: ForgeRepository.Kind? = nil
    ) -> CodeOwnersFile? {
        CodeOwnersFile.choose(
            among: files.map { CodeOwnersFile.Candidate(path: $0, bytes: Array($1.utf8)) }, form: form, forge: forge,
            commit: "c1", folder: "kit")
    }

    private func read(_ path: String, _ form: CodeOwnersForm, _ text: String = plain) -> CodeOwnersFile {
        CodeOwnersFile(path: path, form: form, text: text, commit: "c1", folder: "kit")
    }

    @Test func `each forge looks at its places in its order`() {
        #expect(CodeOwnersForm.gitHub.places == [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"])
        #expect(CodeOwnersForm.gitLab.places == ["CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"])
        #expect(
            CodeOwnersForm.gitea.places
                == ["CODEOWNERS", "docs/CODEOWNERS", ".gitea/CODEOWNERS", ".forgejo/CODEOWNERS"])
        #expect(Set(CodeOwnersFile.places) == Set(CodeOwnersForm.allCases.flatMap(\.places)))
    }

    @Test func `the settings say the form, then the forge, then the folder, then the file`() {
        let plain = Self.plain
        #expect(chosen([]) == nil)
        #expect(chosen([(".github/CODEOWNERS", plain)]) == read(".github/CODEOWNERS", .gitHub))
        #expect(
            chosen([(".gitlab/CODEOWNERS", plain), ("CODEOWNERS", plain)]) == read("CODEOWNERS", .gitLab))
        #expect(
            chosen([(".forgejo/CODEOWNERS", plain)]) == read(".forgejo/CODEOWNERS", .gitea))
        #expect(
            chosen([(".github/CODEOWNERS", plain), ("CODEOWNERS", plain)], forge: .gitLab)
                == read("CODEOWNERS", .gitLab))
        // The forge would find none, so that it is one of another forge.
        #expect(
            chosen([(".gitlab/CODEOWNERS", plain)], forge: .gitHub) == read(".gitlab/CODEOWNERS", .gitLab))
        #expect(
            chosen([(".github/CODEOWNERS", plain), ("docs/CODEOWNERS", plain)], form: .gitea, forge: .gitHub)
                == read("docs/CODEOWNERS", .gitea))
        #expect(chosen([(".github/CODEOWNERS", plain)], form: .gitLab) == nil)
        #expect(chosen([("CODEOWNERS", Self.sections)]) == read("CODEOWNERS", .gitLab, Self.sections))
        #expect(chosen([("CODEOWNERS", Self.expressions)]) == read("CODEOWNERS", .gitea, Self.expressions))
    }

    @Test func `what nothing tells is not guessed, and the reason is told`() {
        let unknown = chosen([("CODEOWNERS", Self.plain)], forge: .bitbucket)
        #expect(
            unknown
                == CodeOwnersFile(
                    path: "CODEOWNERS", form: nil, text: "", commit: "c1", folder: "kit",
                    fault: "nothing tells its form; 'owners.form' in .kanmon.yml says it"))
        let several = chosen([(".github/CODEOWNERS", Self.plain), (".gitlab/CODEOWNERS", Self.plain)])
        #expect(
            several?.fault == "there are files of several forges; 'owners.form' in .kanmon.yml says which counts")
        #expect(unknown.flatMap { CodeOwners($0).owners(of: "a.swift") } == nil)
        #expect(unknown.flatMap { CodeOwners($0).fault } == unknown?.fault)
    }

    @Test func `a file that is too large or no text is not read, and not by half`() {
        let large = CodeOwnersFile.choose(
            among: [
                CodeOwnersFile.Candidate(
                    path: "CODEOWNERS", bytes: Array(repeating: 0x0A, count: CodeOwnersFile.mostBytes + 1))
            ], form: .gitHub, forge: nil, commit: nil, folder: "")
        #expect(large?.fault == "it has more than 1,048,576 bytes")
        #expect(large?.text == "")
        let binary = CodeOwnersFile.choose(
            among: [CodeOwnersFile.Candidate(path: "CODEOWNERS", bytes: [0x2A, 0xFF])], form: .gitHub, forge: nil,
            commit: nil, folder: "")
        #expect(binary?.fault == "it is not UTF-8")
        var baseline = Baseline(head: GateSettings())
        baseline.owners = CodeOwnersFile(
            path: "CODEOWNERS", form: .gitHub, text: String(repeating: "a", count: CodeOwnersFile.mostBytes + 1))
        #expect(baseline.fault == "owners: 1,048,577 bytes, the limit is 1,048,576")
    }

    @Test func `what is beyond a limit of lines or patterns leaves no owner at all`() {
        func fault(_ text: String, _ form: CodeOwnersForm) -> String? {
            let list = CodeOwners(CodeOwnersFile(path: "CODEOWNERS", form: form, text: text))
            #expect(list.fault == nil || list.owners(of: "a") == nil)
            return list.fault
        }
        #expect(fault(String(repeating: "a @b\n", count: 20_001), .gitHub) == "it has more than 20,000 lines")
        #expect(
            fault(String(repeating: "*\(String(repeating: "a", count: 999)) @b\n", count: 70), .gitHub)
                == "its patterns with wildcards have more than 65,536 parts together")
        #expect(
            fault(String(repeating: "\(String(repeating: "a", count: 500)) @b\n", count: 10), .gitea)
                == "its regular expressions have more than 4,096 parts together")
        let long = String(repeating: "a", count: 1025)
        let list = CodeOwners(CodeOwnersFile(path: "CODEOWNERS", form: .gitHub, text: "\(long) @b\n* @c\n"))
        #expect(list.skipped.map(\.line) == [1])
        #expect(list.owners(of: long) == nil)
    }

    @Test(arguments: CodeOwnersForm.allCases)
    func `a hundred patterns that nearly match long paths take no time`(form: CodeOwnersForm) {
        let pattern = form == .gitea ? "(a|aa)*(a*)*b" : "*a*a*a*a*a*a*/**/a*b"
        let text = String(repeating: "\(pattern) @o\n", count: 100)
        let list = CodeOwners(CodeOwnersFile(path: "CODEOWNERS", form: form, text: text))
        #expect(list.fault == nil)
        let path = String(repeating: "aaaaaaa/", count: 127) + "a"
        for _ in 0..<10 { #expect(list.owners(of: path) == nil) }
    }
}
