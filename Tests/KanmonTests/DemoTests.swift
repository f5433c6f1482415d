import Foundation
import TestSupport
import Testing

/// The made-up histories: the demo's, and the one with which the growth of a store is measured.
@Suite struct DemoTests {
    private let program: Program

    init() throws { program = Program(folder: try TestFolder()) }

    @Test func `the demo fills an empty home, and only an empty one`() async throws {
        let filled = try await program.run(["demo", "--no-serve", "--home", program.folder.home])
        #expect(filled.status == 0)
        let again = try await program.run(["demo", "--no-serve", "--home", program.folder.home])
        #expect(again.status == 64)
        #expect(again.messages.contains("holds a store already"))

        let ledger = try await program.run(["config", "exclusions", "--project", "example.com/video-kit", "--json"])
        #expect(ledger.status == 0)
        #expect(ledger.output.contains("\"path\" : "))
        let table = try await program.run(["config", "exclusions", "--project", "example.com/video-kit"])
        #expect(table.status == 0)
        #expect(table.output.contains("Sources/"))
    }

    @Test func `the growth of a store is told for each test result, for the coverage and for a run`() async throws {
        let words = ["bench", "grow-store", "grown", "--runs", "6", "--tests", "50", "--files", "5"]
        let grown = try await program.run(words)
        #expect(grown.status == 0)
        let lines = grown.output.split(separator: "\n").map {
            $0.split(separator: " ").dropFirst().joined(separator: " ")
        }
        #expect(lines == ["bytes a test result", "bytes a run for the coverage of 5 files", "bytes a run in all"])
    }
}

extension SlowTests {
    @Suite struct DoctorTests {
        @Test func `the doctor names the toolchain, the store, the package and the hook`() async throws {
            let program = Program(folder: try TestFolder())
            let package = try TestFolder.package("Mixed")
            _ = try await program.run(["ingest", "\(TestFolder.runs)/Mixed"])
            let outcome = try await program.run(["doctor", "--package-path", package])
            for words in ["✓ toolchain: ", "isolation: reaper possible", "✓ store: 1 run of 1 project", "✓ package: "] {
                #expect(outcome.output.contains(words))
            }
            let missing = try await program.run(["doctor", "--package-path", "nowhere"])
            #expect(missing.status == 78)
            #expect(missing.output.contains("✕ package: "))
        }
    }
}
