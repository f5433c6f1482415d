import Foundation
import RunModel
import Testing

@testable import Repository

@Suite struct RevisionTests {
    /// The revision of a clean working copy.
    private func clean(_ sandbox: Sandbox, branch: String? = "main", subject: String = "first") async throws -> Revision
    {
        Revision(
            commit: try await sandbox.object("HEAD").hexadecimal,
            tree: try await sandbox.object("HEAD^{tree}").hexadecimal,
            branch: branch,
            subject: subject,
            author: "A",
            isDirty: false
        )
    }

    @Test func `a clean working copy has its commit's tree`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        #expect(try await repository.revision() == clean(sandbox))
        try sandbox.write("*.log\n", to: "work/.git/info/exclude")
        try sandbox.write("x", to: "work/build.log")
        #expect(try await repository.revision() == clean(sandbox))
    }

    @Test(arguments: ["a.txt", "new.txt", "Other/new.txt"])
    func `a changed or new file makes it dirty, wherever it is`(name: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try sandbox.makeFolder("work/Package")
        try sandbox.write("changed\n", to: "work/\(name)")
        // A setting that hides new files from people must not hide them from us.
        try await sandbox.git("config", "status.showUntrackedFiles", "no")
        var expected = try await clean(sandbox)
        expected.tree = nil
        expected.isDirty = true
        #expect(try await sandbox.repository("work/Package").revision() == expected)
    }

    @Test func `a file that git was told not to look at makes it dirty`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        try await sandbox.git("update-index", "--assume-unchanged", "a.txt")
        try sandbox.write("changed\n", to: "work/a.txt")
        #expect(try await repository.revision().isDirty)
    }

    @Test func `before the first commit there is only a branch`() async throws {
        let sandbox = try Sandbox()
        try sandbox.makeFolder("work")
        try await sandbox.git("init", "--quiet")
        let revision = try await sandbox.repository().revision()
        #expect(revision == Revision(commit: nil, tree: nil, branch: "main", isDirty: true))
    }

    @Test func `a detached head has no branch`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        try await sandbox.git("checkout", "--quiet", "--detach")
        #expect(try await repository.revision() == clean(sandbox, branch: nil))
    }

    @Test(arguments: ["$(touch${IFS}x)", "<img/src=x/onerror=alert(1)>", "-x", "\"q\"", "生/👨‍👩‍👧", "(detached)", "a;b|c&d"])
    func `a hostile branch is only a name`(branch: String) async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        try await sandbox.git("update-ref", "refs/heads/\(branch)", "HEAD")
        try await sandbox.git("symbolic-ref", "HEAD", "refs/heads/\(branch)")
        #expect(try await repository.revision() == clean(sandbox, branch: branch))
        #expect(!sandbox.exists("work/x"))
    }

    @Test func `a hostile subject is text`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let subject = "]]> \u{1B}[31m <script> 生"
        try await sandbox.commit("\(subject)\n\nbody\n")
        #expect(try await repository.revision() == clean(sandbox, subject: subject))
    }

    @Test(arguments: [
        "one", "one\ntwo  \n\nbody", "\n\n \t\n  one\t\n two\r\n \nbody", "", "\n", "a\u{2028}b\u{85}\nc",
        "encoding latin1\n\nbody",
    ])
    func `a subject is the first paragraph on one line, as git shows it`(message: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        for encoding in ["UTF-8", "ISO-8859-1"] {
            try await sandbox.git("config", "i18n.commitEncoding", encoding)
            try await sandbox.commit(
                message + (encoding == "UTF-8" ? "" : "\n\nä"), "--cleanup=verbatim", "--allow-empty-message")
            let shown = try await sandbox.git("log", "-1", "--encoding=UTF-8", "--format=%s")
            #expect(try await sandbox.repository().revision() == clean(sandbox, subject: shown))
        }
    }

    @Test(arguments: ["山田 花子", "Zoë <b>", "A\u{301}na  Souza"])
    func `an author is the one that git shows, in any encoding of the commit`(name: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        for encoding in ["UTF-8", "ISO-8859-1"] {
            try await sandbox.git("config", "i18n.commitEncoding", encoding)
            try await sandbox.commit("x", "--author", "\(name.replacing("<b>", with: "b")) <a@example.org>")
            let shown = try await sandbox.git("log", "-1", "--encoding=UTF-8", "--format=%an")
            #expect(try await sandbox.repository().revision().author == shown)
        }
    }

    @Test func `settings that name programs start none`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let evil = try sandbox.writeProgram("touch \(sandbox.path("ran"))\n", to: "evil")
        for key in ["core.fsmonitor", "core.pager", "pager.log", "pager.status", "diff.external", "gpg.program"] {
            try await sandbox.git("config", key, evil)
        }
        try await sandbox.git("config", "log.showSignature", "true")
        for hook in ["post-index-change", "reference-transaction"] {
            try sandbox.writeProgram("touch \(sandbox.path("ran"))\n", to: "work/.git/hooks/\(hook)")
        }
        #expect(try await repository.revision() == clean(sandbox))
        _ = try await sandbox.materialize()
        _ = try await repository.stagedTree()
        #expect(!sandbox.exists("ran"))
    }

    @Test func `a replaced commit is judged as the original`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let first = try await sandbox.object("HEAD")
        try sandbox.write("two\n", to: "work/a.txt")
        try await sandbox.commit("second", "--all")
        let second = try await sandbox.object("HEAD")
        let expected = try await clean(sandbox, subject: "second")
        try await sandbox.git("replace", second.hexadecimal, first.hexadecimal)
        #expect(try await repository.revision() == expected)
    }

    @Test func `asking leaves the user's files and index as they were`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        try sandbox.write("one\n", to: "work/a.txt")
        let before = try sandbox.fingerprint()
        _ = try await repository.revision()
        _ = try await repository.stagedTree()
        #expect(try sandbox.fingerprint() == before)
    }
}
