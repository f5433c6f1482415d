import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Application
@testable import kanmon

@Suite struct QuarantineTests {
    private let program: Program
    private let today: CalendarDay
    private let test = "GreetingTests.ClassicTests/testFails"

    init() async throws {
        today = try await .settled()
        program = Program(folder: try TestFolder())
        try program.folder.write("// swift-tools-version: 6.0\n", to: "work/Package.swift")
        try program.folder.write("project: Failing # kept\n", to: "work/.kanmon.yml")
    }

    private func quarantine(_ words: String...) async throws -> Program.Outcome {
        try await program.run(["quarantine"] + words)
    }

    private func settings() throws -> String {
        try String(contentsOfFile: "\(program.folder.work)/.kanmon.yml", encoding: .utf8)
    }

    @Test func `an entry is written, and the two commits are named`() async throws {
        let day = today.adding(days: 14)
        let done = try await quarantine(test, "--owner", "ana", "--until", "14d", "--reason", "it's slow")
        #expect(done.status == 0, "\(done.messages)")
        #expect(done.output == "\(test) is in quarantine until \(day) for ana: it's slow\n")
        #expect(
            try settings() == """
                project: Failing # kept
                tests:
                  quarantine:
                    - test: \(test)
                      owner: ana
                      reason: "it's slow"
                      expires: \(day)

                """)
        #expect(
            done.messages == #"""
                It is a change of the gate. Commit the waiver first, since a hook does not know the message of its own commit:
                  git commit --allow-empty -m 'quarantine \#(test)' -m 'Kanmon-Waiver: quarantine-added until=\#(day) it'\''s slow'
                  git commit -m 'quarantine \#(test)' -- .kanmon.yml

                """#)
        try FileManager.default.removeItem(atPath: "\(program.folder.work)/.kanmon.yml")
        let first = try await quarantine(
            test, "--owner", "ana", "--until", "14d", "--reason", "slow", "--package-path", program.folder.work)
        #expect(first.messages.contains("\n  git add -- .kanmon.yml\n  git commit"), "\(first.messages)")
        #expect(try settings().hasPrefix("version: 1\ntests:\n  quarantine:\n"))
        let again = try await quarantine(test, "--owner", "ana", "--until", "\(day)", "--reason", "x")
        #expect(again.status == 64)
        #expect(again.messages.contains("is in quarantine until \(day) already"))
    }

    @Test func `a name is looked up in the latest run, and its end is enough`() async throws {
        #expect(try await program.run(["ingest", "\(TestFolder.runs)/Failing"]).status == 1)
        let shown = try await quarantine("testFails", "--owner", "o", "--until", "1d", "--reason", "r", "--print")
        #expect(shown.output.contains("\(test)\n"), "\(shown.messages)")
        #expect(try settings() == "project: Failing # kept\n")
        let misspelt = try await quarantine("\(test)s", "--owner", "o", "--until", "1d", "--reason", "r")
        #expect(misspelt.status == 64)
        #expect(misspelt.messages.contains("Try: \(test)\n"), "\(misspelt.messages)")
        let reasonless = try await quarantine(test, "--owner", "o", "--until", "1d")
        #expect(reasonless.status == 64)
        #expect(reasonless.messages.contains("Try: say why with --reason"), "\(reasonless.messages)")
        #expect(try settings() == "project: Failing # kept\n")
    }

    @Test func `the doctor counts the tests in quarantine, and names the entries that end soon`() throws {
        let today = try #require(CalendarDay("2026-01-02"))
        func entry(_ test: String, _ days: Int) -> QuarantineEntry {
            QuarantineEntry(test: test, owner: "ana", reason: "slow", expires: today.adding(days: days))
        }
        func words(_ entries: QuarantineEntry...) throws -> String {
            try DoctorCommand.words(on: entries, today: today)
        }
        #expect(try words() == "0 tests")
        #expect(try words(entry("a", 15)) == "1 test")
        #expect(try words(entry("b", 15), entry("a", 14)) == "2 tests; that of a for ana ends on 2026-01-16")
        #expect(
            try DoctorCommand.words(on: (0..<7).map { entry("\($0)", $0) }, today: today)
                .hasSuffix("that of 4 for ana ends on 2026-01-06; and 2 more entries"))
        let problem = #expect(throws: Problem.self) { try words(entry("a", 0), entry("b", -1)) }
        #expect(problem?.reason == "that of b for ana ended on 2026-01-01; that of a for ana ends on 2026-01-02")
    }

    @Test func `a day that no waiver can have is refused, and so is a file in which nothing can be added`() async throws
    {
        for day in ["soon", "2020-01-01", "367d", "\(today.adding(days: 367))", "-1d"] {
            let refused = try await quarantine("t", "--owner", "o", "--until=\(day)", "--reason", "r")
            #expect(refused.status == 64, "\(day): \(refused.output)")
        }
        try program.folder.write("tests: { minimum: 3 }\n", to: "work/.kanmon.yml")
        let refused = try await quarantine("t", "--owner", "o", "--until", "1d", "--reason", "r")
        #expect(refused.status == 78)
        #expect(
            refused.messages.contains(".kanmon.yml:1:8: adding to a mapping here is not supported"),
            "\(refused.messages)")
        #expect(try settings() == "tests: { minimum: 3 }\n")
    }
}
