import Foundation
import Testing

/// Reports of other tools, in folders that are no Swift package.
@Suite struct ForeignReportTests {
    private let program: Program

    init() throws {
        program = Program(folder: try TestFolder())
        try write("<testsuite name='s'><testcase classname='A.B' name='t'/></testsuite>", "r.xml")
        try write("SF:src/a.c\nDA:1,1\nDA:2,0\nend_of_record\n", "c.info")
    }

    private func write(_ text: String, _ name: String) throws { try program.folder.write(text, to: "work/\(name)") }

    /// What a command prints as JSON.
    private func report(_ words: String..., status: Int32 = 0) async throws -> [String: Any] {
        let outcome = try await program.run(["ingest", "--json"] + words)
        #expect(outcome.status == status, "\(outcome.messages)")
        return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    private func codes(_ list: String, of report: [String: Any]) -> [String] {
        (report[list] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    private func revision(of report: [String: Any]) -> [String: String] {
        let run = report["run"] as? [String: Any]
        let revision = run?["revision"] as? [String: Any] ?? [:]
        return ["commit", "branch"].reduce(into: [:]) { $0[$1] = revision[$1] as? String }
    }

    @Test func `what each file was taken for is printed`() async throws {
        let outcome = try await program.run(["ingest", "r.xml", "c.info", "--project", "kit"])
        let folder = program.folder.work
        #expect(
            outcome.messages == """
                kanmon: \(folder)/r.xml is read as JUnit XML
                kanmon: \(folder)/c.info is read as LCOV

                """)
        #expect(outcome.status == 2)
    }

    @Test func `the settings of the folder name the project and judge, and other ones may be named`() async throws {
        #expect(try await program.run(["ingest", "r.xml", "c.info"]).status == 64)
        try write("project: shop\ncoverage: { modules: { default: 50 } }\n", ".kanmon.yml")
        try write("coverage: { modules: { default: 51 } }\n", "strict.yml")
        let passed = try await report("r.xml", "c.info")
        #expect((passed["run"] as? [String: Any])?["project"] as? String == "shop")
        // The same files by other rules are another run.
        _ = try await report("r.xml", "c.info", "--policy", "strict.yml", status: 2)
        try write("coverage: { modules: { default: 60 } }\nproject: shop\n", ".kanmon.yml")
        _ = try await report("r.xml", "c.info", status: 2)
        try write("coverage: [", ".kanmon.yml")
        #expect(try await program.run(["ingest", "r.xml", "c.info", "--project", "x"]).status == 78)
    }

    @Test func `tests without coverage pass where no floor asks for it`() async throws {
        #expect(codes("gaps", of: try await report("r.xml", "--project", "kit", status: 4)) == ["coverage-missing"])
        try write("project: kit\ncoverage: { modules: { default: 0 } }\n", ".kanmon.yml")
        #expect(codes("gaps", of: try await report("r.xml")) == [])
        for rule in ["project: { line: 1 }", "patch: { line: 1 }", "ratchet: true", "files: { line: 1 }"] {
            try write("project: kit\ncoverage: { modules: { default: 0 }, \(rule) }\n", ".kanmon.yml")
            let asked = try await program.run(["ingest", "--json", "r.xml"])
            #expect(asked.status == 4, "\(rule): \(asked.messages)")
        }
    }

    @Test func `a run is of a commit only if told, is marked as such, and answers for no tree`() async throws {
        try write("project: kit\ncoverage: { modules: { default: 0 } }\n", ".kanmon.yml")
        try await program.folder.git("init", "--quiet", "--initial-branch", "main")
        try await program.folder.git("add", "--all")
        try await program.folder.git("commit", "--quiet", "--message", "first")
        let untold = try await report("r.xml", "c.info")
        #expect(revision(of: untold) == [:])
        #expect(codes("notes", of: untold) == [])
        let commit = try await program.folder.git("rev-parse", "HEAD")
        let told = try await report("r.xml", "c.info", "--commit", "HEAD", "--branch", "next")
        #expect(revision(of: told)["commit"] == commit)
        #expect(revision(of: told)["branch"] == "next")
        #expect(codes("notes", of: told).contains("commit-told"))
        let again = try await program.run(["ingest", "r.xml", "c.info", "--commit", "HEAD", "--branch", "next"])
        #expect(again.messages.contains("is already known"))
        let audit = try await program.run(["audit", "HEAD"])
        #expect(audit.status == 2, "\(audit.output)\(audit.messages)")
        // What is kept says the same when it is read again.
        #expect(try await program.run(["db", "rebuild"]).status == 0)
        // Both runs began when the report says: neither is later than the other.
        let run = try #require(told["run"] as? [String: Any])
        let id = try #require(run["id"] as? String)
        let kept = try await program.run(["report", id, "--format", "json"])
        #expect(kept.output.contains("commit-told"))
        #expect(try await program.run(["ingest", "r.xml", "c.info", "--commit", "nowhere"]).status == 64)
    }

    @Test func `a told commit is compared with its base`() async throws {
        try write(
            "project: kit\ncoverage: { modules: { default: 0 }, patch: { line: 80, min-lines: 1 } }\n", ".kanmon.yml")
        try write("one\n", "src/a.c")
        try await program.folder.git("init", "--quiet", "--initial-branch", "main")
        try await program.folder.git("add", "--all")
        try await program.folder.git("commit", "--quiet", "--message", "first")
        try await program.folder.git("switch", "--quiet", "--create", "next")
        try write("one\ntwo\n", "src/a.c")
        try await program.folder.git("commit", "--quiet", "--all", "--message", "second")
        // Line 2 is new, and not covered.
        let failed = try await report("r.xml", "c.info", "--commit", "HEAD", "--base", "main", status: 2)
        let change = try #require(failed["change"] as? [String: Any])
        #expect("\(change)".contains("src/a.c"))
        try write("SF:\(program.folder.work)/src/a.c\nDA:1,0\nDA:2,1\nend_of_record\n", "c.info")
        _ = try await report("r.xml", "c.info", "--commit", "HEAD", "--base", "main")
    }

    @Test func `an unchanged file of another language has no changed lines`() async throws {
        let rules = "{ modules: { default: 0 }, patch: { line: 100, min-lines: 1 } }"
        try write("project: kit\ncoverage: \(rules)\n", ".kanmon.yml")
        try write("one\ntwo\n", "src/a.c")
        try await program.folder.git("init", "--quiet", "--initial-branch", "main")
        try await program.folder.git("add", "--all")
        try await program.folder.git("commit", "--quiet", "--message", "first")
        // Line 2 is not covered, but it is as old as the base.
        let same = try await report("r.xml", "c.info", "--commit", "HEAD", "--base", "HEAD")
        #expect(!"\(same["change"] ?? "")".contains("src/a.c"))
        // Against a base that somebody named, a commit of the default branch is no state of it.
        #expect(try await program.run(["history", "--project", "kit"]).output.contains(", against a named base"))
        try write("three\n", "src/b.c")
        try await program.folder.git("add", "--all")
        try await program.folder.git("commit", "--quiet", "--message", "second")
        _ = try await report("r.xml", "c.info", "--commit", "HEAD", "--base", "HEAD~1")
        // What git does not know may be new.
        try write("SF:generated/x.c\nDA:1,0\nend_of_record\n", "c.info")
        _ = try await report("r.xml", "c.info", "--commit", "HEAD", "--base", "HEAD~1", status: 2)
    }

    @Test func `outside of git a commit is named by its whole id`() async throws {
        try write("project: kit\ncoverage: { modules: { default: 0 } }\n", ".kanmon.yml")
        let id = String(repeating: "a", count: 40)
        #expect(revision(of: try await report("r.xml", "--commit", id)) == ["commit": id])
        for words in [
            ["--commit", "HEAD"], ["--commit", id, "--base", "main"], ["--base", "main"], ["--path-map", "x"],
        ] {
            #expect(try await program.run(["ingest", "r.xml"] + words).status == 64, "\(words)")
        }
        #expect(
            try await program.run(["ingest", "\(TestFolder.runs)/Mixed", "--commit", id]).status == 64)
    }

    @Test func `what folders are called here is kept with the reports`() async throws {
        try write("project: kit\ncoverage: { modules: { default: 0 } }\n", ".kanmon.yml")
        try write("SF:/agent/src/a.c\nDA:1,1\nend_of_record\n", "c.info")
        let words = ["r.xml", "c.info", "--path-map", "/agent=here", "--path-map", "/other="]
        func paths(_ text: String) throws -> [String] {
            let report = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            return (report?["files"] as? [[String: Any]] ?? []).compactMap { $0["path"] as? String }
        }
        let first = try await program.run(["ingest", "--json"] + words)
        #expect(try paths(first.output) == ["here/src/a.c"])
        #expect(try await program.run(["db", "rebuild"]).status == 0)
        let again = try await program.run(["report", "latest", "--project", "kit", "--format", "json"])
        #expect(try paths(again.output) == ["here/src/a.c"])
    }
}
