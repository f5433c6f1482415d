import Foundation
import RunModel
import TestSupport
import Testing

/// A real package whose default branch is broken: its branches pass where the settings of both say so, and it does not pass itself.
@Suite(.slow, .timeLimit(.minutes(20))) struct BrokenBaseTests {
    private struct Report: Decodable {
        struct Verdict: Decodable {
            let decision: String
            let headline: String
            let allowedFailures: Int?
        }

        struct Failure: Decodable {
            let name: String
            let allowedByRun: String?
        }

        struct Run: Decodable { let id: String }

        struct Violation: Decodable {
            let rule: String
            let code: String?
        }

        let run: Run
        let verdict: Verdict
        let failures: [Failure]
        let violations: [Violation]
    }

    private let folder: TestFolder

    init() async throws {
        folder = try TestFolder()
        try folder.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Kit", targets: [.target(name: "Kit"), .testTarget(name: "KitTests", dependencies: ["Kit"])])

            """, to: "work/Package.swift")
        try writeKit("n")
        try folder.write(
            """
            import Kit
            import XCTest

            final class KitTests: XCTestCase {
                func testBroken() { XCTAssertEqual(other(), 2) }
                func testMatch() { XCTAssertEqual(match(1), 1) }
            }

            """, to: "work/Tests/KitTests/KitTests.swift")
        try await folder.git("init", "--quiet", "--initial-branch", "main")
    }

    private func writeKit(_ value: String) throws {
        try folder.write(
            "public func match(_ n: Int) -> Int {\n    \(value)\n}\n\npublic func other() -> Int { 1 }\n",
            to: "work/Sources/Kit/Kit.swift")
    }

    private func writeSettings(_ isAllowed: Bool) throws {
        try folder.write(
            "coverage:\n  modules:\n    default: {line: 0}\ntests: {allow-broken-base: \(isAllowed)}\n",
            to: "work/.kanmon.yml")
    }

    private func commit(_ message: String) async throws {
        try await folder.git("add", "--all")
        try await folder.git("commit", "--quiet", "--message", message)
    }

    private func kanmon(_ words: String...) async throws -> Program.Outcome {
        let program = Program(
            folder: folder, variables: ["XDG_CACHE_HOME": "\(folder.path)/cache", "KANMON_CAUSES_BUDGET": "5m"])
        return try await program.run(words)
    }

    private func report(status: Int32) async throws -> Report {
        let outcome = try await kanmon("run", "--commit", "HEAD", "--json")
        try #require(outcome.status == status, "\(outcome.messages)\(outcome.output)")
        return try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
    }

    @Test func `a branch passes with the failure that its base has, and the default branch does not`() async throws {
        try writeSettings(true)
        try await commit("base")
        let base = try await report(status: 1)
        #expect(base.verdict.allowedFailures == nil)
        try await folder.git("switch", "--quiet", "--create", "topic")
        try writeKit("n + 0")
        try await commit("change")

        let told = "✓ Passed: 1 failure of the base let through, 1 test"
        let topic = try await report(status: 0)
        #expect(topic.verdict.decision == "passed" && topic.verdict.allowedFailures == 1)
        #expect(topic.verdict.headline.hasPrefix(told))
        #expect(topic.failures.map(\.name) == ["testBroken"])
        #expect(topic.failures.map(\.allowedByRun) == [base.run.id])
        #expect(topic.violations.isEmpty)
        // The tree is known, and says it again; so do lists.
        let again = try await kanmon("run", "--commit", "HEAD")
        #expect(again.status == 0 && again.messages.contains("no test was run again"))
        #expect(again.output.hasPrefix("✓ Passed: ") && again.output.contains("1 failure of the base let through"))
        let history = try await kanmon("history")
        #expect(history.output.contains("1 failed, 1 failure of the base let through"))

        // The same tree against the same commit as a state of the default branch.
        try await folder.git("switch", "--quiet", "main")
        try await folder.git("merge", "--quiet", "--ff-only", "topic")
        let main = try await report(status: 1)
        #expect(main.run.id == topic.run.id && main.verdict.decision == "failed")
        #expect(main.violations.map(\.rule) == ["tests"])
        #expect(try await kanmon("audit", "main~1..main").status == 2)
        // On its branch it still passes, and for the audit it still has not.
        try await folder.git("switch", "--quiet", "topic")
        try await folder.git("branch", "--quiet", "--force", "main", "topic~1")
        #expect(try await report(status: 0).verdict.allowedFailures == 1)
        #expect(try await kanmon("audit", "main..topic").status == 2)

        // What the base does not have blocks as ever.
        try writeKit("n + 1")
        try await commit("a bug")
        let mine = try await report(status: 1)
        #expect(mine.verdict.headline == "✕ Blocked: 1 test failed, 1 failure of the base let through")
        #expect(mine.failures.map(\.allowedByRun) == [base.run.id, nil])
    }

    @Test func `a branch cannot let through what its base does not`() async throws {
        try writeSettings(false)
        try await commit("base")
        _ = try await report(status: 1)
        try await folder.git("switch", "--quiet", "--create", "topic")
        try writeSettings(true)
        try await commit("let it pass")
        let topic = try await report(status: 1)
        #expect(topic.violations.map(\.rule) == ["tests", "gate-change"])
        #expect(topic.violations.last?.code == "broken-base-allowed")
        #expect(topic.verdict.allowedFailures == nil)
        let tomorrow = CalendarDay(Date.now).adding(days: 1)
        let message = "waive it\n\nKanmon-Waiver: broken-base-allowed until=\(tomorrow) for the drill"
        try await folder.git("commit", "--quiet", "--allow-empty", "--message", message)
        #expect(try await report(status: 1).violations.map(\.rule) == ["tests"])
    }
}
