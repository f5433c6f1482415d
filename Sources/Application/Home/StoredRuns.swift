package import Evidence
import Foundation
package import Gate
package import RunModel
package import Storage
import TestResults

extension JudgedRun {
    /// The run directory, where that is still there.
    package var directory: RunDirectory? {
        runDirectory.map { RunDirectory(path: $0) }.flatMap { $0.isThere ? $0 : nil }
    }

    /// The same with the coverage details of the run directory, if it still exists.
    package var detailed: JudgedRun {
        guard let directory, var coverage = run.coverage else { return self }
        do {
            if let unexecuted = try UnexecutedFiles(in: directory) { coverage.add(unexecuted) }
        } catch {
            StandardStreams.tell("kanmon: warning: parts of lines and functions are unknown: \(error)")
        }
        var detailed = self
        detailed.run.coverage = coverage
        return detailed
    }

    /// The folder in which the package was built; the working directory if the run directory is gone.
    package var packageRoot: String {
        get throws { try directory?.manifest().packageRoot ?? "." }
    }
}

/// Finds stored runs by name.
package struct StoredRuns: Sendable {
    package let home: Home
    package let process: ProcessContext

    /// The store of a home.
    package init(_ home: Home, process: ProcessContext) { (self.home, self.process) = (home, process) }

    /// Opens the store for reading; throws if the home has none yet.
    ///
    /// - Parameter remedy: What makes a store.
    package func open(trace: StatementTrace? = nil, orTry remedy: String = "kanmon run") throws -> RunStore {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: home.path, isDirectory: &isDirectory), !isDirectory.boolValue {
            throw Problem(.ioError, "\(home.path) is not a folder", hint: "name the store's folder with --home")
        }
        guard home.hasStore else {
            if let gap = try RunArchive(home: home).gap(of: nil, now: process.now) { throw gap }
            throw Problem(.usage, "there is no store in \(home.path) yet", hint: remedy)
        }
        return try RunStore.reading(home.database, trace: trace)
    }

    /// The named run; by the name of a commit as it was judged for that.
    package func find(_ name: RunName) async throws -> JudgedRun {
        let store = try open()
        let (id, commit) = try await locate(name, in: store)
        guard let found = try commit.map({ try store.run(id, for: $0) }) ?? store.run(id) else {
            throw Problem(.ioError, "run \(id) is not in the store")
        }
        try await fetchFiles(of: id)
        return found
    }

    /// Fetches the files of a run whose run directory has lost them to the objects.
    package func fetchFiles(of run: RunID) async throws {
        try await RunFetcher(home, process: process).fetch(run)
    }

    /// The project, for commands that need one.
    ///
    /// - Parameter package: The folder of the package.
    package func requiredProject(_ chosen: String?, package: String) async throws -> String {
        guard let project = try await project(chosen, package: package) else {
            throw Problem(.usage, "there is no package here to take the project from", hint: "name it with --project")
        }
        return project
    }

    /// The project: the named one, else that of the package here, else any.
    ///
    /// - Parameter package: The folder of the package.
    package func project(_ chosen: String?, package: String) async throws -> String? {
        if let chosen { return chosen }
        let path = process.absolute(package)
        guard FileManager.default.fileExists(atPath: path + "/Package.swift") else { return nil }
        return try await PackageContext.load(path, process: process).project
    }
}
