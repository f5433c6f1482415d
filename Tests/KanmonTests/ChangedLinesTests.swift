import Evidence
import Foundation
import Gate
import Repository
import RunModel
import Storage
import TestResults
import Testing
import Wording

@testable import Application

/// The lines that changed since a base, where no rule asks for them.
@Suite struct ChangedLinesTests {
    private static let source = "Sources/Greeting/Greeting.swift"
    private let folder: TestFolder
    private let program: Program
    /// 12 lines, of which 4, 5, 8, 9 and 10 are missed.
    private let recorded = RunDirectory(path: "\(TestFolder.runs)/LowCoverage")

    init() throws {
        folder = try TestFolder()
        program = Program(folder: folder)
    }

    /// Commits the first lines of the recorded source.
    private func commit(lines: Int) async throws -> Revision {
        let kept = try #require(try KeptSources(in: recorded)?.bytes(of: Self.source))
        let text = String(decoding: kept, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        try folder.write(text.prefix(lines).map { $0 + "\n" }.joined(), to: "work/\(Self.source)")
        try await folder.git("add", ".")
        try await folder.git("commit", "--quiet", "--message", "\(lines) lines")
        return Revision(
            commit: try await folder.git("rev-parse", "HEAD"), tree: try await folder.git("rev-parse", "HEAD^{tree}"),
            branch: "main", subject: "\(lines) lines", isDirty: false)
    }

    private func begin() async throws -> [Revision] {
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try folder.write("// swift-tools-version: 6.0\n", to: "work/Package.swift")
        return [try await commit(lines: 7), try await commit(lines: 12)]
    }

    /// Stores the recorded run as one of a commit.
    private func ingest(_ number: Int, _ revision: Revision) async throws -> RunID {
        var manifest = try recorded.manifest()
        manifest.id = RunID(milliseconds: 1_767_323_045_000, random: (1, UInt64(number)))
        manifest.revision = revision
        manifest.inputs = RunInputs(platform: "p", checkout: "", environment: "", settings: "")
        manifest.packageRoot = folder.work
        let writer = try RunDirectory.Writer(creating: "\(folder.path)/run-\(number)")
        let evidence = manifest.artifacts
        manifest.artifacts = try evidence.map {
            try writer.write(recorded.bytes(of: $0), as: $0.role, to: $0.path)
        }
        for source in manifest.sources {
            if let bytes = try recorded.source(source.sha256) { _ = try writer.keepSource(bytes, as: source.path) }
        }
        let outcome = try await program.run(["ingest", "--exit-zero", try writer.finish(manifest).path])
        #expect(outcome.status == 0)
        return manifest.id
    }

    private func comparison(_ revision: Revision) async throws -> (comparison: ChangeComparison?, notes: [Note]) {
        let process = folder.process
        let checkpoint = Checkpoint(
            process: process, home: Home(folder.home, process: process))
        let context = try await PackageContext.load(folder.work, process: process)
        var baseline = try await context.baseline(revision, named: nil, checkpoint: checkpoint)?.baseline
        return try await context.comparison(
            revision, completing: &baseline, isNamed: false, checkpoint: checkpoint)
    }

    @Test func `a run is compared with its base though no rule asks for it`() async throws {
        let head = try #require(try await begin().last)
        let found = try await comparison(head)
        #expect(found.notes == [])
        let change = FileChange(
            path: Self.source, basePath: Self.source, changes: [ChangedLines(base: 8..<8, head: 8..<13)],
            mayEndBlock: true)
        #expect(found.comparison?.changes == [change])
        let verdict = try Verdict(
            judging: TestRun.read(from: recorded), by: Policy(defaultFloors: Floors()), changed: found.comparison)
        #expect(verdict.decision == .passed)
        #expect(verdict.change?.lines.total == 5)
        #expect(verdict.change?.rule == nil)
    }

    @Test func `a difference that git cannot tell is a note where no rule asks for it`() async throws {
        let revisions = try await begin()
        var lost = try #require(revisions.last)
        lost.tree = String(repeating: "0a", count: 20)
        let found = try await comparison(lost)
        #expect(found.comparison == nil)
        #expect(found.notes.map(\.code) == [.baseUnreadable])
        #expect(found.notes.first?.detail.hasPrefix("which lines changed since cannot be told: ") == true)

        try folder.write("coverage: { patch: 90 }\n", to: "work/.kanmon.yml")
        await #expect(throws: GitError.self) { _ = try await comparison(lost) }
    }

    @Test func `a comparison of two runs says how the second covers what changed`() async throws {
        let revisions = try await begin()
        let ids = [try await ingest(1, revisions[0]), try await ingest(2, revisions[1])].map(\.description)
        let found = try await program.run(["compare"] + ids)
        #expect(found.status == 0)
        let lines = found.output.split(separator: "\n")
        let against = "against run \(ids[0].suffix(12)) at \(revisions[0].commit?.prefix(12) ?? "")"
        #expect(lines.contains { $0.hasSuffix(against) })
        #expect(found.output.contains("    \(Self.source): "))
        let json = try await program.run(["compare", "--json"] + ids).output
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let changed = try #require(answer["changedLines"] as? [String: Any])
        #expect((changed["lines"] as? [String: Int])?["total"] == 5)
        let file = try #require((changed["files"] as? [[String: Any]])?.first)
        #expect(file["path"] as? String == Self.source)

        // The dashboard finds the same in the clone of the project.
        let (before, after) = (try #require(RunID(ids[0])), try #require(RunID(ids[1])))
        let store = try RunStore(readOnly: "\(folder.home)/kanmon.sqlite")
        let differences = RunDifferences(store, process: folder.process)
        let project = try recorded.manifest().project
        let status = try #require(try await differences.status(of: after, since: before, project: project))
        #expect(found.output.contains(status.words.sentence))
        #expect(try await differences.status(of: after, since: before, project: project) == status)

        // Elsewhere nobody knows what changed.
        let outside = try await program.run(["compare"] + ids, in: folder.path)
        #expect(outside.output.hasSuffix("git here does not have the exact files of both runs.\n"))
    }

    @Test func `a stored run is judged again by what changed since a revision that is named`() async throws {
        let revisions = try await begin()
        let id = try await ingest(1, revisions[1]).description
        let base = try #require(revisions[0].commit)
        // Its floor blocks it as before.
        let found = try await program.run(["gate", id, "--base", base])
        #expect(found.status == 2, "\(found.messages)")
        #expect(found.output.contains("    \(Self.source): "), "\(found.output)")
        // Of the five lines that came, one to four are covered.
        for (floor, status) in [(90, 2), (10, 0)] as [(Int, Int32)] {
            try folder.write(
                "coverage: { modules: { default: 0 }, patch: { line: \(floor), min-lines: 1 } }\n",
                to: "work/draft.yml")
            let draft = try await program.run(["gate", id, "--policy", "draft.yml", "--base", base])
            #expect(draft.status == status, "\(floor): \(draft.output)\(draft.messages)")
        }
        let unknown = try await program.run(["gate", id, "--base", "nowhere"])
        #expect(unknown.output.isEmpty && unknown.messages.contains("no commit 'nowhere'"), "\(unknown.messages)")
        var lost = revisions[1]
        lost.tree = String(repeating: "0a", count: 20)
        let other = try await ingest(2, lost)
        let refused = try await program.run(["gate", other.description, "--base", base])
        #expect(refused.status == 64)
        let words = "\(other) cannot be compared with '\(base)': git does not have the files it tested here"
        #expect(refused.messages.contains(words), "\(refused.messages)")
    }
}
