import Foundation
import Gate
import Repository
import RunModel
import Storage
import TestSupport
import Testing

@testable import Application

/// A repository of small commits, and a store: what searches for culprits are made in, without a package that would have to be built.
struct CulpritHistory: Sendable {
    static let test = SampleRuns.passing().tests[0].id
    static let project = SampleRuns.passing().project

    let folder: TestFolder
    let store: RunStore
    let repository: GitRepository
    let desk: CulpritDesk

    init() async throws {
        folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        let process = folder.process
        let home = Home(folder.home, process: process)
        home.prepare()
        store = try RunStore(path: home.database)
        let found = try await GitRepository.discover(
            at: folder.work, environment: GitEnvironment(process.environment))
        repository = try #require(found)
        desk = CulpritDesk(
            judge: TreeJudge(
                process: process, checkpoint: Checkpoint(process: process, home: home),
                repository: repository, subpath: PackageSubpath()),
            project: Self.project, store: store, budget: .seconds(60))
    }

    /// Makes commits on what is checked out, each with a file of its own; their messages are their names.
    func commit(_ names: String...) async throws {
        for name in names {
            try folder.write("\(name)\n", to: "work/\(name).txt")
            try await folder.git("add", "--all")
            try await folder.git("commit", "--quiet", "--message", name)
        }
    }

    /// Checks a new branch out.
    func branch(_ name: String, from start: String) async throws {
        try await folder.git("checkout", "--quiet", "-b", name, start)
    }

    /// Merges branches into the checked out `target`; the message is the name of the merge.
    func merge(_ branches: String..., into target: String, as name: String) async throws {
        try await folder.git("checkout", "--quiet", target)
        try await folder.git(["merge", "--quiet", "--no-ff", "--message", name] + branches)
    }

    /// Stores a run of a commit in which the test ended so; it is the n-th.
    func ingest(_ number: Int, _ outcome: Outcome, of revision: String) async throws {
        var run = SampleRuns.passing(number)
        run.revision?.commit = try await folder.git("rev-parse", revision)
        run.revision?.tree = try await folder.git("rev-parse", "\(revision)^{tree}")
        run.tests[0].outcome = outcome
        run.tests[0].attempts = [TestAttempt(outcome: outcome)]
        _ = try store.ingest(run, verdict: try Verdict(judging: run, by: Policy()), runDirectory: nil)
    }

    /// The messages of the line between two commits.
    func line(from good: String? = nil, to bad: String? = nil) async throws -> [String] {
        try await desk.question(Self.test, good: good, bad: bad).line.map(\.subject)
    }
}
