import Foundation
import Gate
import RunModel
import Storage
import Subprocess
import TestSupport
import Testing

/// What commands print for programs is what the pages answer, byte for byte.
@Suite struct DataOfPagesTests {
    private let project = SampleRuns.passing().project
    private let test = SampleRuns.passing().tests[0].id
    private let program: Program

    /// A home with runs of the last hours, the last one of a topic: tests that failed and passed in the second, and take longer
    /// from the fourteenth on, a file of owners, and an entry of the quarantine. There are more runs and tests than a terminal shows.
    init() throws {
        program = Program(folder: try TestFolder())
        try FileManager.default.createDirectory(
            atPath: program.folder.home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let store = try RunStore(path: "\(program.folder.home)/kanmon.sqlite")
        for number in 1...25 {
            var run = SampleRuns.passing(number)
            run.startedAt = Date(timeIntervalSinceNow: Double(number - 30) * 3600)
            run.revision?.tree = "tree \(number)"
            run.revision?.branch = number < 25 ? "main" : "topic"
            run.tests += (10..<70).map { extra -> TestResult in
                let id = TestID(module: "CoreTests", suite: "ZoomTests", name: "test\(extra)")
                return TestResult(id: id, library: .xctest, outcome: .passed)
            }
            let failed = TestAttempt(outcome: .failed, issues: [Issue(message: "waited 31 ms")])
            for index in run.tests.indices where run.tests[index].outcome == .passed {
                let duration = Duration.milliseconds(number < 14 ? 10 : 1000)
                let passed = TestAttempt(outcome: .passed, duration: duration)
                run.tests[index].attempts = number == 2 ? [failed, passed] : [passed]
            }
            var verdict = try Verdict(judging: run, by: Policy())
            verdict.owners = CodeOwnersFile(
                path: "CODEOWNERS", form: .gitHub, text: "/Tests/ @tests\n", commit: String(repeating: "c", count: 40))
            verdict.base = BaseReview(commit: BaseCommit(commit: "0a", kind: .mergeBase, name: "main"))
            let entry = QuarantineEntry(
                test: test.description, owner: "@qa", reason: "it drifts",
                expires: CalendarDay(run.startedAt).adding(days: 90))
            verdict.quarantine = [QuarantineStatus(entry: entry, id: test, outcome: .passed)]
            _ = try store.ingest(run, verdict: verdict, runDirectory: nil)
        }
    }

    /// What a command prints, without its newline.
    private func printed(_ words: String...) async throws -> String {
        let outcome = try await program.run(words + ["--json"])
        #expect(outcome.status == 0, "\(outcome.messages)")
        return outcome.output.trimmingCharacters(in: .newlines)
    }

    @Test func `a command prints the data of its page: runs, slow and flaky tests, a test, a comparison, a change`()
        async throws
    {
        let (before, after) = (SampleRuns.id(1).description, SampleRuns.id(24).description)
        let pairs: [(page: String, field: String, command: String)] = [
            ("/runs.json?project=\(project)", "data", try await printed("history", "--project", project)),
            ("/slow.json?project=\(project)", "data", try await printed("slow", "--project", project)),
            ("/flaky.json?project=\(project)", "data", try await printed("flaky", "--project", project)),
            (
                "/test.json?" + address(of: test), "flakiness",
                try await printed("flaky", test.description, "--project", project)
            ),
            (
                "/compare.json?before=\(before)&after=\(after)", "data",
                try await printed("compare", before, after, "--project", project)
            ),
            (
                "/branch.json?project=\(project)&branch=topic", "change",
                try await printed("change", "topic", "--project", project)
            ),
        ]
        // An empty list would prove nothing.
        for pair in pairs { #expect(pair.command.utf8.count > 200, "\(pair.page): \(pair.command)") }
        let made = try await program.run(["token", "create", "reader", "--scope", "read", "--project", "*"])
        try #require(made.status == 0)
        let token = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let probe = ServerProbe(path: "\(program.folder.path)/s")
        _ = try await program.run(["serve", "--socket", probe.path]) { send in
            defer { try? send(.terminate) }
            try await probe.wait()
            for pair in pairs {
                let reply = try probe.send("GET", pair.page, token: token)
                #expect(reply.status == 200)
                #expect(reply.body.contains("\"\(pair.field)\":\(pair.command),"), "\(pair.page): \(reply.body)")
            }
        }
    }

    private func address(of test: TestID) -> String {
        [("project", project), ("module", test.module), ("suite", test.suite), ("name", test.name)].map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }.joined(separator: "&")
    }
}
