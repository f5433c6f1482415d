import Exports
import Foundation
import Gate
import RunModel
import TestSupport
import Testing

/// Whom to ask, in every report that says it.
@Suite struct OwnersInReportsTests {
    /// One of the base, one of the tested tree itself, and one that is not read; hostile text in each.
    static let files = [
        CodeOwnersFile(
            path: ".github/CODEOWNERS", form: .gitHub, text: "/Tests/ @tests\n/Sources/tool/ @tool @<b>\n[ab] @no\n",
            commit: String(repeating: "0a", count: 20)),
        CodeOwnersFile(path: "CODEOWNERS", form: .gitLab, text: "[S] @tests\nTests/\n"),
        CodeOwnersFile(path: "CODEOWNERS", form: nil, text: "", fault: "it is \(SampleRuns.hostile)"),
    ]

    /// The failing run's verdict with owners, and an author for a test of nobody.
    static func verdict(_ run: TestRun, _ file: CodeOwnersFile?, author: Bool = false) -> Verdict {
        var verdict = SampleVerdicts.failing(run)
        verdict.owners = file
        if author {
            verdict.authors = FailureAuthors(run.failures.map { FailureAuthors.Entry(test: $0.id, name: "Ana") })
        }
        return verdict
    }

    private let run = SampleRuns.failing()

    /// The lines of a text that begin so, without blanks before and behind.
    private func lines(_ text: String, _ starts: [String]) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { line in starts.contains { line.hasPrefix($0) } }
    }

    @Test func `text says whom to ask about failed tests and modules under a floor`() {
        func said(_ verdict: Verdict) -> [String] {
            lines(TextReport.render(run, verdict), ["Owner", "Nobody"])
        }
        #expect(
            said(Self.verdict(run, Self.files[0])) == ["Owner: @tests.", "Owner: @tests.", "Owners: @<b>, @tool."])
        #expect(
            said(Self.verdict(run, Self.files[1])) == [
                "Owner: @tests.", "Owner: @tests.",
                "Owners are those of CODEOWNERS in the tested tree itself: there is no base to read it from.",
            ])
        let unread = said(Self.verdict(run, Self.files[2], author: true))
        // What is not read may name somebody.
        let author = "Nobody is known to own it; Ana changed the line last."
        #expect(Array(unread.prefix(2)) == [author, author])
        #expect(unread.last?.hasPrefix("Owners are not known: CODEOWNERS: it is <script>") == true)
        #expect(!TextReport.render(run, Self.verdict(run, Self.files[2])).contains("\u{1B}"))
        #expect(said(Self.verdict(run, nil)) == [])
    }

    @Test func `Markdown says it, and no owner can write Markdown`() {
        let text = MarkdownReport.render(run, Self.verdict(run, Self.files[0]))
        let tests = "Owner\\: \\@\u{200B}tests\\."
        #expect(
            lines(text, ["Owner", "- Owner"])
                == [tests, tests, "- Owners\\: \\@\u{200B}&lt;b&gt;, \\@\u{200B}tool\\."])
    }

    @Test func `JSON says it, and where it is known from`() throws {
        func decoded(_ file: CodeOwnersFile?, author: Bool = false) throws -> Report {
            let json = try JSONReport.render(run, Self.verdict(run, file, author: author))
            return try JSONDecoder().decode(Report.self, from: Data(json.utf8))
        }
        let tests = Report.Owner(source: "codeowners", names: ["@tests"])
        let owned = try decoded(Self.files[0])
        #expect(owned.failures.map(\.owner) == [tests, tests])
        #expect(owned.tests.compactMap(\.owner) == [tests, tests])
        #expect(owned.modules.compactMap(\.owners) == [["@<b>", "@tool"]])
        #expect(
            owned.owners
                == Report.Source(
                    path: ".github/CODEOWNERS", form: "github", commit: String(repeating: "0a", count: 20),
                    problem: nil, skippedLines: [.init(line: 3, reason: "GitHub knows no '[ ]'")]))
        let unread = try decoded(Self.files[2], author: true)
        #expect(unread.failures.map(\.owner?.source) == ["author", "author"])
        #expect(unread.owners?.problem == Self.files[2].fault)
        #expect(try decoded(nil).owners == nil)
    }

    @Test func `JUnit has the names as properties`() {
        let text = JUnitReport.files(run, Self.verdict(run, Self.files[0]))
            .map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
        #expect(text.matches(of: /<property name="owner of [^"]*" value="@tests"\/>/).count == 2)
    }

    /// What of a report is about owners.
    private struct Report: Decodable, Hashable {
        struct Owner: Decodable, Hashable {
            var source: String
            var names: [String]
        }

        struct Test: Decodable, Hashable {
            var owner: Owner?
        }

        struct Module: Decodable, Hashable {
            var owners: [String]?
        }

        struct Source: Decodable, Hashable {
            struct Skipped: Decodable, Hashable {
                var line: Int
                var reason: String
            }

            var path: String
            var form: String?
            var commit: String?
            var problem: String?
            var skippedLines: [Skipped]
        }

        var failures: [Test]
        var tests: [Test]
        var modules: [Module]
        var owners: Source?
    }
}
