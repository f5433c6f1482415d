import Evidence
import Foundation
import RunModel
import Testing

@testable import Application

/// The run directories of a home, and those of them that no store has.
@Suite struct RunArchiveTests {
    private static let first = "019b7c00-0001-7000-8000-000000000001"
    private static let second = "019b7c00-0002-7000-8000-000000000002"
    private let folder: TestFolder
    private let home: Home
    private let now = Date(timeIntervalSince1970: 1_780_000_000)

    init() throws {
        folder = try TestFolder()
        home = Home(folder.home, process: ProcessContext(environment: [:], workingDirectory: "/", arguments: []))
        // No runs: one without a manifest, another name, a file among the folders.
        try folder.write("", to: "home/runs/a/019b7c00-0003-7000-8000-000000000003/build.log")
        try folder.write("{}", to: "home/runs/a/other/manifest.json")
        try folder.write("", to: "home/runs/stray")
    }

    private func write(_ id: String, of project: String) throws {
        try folder.write("{}", to: "home/runs/\(project)/\(id)/manifest.json")
    }

    private func gap() throws -> String? { try RunArchive(home: home).gap(of: nil, now: now)?.reason }

    @Test func `run directories are listed by their ids, whatever their projects are`() throws {
        try write(Self.second, of: "a")
        try write(Self.first, of: "b")
        #expect(
            try RunArchive(home: home).directories().map(\.path)
                == ["\(home.runs)/b/\(Self.first)", "\(home.runs)/a/\(Self.second)"])
    }

    @Test func `a run that no store has is lost, unless it waits for the store`() throws {
        #expect(try gap() == nil)
        try write(Self.first, of: "a")
        #expect(try gap() == "the store lacks a run that has a directory: \(Self.first)")
        try write(Self.second, of: "b")
        #expect(try gap() == "the store lacks 2 runs that have directories, the last one \(Self.second)")
        let id = try #require(RunID(Self.second))
        Spool(home).add(id, at: home.runs + "/b/\(id)")
        #expect(try gap() == "the store lacks a run that has a directory: \(Self.first)")
    }

    @Test func `looking for lost runs ends when the server does`() async throws {
        try write(Self.first, of: "a")
        let (archive, now) = (RunArchive(home: home), now)
        let looking = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await archive.gapAside(now: now)
        }
        looking.cancel()
        await #expect(throws: CancellationError.self) { _ = try await looking.value }
        #expect(try await archive.gapAside(now: now)?.hint == "kanmon db rebuild")
    }
}
