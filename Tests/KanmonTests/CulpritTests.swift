import Foundation
import Subprocess
import TestSupport
import Testing

/// The search for a commit that broke a test, in the history of a real package.
@Suite(.slow, .timeLimit(.minutes(20))) struct CulpritTests {
    private let folder: TestFolder
    private let program: Program

    private static let manifest = """
        // swift-tools-version: 6.0
        import PackageDescription

        let package = Package(
            name: "Signs", targets: [.target(name: "Signs"), .testTarget(name: "SignsTests", dependencies: ["Signs"])])

        """
    private static let sign = "public func mark(of number: Int) -> String { number < 0 ? \"-\" : \"+\" }\n"
    private static let other = "public func twice(_ number: Int) -> Int { number * 2 }\n"
    private static let tests = """
        import Signs
        import Testing

        @Test func sign() {
            #expect(mark(of: -1) == "-")
        }

        @Test func other() {
            #expect(twice(2) == 4)
        }

        """

    init() async throws {
        folder = try TestFolder()
        program = Program(folder: folder)
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try await commit(
            "first",
            [
                "Package.swift": Self.manifest, "Sources/Signs/Sign.swift": Self.sign,
                "Sources/Signs/Other.swift": Self.other, "Tests/SignsTests/SignsTests.swift": Self.tests,
                ".kanmon.yml": "coverage:\n  modules:\n    default: {line: 0}\n",
            ])
    }

    /// Commits files by their paths; an empty one is removed.
    private func commit(_ message: String, _ files: [String: String]) async throws {
        for (path, text) in files {
            if text.isEmpty {
                try FileManager.default.removeItem(atPath: "\(folder.work)/\(path)")
            } else {
                try folder.write(text, to: "work/\(path)")
            }
        }
        try await folder.git("add", "--all")
        try await folder.git("commit", "--quiet", "--message", message)
    }

    private func kanmon(_ words: String...) async throws -> Program.Outcome { try await program.run(words) }

    private func answers(_ outcome: Program.Outcome) throws -> [Answer] {
        try JSONDecoder().decode([Answer].self, from: Data(outcome.output.utf8))
    }

    @Test func `the commit that broke a test is named, kept, and told where the test fails later`() async throws {
        let none = try await kanmon("culprit", "sign()")
        #expect(none.status == 64)
        #expect(none.messages.contains("there is no store in"))
        let before = try await kanmon("run", "--commit", "HEAD")
        #expect(before.status == 0, "\(before.messages)\(before.output)")
        let good = try await folder.git("rev-parse", "HEAD")
        let passes = try await kanmon("culprit", "sign()")
        #expect(passes.status == 64)
        #expect(passes.messages.contains("SignsTests.sign() passes in the newest run that is stored"))

        try await commit("words", ["README.md": "Signs\n"])
        let turned = Self.other.replacing("number * 2", with: "2 * number")
        try await commit("another", ["Sources/Signs/Other.swift": turned])
        try await commit("signs", ["Sources/Signs/Sign.swift": Self.sign.replacing("<", with: ">")])
        let culprit = try await folder.git("rev-parse", "HEAD")
        try await commit("unfinished", ["Sources/Signs/Half.swift": "nonsense\n"])
        try await commit("finished", ["Sources/Signs/Half.swift": ""])
        try await commit("more words", ["README.md": "Signs of numbers\n"])
        try await commit("another again", ["Sources/Signs/Other.swift": Self.other])
        let after = try await kanmon("run", "--commit", "HEAD")
        #expect(after.status == 1, "\(after.messages)\(after.output)")
        let bad = try await folder.git("rev-parse", "HEAD")

        let wanted = try await kanmon("culprit", "--wanted", "--json")
        #expect(wanted.status == 0, "\(wanted.messages)\(wanted.output)")
        let answer = try #require(try answers(wanted).first)
        #expect(answer.named)
        #expect(answer.commits.map(\.commit) == [culprit])
        #expect(answer.commits.map(\.subject) == ["signs"])
        #expect((answer.good, answer.bad) == (good, bad))
        #expect(answer.runs <= 30 && answer.builds <= 8, "\(answer)")
        #expect(wanted.messages.contains("SignsTests.sign(): 7 commits between the ends"))
        #expect(wanted.messages.contains("the bad end \(bad.prefix(8)) fails (1 of 1)"), "\(wanted.messages)")
        #expect(try await kanmon("culprit", "--wanted").output == "no search is wanted\n")

        let words = try await kanmon("culprit", "sign()")
        #expect(words.status == 0, "\(words.messages)")
        #expect(words.output.hasPrefix("\(culprit.prefix(12)) broke SignsTests.sign() (99."), "\(words.output)")
        #expect(words.output.contains(" %).\n  signs\n  A, "), "\(words.output)")
        let known = try await kanmon("culprit", "--json")
        #expect(try answers(known).map(\.commits.first?.commit) == [culprit])
        #expect(try await kanmon("db", "rebuild").status == 0)
        #expect(try await kanmon("culprit", "--json") == known)

        // What it was made of is not the user's.
        #expect(try await folder.git("status", "--porcelain") == "")
        try await folder.git("checkout", "--quiet", "-b", "topic")
        try await commit("topic", ["README.md": "Signs of all numbers\n"])
        let later = try await kanmon("run", "--commit", "HEAD")
        #expect(later.status == 1, "\(later.messages)")
        #expect(later.output.contains("commit \(culprit.prefix(12)) by A broke it (99."), "\(later.output)")
    }

    /// Processes that work in the folder of the test.
    private func processes() throws -> [String] {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: "/proc").filter { entry in
            guard Int(entry) != nil else { return false }
            return (try? files.destinationOfSymbolicLink(atPath: "/proc/\(entry)/cwd"))?.hasPrefix(folder.path) == true
        }
    }

    @Test func `a signal ends a search, says what is known, and leaves no process and no lock`() async throws {
        // The test waits as soon as somebody asks it to.
        try await commit(
            "waits",
            [
                "Tests/SignsTests/SignsTests.swift": """
                import Foundation
                import Signs
                import Testing

                @Test func sign() async throws {
                    if FileManager.default.fileExists(atPath: "\(folder.path)/wait") {
                        try Data().write(to: URL(filePath: "\(folder.path)/began"))
                        try await Task.sleep(for: .seconds(600))
                    }
                    #expect(mark(of: -1) == "-")
                }

                """
            ])
        try await commit("signs", ["Sources/Signs/Sign.swift": Self.sign.replacing("<", with: ">")])
        let run = try await kanmon("run", "--commit", "HEAD")
        #expect(run.status == 1, "\(run.messages)\(run.output)")
        try folder.write("", to: "wait")
        let outcome = try await program.run(["culprit", "sign()", "--good", "HEAD~1"]) { send in
            let begin = ContinuousClock.now
            while !FileManager.default.fileExists(atPath: "\(folder.path)/began") {
                try #require(ContinuousClock.now - begin < .seconds(600))
                try await Task.sleep(for: .milliseconds(50))
            }
            try send(.interrupt)
        }
        #expect(outcome.status == 130, "\(outcome.messages)\(outcome.output)")
        #expect(
            outcome.output.hasPrefix(
                "No commit can be named for SignsTests.sign(). The search was ended before a commit was certain.\n"),
            "\(outcome.output)")
        #expect(try processes() == [])
        #expect(try await kanmon("culprit").output.hasPrefix("nobody has searched for the culprit of a test of "))
        try FileManager.default.removeItem(atPath: "\(folder.path)/wait")
        let again = try await kanmon("culprit", "sign()", "--good", "HEAD~1")
        #expect(again.status == 0, "\(again.messages)\(again.output)")
        #expect(again.output.contains("broke SignsTests.sign() (99."), "\(again.output)")
        #expect(again.output.contains(" %).\n  signs\n"), "\(again.output)")
    }

    @Test func `nobody is named where the test fails at the good end, or the time is over`() async throws {
        try await commit("signs", ["Sources/Signs/Sign.swift": Self.sign.replacing("<", with: ">")])
        try await commit("words", ["README.md": "Signs\n"])
        let failed = try await kanmon("run", "--commit", "HEAD")
        #expect(failed.status == 1, "\(failed.messages)\(failed.output)")
        let unknown = try await kanmon("culprit", "sign()")
        #expect(unknown.status == 64)
        #expect(unknown.messages.contains("no run is stored in which SignsTests.sign() passed before it failed"))
        #expect(try await kanmon("culprit", "nothing").messages.contains("has a test 'nothing'"))
        let backwards = try await kanmon("culprit", "sign()", "--good", "HEAD", "--bad", "HEAD~1")
        #expect(backwards.status == 64)
        #expect(backwards.messages.contains("by first parents"))

        let hurried = try await kanmon("culprit", "sign()", "--good", "HEAD~2", "--budget", "1s")
        #expect(hurried.status == 4, "\(hurried.messages)\(hurried.output)")
        let outcome = try await kanmon("culprit", "sign()", "--good", "HEAD~1", "--json")
        #expect(outcome.status == 4, "\(outcome.messages)\(outcome.output)")
        let answer = try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
        #expect(!answer.named)
        #expect(answer.reason == "fails-at-good-end")
        for words in [
            ["culprit", "sign()", "--wanted"], ["culprit", "--good", "HEAD"], ["culprit", "--budget", "1m"],
        ] {
            #expect(try await program.run(words).status == 64, "\(words)")
        }
    }
}

private struct Answer: Decodable {
    struct Commit: Decodable {
        let commit: String, subject: String
    }

    let named: Bool
    let reason: String?
    let commits: [Commit]
    let good: String, bad: String
    let runs: Int, builds: Int
}
