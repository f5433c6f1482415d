import Evidence
import Foundation
import Gate
import RunModel
import Storage

/// A run out of the store, with its directory where that is still there.
struct FoundRun: Sendable {
    let run: TestRun
    let verdict: Verdict
    let directory: RunDirectory?
    /// Whether the counts of lines are known, or only that they were executed.
    let hasExecutionCounts: Bool

    /// The same with what the store does not keep of the coverage, where the run directory still has it.
    var detailed: FoundRun {
        guard let directory, var coverage = run.coverage else { return self }
        do {
            if let unexecuted = try UnexecutedFiles(in: directory) { coverage.add(unexecuted) }
        } catch {
            StandardStreams.tell("kanmon: warning: parts of lines and functions are not known: \(error)")
        }
        var run = run
        run.coverage = coverage
        return FoundRun(run: run, verdict: verdict, directory: directory, hasExecutionCounts: hasExecutionCounts)
    }

    /// The folder in which the package was built; the working directory when the run directory is gone.
    var packageRoot: String {
        get throws { try directory?.manifest().packageRoot ?? "." }
    }
}

extension StoredRun {
    /// The run directory, where that is still there.
    var keptDirectory: RunDirectory? {
        runDirectory.map { RunDirectory(path: $0) }.flatMap { $0.isThere ? $0 : nil }
    }
}

/// Finds stored runs by what a person types.
struct StoredRuns: Sendable {
    let home: Home
    let surroundings: Surroundings

    /// The store of a home.
    init(_ home: Home, surroundings: Surroundings) {
        self.home = home
        self.surroundings = surroundings
    }

    /// Opens the store for reading; a home without one has no runs yet.
    func open(trace: StatementTrace? = nil) throws -> RunStore {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: home.path, isDirectory: &isDirectory), !isDirectory.boolValue {
            throw Problem(.ioError, "\(home.path) is not a folder", hint: "name the store's folder with --home")
        }
        guard home.hasStore else {
            if let gap = try RunArchive(home: home).gap(of: nil, now: surroundings.now) { throw gap }
            throw Problem(.usage, "there is no store in \(home.path) yet", hint: "kanmon run")
        }
        return try RunStore.reading(home.database, trace: trace)
    }

    /// The run meant by `--run`: an id, its beginning or end, a commit, or the latest of a project.
    func find(_ selection: RunSelection, package: PackageOptions) async throws -> FoundRun {
        try await find(selection.run, project: selection.project, package: package)
    }

    /// The run meant by an id, its beginning or end, a commit, or `latest` of a project.
    func find(_ text: String, project chosen: String?, package: PackageOptions) async throws -> FoundRun {
        let store = try open()
        let isLatest = text == "latest"
        let project = isLatest ? try await project(chosen, package: package) : nil
        let id = try identify(text, project: project, in: store)
        guard let stored = try store.run(id) else { throw Problem(.ioError, "run \(id) is not in the store") }
        return FoundRun(
            run: stored.run, verdict: stored.verdict, directory: stored.keptDirectory,
            hasExecutionCounts: stored.hasExecutionCounts)
    }

    /// The id of a run: `latest` of a project or of all, an id, its beginning or end, or the latest run of a commit.
    func identify(_ text: String, project: String?, in store: RunStore) throws -> RunID {
        if text == "latest" {
            if let latest = try store.runs(project: project, limit: 1).first { return latest.id }
            throw Problem(
                .usage, "there is no stored run" + (project.map { " of \($0)" } ?? ""),
                hint: "kanmon history --all lists every run")
        }
        let matches = try store.runIDs(matching: text)
        if let match = matches.first, matches.count == 1 { return match }
        if matches.isEmpty, let run = try store.runs(commit: text, limit: 1).first { return run.id }
        let reason = matches.isEmpty ? "no stored run matches" : "several stored runs match"
        throw Problem(.usage, "\(reason) '\(text)'", hint: "kanmon history --all lists every run")
    }

    /// The project meant, for what is asked of one project only.
    func requiredProject(_ chosen: String?, package: PackageOptions) async throws -> String {
        guard let project = try await project(chosen, package: package) else {
            throw Problem(.usage, "there is no package here to take the project from", hint: "name it with --project")
        }
        return project
    }

    /// The project meant: the one named, else that of the package here, else any.
    func project(_ chosen: String?, package: PackageOptions) async throws -> String? {
        if let chosen { return chosen }
        let path = surroundings.absolute(package.packagePath)
        guard FileManager.default.fileExists(atPath: path + "/Package.swift") else { return nil }
        return try await PackageContext.load(path, surroundings: surroundings).project
    }
}
