import Foundation
import Gate
import RunModel
import Storage
import TestSupport
import Testing

/// What commands say of runs that were stored as they are.
@Suite struct StoredAnswersTests {
    private let program: Program
    private let store: RunStore
    private let project = SampleRuns.passing().project

    init() throws {
        program = Program(folder: try TestFolder())
        try FileManager.default.createDirectory(
            atPath: program.folder.home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        store = try RunStore(path: "\(program.folder.home)/kanmon.sqlite")
    }

    /// Stores a run, as if it was judged with this file of owners.
    private func ingest(_ run: TestRun, _ decision: Decision = .passed, owners: CodeOwnersFile? = nil) throws {
        let verdict = Verdict(
            decision: decision, violations: [], gaps: [], modules: [], policy: Policy(), owners: owners)
        _ = try store.ingest(run, verdict: verdict, runDirectory: nil)
    }

    private static func owners(_ text: String, fault: String? = nil) -> CodeOwnersFile {
        CodeOwnersFile(path: ".github/CODEOWNERS", form: .gitHub, text: text, fault: fault)
    }

    /// What `kanmon explain` says of the second run.
    private func explain(_ words: String...) async throws -> Program.Outcome {
        try await program.run(["explain", SampleRuns.id(2).description] + words)
    }

    @Test func `whoever owns a place is named with the line that says so`() async throws {
        try ingest(SampleRuns.failing(), .failed, owners: Self.owners("/Sources/ @core\n"))
        let told = try await explain("--owner", "Sources/Core/Core.swift", "--owner", "README.md")
        let answers = """
            Sources/Core/Core.swift: @core, by .github/CODEOWNERS:1 '/Sources/'
            README.md: nobody, no line is about it

            """
        #expect(told == Program.Outcome(status: 0, output: answers, messages: ""))
        let json = try await explain("--owner", "README.md", "--json")
        #expect(json.status == 0)
        #expect(json.output.contains(#""path":"README.md""#), "\(json.output)")
    }

    @Test func `what needs a look is told by owner, of all or of one`() async throws {
        try ingest(SampleRuns.failing(), .failed, owners: Self.owners("/Sources/ @core\n/Tests/ @tests\n"))
        let all = try await explain("--owners")
        #expect(all.status == 0, "\(all.messages)")
        #expect(
            all.output.hasPrefix("Owners by .github/CODEOWNERS of the tested tree itself"), "\(all.output)")
        #expect(all.output.contains("\n@tests\n  red: 2, CoreTests.Parsing/Flags/counts"), "\(all.output)")
        let one = try await explain("--owned-by", "@tests")
        #expect(one.output.contains("\n@tests\n  red: 2, CoreTests.Parsing/Flags/counts"), "\(one.output)")
        #expect(!one.output.contains("@core"))
        let quiet = try await explain("--owned-by", "@nobody")
        #expect(quiet.output.hasSuffix("\n@nobody\n  nothing\n"), "\(quiet.output)")
        let json = try await explain("--owned-by", "@nobody", "--json")
        #expect(json == Program.Outcome(status: 0, output: "[]\n", messages: ""))
    }

    @Test func `owners that cannot be read are an error`() async throws {
        try ingest(SampleRuns.failing(), .failed, owners: Self.owners("", fault: "it is not UTF-8"))
        let refused = try await explain("--owners")
        #expect(refused.status == 65 && refused.output.isEmpty)
        #expect(
            refused.messages.contains(".github/CODEOWNERS is not read: it is not UTF-8"), "\(refused.messages)")
    }

    @Test func `flaky tests are listed with how often they failed`() async throws {
        for number in [5, 6] { try ingest(SampleRuns.unsteady(number), .failed) }
        let words = ["flaky", "--project", project, "--since", "2026-01-01"]
        let list = try await program.run(words)
        let since = try #require(CalendarDay("2026-01-01")).start
        let tests = try store.flakiest(project: project, since: since, limit: 20)
        let flaky = try #require(tests.first { $0.id == SampleRuns.passing().tests[0].id })
        let lines = list.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "since 2026-01-01: 2 runs of exact trees", "\(list.messages)")
        #expect(lines.count == tests.count + 1, "\(list.output)")
        for (line, test) in zip(lines.dropFirst(), tests) {
            #expect(line.hasPrefix("\(test.kind.rawValue) "), "\(line)")
            #expect(line.contains("failed \(test.failures) of \(test.executions)"), "\(line)")
        }
        #expect(lines.contains { $0.contains(flaky.id.description) && $0.hasPrefix("flaky ") })
        // As programs have it, it is the same.
        let json = try await program.run(words + ["--json"])
        #expect(json.output.components(separatedBy: "\"disagreements\"").count == tests.count + 1, "\(json.output)")
    }

    @Test func `two runs are compared by tests, times and modules, as far as both ran them`() async throws {
        func judge(_ run: TestRun) throws {
            _ = try store.ingest(run, verdict: try Verdict(judging: run, by: Policy()), runDirectory: nil)
        }
        var slow = SampleRuns.failing(2)
        slow.tests[2].attempts[0].duration = .seconds(4)
        var part = SampleRuns.passing(3)
        part.selection.filters = ["counts"]
        part.tests = [part.tests[0]]
        for run in [SampleRuns.passing(1), slow, part] { try judge(run) }
        let ids = (1...3).map { SampleRuns.id($0).description }
        let found = try await program.run(["compare", ids[0], ids[1]])
        #expect(found.status == 0, "\(found.messages)")
        for words in [
            "\nRegressed: 1\n", "\nNew and failing: 1\n", "  ✕  passed  failed  \(slow.tests[0].id)",
            "\nSlower: 1 (passed in both runs, and take at least twice as long and a tenth of a second more)\n",
            "  3 ms    4.0 s  \(slow.tests[2].id)", "\nLine coverage\n", "  8 of 10  5 of 10  tool\n",
        ] { #expect(found.output.contains(words), "\(words): \(found.output)") }
        #expect(found.output.hasSuffix("git here does not have the exact files of both runs.\n"))
        let same = try await program.run(["compare", ids[0], ids[0]])
        #expect(same.output.contains("\n\nNothing changed.\n"), "\(same.output)")
        // What only one of them ran is no difference where the other was asked for a part.
        let partial = try await program.run(["compare", ids[0], ids[2]])
        #expect(
            partial.output.hasSuffix(
                "\n\nOne of the runs is partial: only tests that both ran are compared.\n\nNothing changed.\n"),
            "\(partial.output)")
    }

    @Test func `where a build failed, no tests are compared`() async throws {
        var unbuilt = SampleRuns.passing(2)
        unbuilt.tests = []
        unbuilt.steps[0].termination = .exited(1)
        try ingest(SampleRuns.passing(1))
        let verdict = try Verdict(judging: unbuilt, by: Policy())
        _ = try store.ingest(unbuilt, verdict: verdict, runDirectory: nil)
        let ids = [SampleRuns.id(1), SampleRuns.id(2)]
        let found = try await program.run(["compare"] + ids.map(\.description))
        let words = "\n\nThe build of run \(ids[1].short) failed, so its tests were not run.\n"
        #expect(found.output.hasSuffix(words), "\(found.output)")
    }

    @Test func `what no run has recorded is refused, and so is a project that is not there`() async throws {
        try ingest(SampleRuns.passing(1))
        let (place, id) = ("Sources/Core/Core.swift:1", SampleRuns.id(1))
        for (words, message) in [
            (["who", place, "--project", project], "no run of \(project) has per-test coverage"),
            (["who", place, "--run", id.description], "run \(id.short) has no per-test coverage"),
            (["project", "rename", "nobody", "other"], "there is no project 'nobody'"),
        ] {
            let refused = try await program.run(words)
            #expect(refused.status == 64)
            #expect(refused.messages.contains(message), "\(refused.messages)")
        }
    }
}
