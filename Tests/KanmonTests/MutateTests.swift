import Foundation
import TestSupport
import Testing

/// Mutants of a change, built and tested by real processes.
@Suite(.slow, .timeLimit(.minutes(20))) struct MutateTests {
    private let repository: MappingRepository

    /// Takes longer than the first part of a mutant's tests, and it alone knows zero.
    private static let slowTest = """
        import Foundation
        import Mapping
        import XCTest

        final class SlowTests: XCTestCase {
            func testZero() {
                Thread.sleep(forTimeInterval: 1.2)
                XCTAssertNotEqual(sign(of: 0), "-")
            }
        }

        """

    init() async throws {
        repository = try await MappingRepository(adding: ["Tests/MappingTests/SlowTests.swift": Self.slowTest])
    }

    private func kanmon(_ words: String...) async throws -> Program.Outcome { try await repository.kanmon(words) }

    private func replace(_ text: String, with other: String) throws {
        let before = try repository.text
        #expect(before.contains(text))
        try repository.write(before.replacing(text, with: other))
    }

    @Test func `what no test notices is listed, whichever process executes it`() async throws {
        let without = try await kanmon("mutate", "--base", "HEAD")
        #expect(without.status == 64)
        #expect(without.messages.contains("no run has per-test coverage"))
        let run = try await kanmon("run", "--commit", "HEAD", "--map")
        #expect(run.status == 0, "\(run.messages)\(run.output)")
        let alone = try await kanmon("mutate")
        #expect(alone.status == 64)
        #expect(alone.messages.contains("there is nothing to compare with"))

        // The tool's answer is expected by a test that starts it, without any variables.
        try replace(
            "    return \"+\"\n",
            with: "    let isZero = number == 0\n    if isZero { return \"0\" }\n    return \"+\"\n")
        let tool = "import Foundation\nimport Mapping\n\nexit(onlyInTheTool() == 42 ? 0 : 1)\n"
        try repository.folder.write(tool, to: "work/Sources/mapping-tool/main.swift")
        try replace("{\n    42\n}", with: "{\n    40 + 2\n}")
        try replace("{\n    45\n}", with: "{\n    44 + 1\n}")
        // 256 is too much for the type, and does not compile.
        try replace("        $0 * 2\n", with: "        let most: UInt8 = 255\n        return $0 * Int(most / 127)\n")
        try await repository.commit("change")

        let outcome = try await kanmon("mutate", "--json")
        #expect(outcome.status == 0, "\(outcome.messages)")
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
        let found = Set(report.mutants.map { "\($0.function) \($0.kind) \($0.original): \($0.outcome)" })
        #expect(found.contains("sign(of:) early-return sign(of:): failed"), "\(found)")
        #expect(found.contains("sign(of:) negated-condition number < 0: failed"))
        // "number < 0": only the test of the second part notices.
        let zero = try #require(report.mutants.first { $0.function == "sign(of:)" && $0.original == "0" })
        #expect(zero.outcome == "failed")
        #expect(zero.tests - zero.ran == 1)
        #expect(report.mutants.allSatisfy { $0.outcome != "survived" || $0.ran == $0.tests })
        #expect(found.contains("sign(of:) negated-condition isZero: failed"))
        #expect(found.contains("onlyInTheTool() early-return onlyInTheTool(): failed"), "\(found)")
        #expect(found.contains("onlyInTheTool() changed-constant 40: failed"))
        #expect(found.contains("never() early-return never(): survived"))
        #expect(found.contains("doubled(_:) changed-constant 255: not-compiled"))
        #expect(found.contains("doubled(_:) changed-constant 127: failed"))
        #expect(report.failing.isEmpty)
        #expect((report.notTried, report.undecided) == (0, 0))
        #expect(report.survived == report.mutants.count { $0.outcome == "survived" })

        let words = try await kanmon("mutate", "--fail-on-survivors", "--base", "HEAD~1")
        #expect(words.status == 2)
        #expect(words.output.contains("Survived:\n  \(MappingRepository.source):"))
        let hurried = try await kanmon("mutate", "--budget", "1s")
        #expect(hurried.status == 0)
        #expect(hurried.output.contains("not tried: 1.0 s were over"), "\(hurried.output)")

        // The judged tree has never seen a mutant.
        let judged = try await kanmon("run", "--commit", "HEAD", "--map")
        #expect(judged.status == 0, "\(judged.messages)\(judged.output)")
        let exact = try await kanmon("mutate")
        #expect(exact.output.contains("Executed by no test, by the per-test coverage:\n"), "\(exact.output)")

        try replace("if number < 0 {", with: "if number > 0 {")
        try await repository.stage()
        let staged = try await kanmon("mutate", "--staged")
        #expect(
            staged.output.contains("Left out, because they fail without any mutant: "),
            "\(staged.output)\(staged.messages)")
        try replace("if number > 0 {", with: "if numbr < 1 {")
        try await repository.stage()
        let broken = try await kanmon("mutate", "--staged")
        #expect(broken.status == 3)
        #expect(broken.messages.contains("cannot find 'numbr' in scope"))
        try repository.folder.write("nothing\n", to: "work/README.md")
        try await repository.commit("words")
        #expect(try await kanmon("mutate", "--base", "HEAD").output.contains("No function that the change touches"))
    }
}

private struct Report: Decodable {
    struct Entry: Decodable {
        let kind: String, function: String, original: String, outcome: String
        let tests: Int, ran: Int
    }

    let mutants: [Entry]
    let failing: [String]
    let survived: Int, undecided: Int, notTried: Int
}
