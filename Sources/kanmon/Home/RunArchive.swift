import Evidence
import Foundation
import Gate
import RunModel

/// The run directories of a home.
struct RunArchive: Sendable {
    let home: Home

    /// Every complete run directory, ordered by run id, so that a rebuild ingests them as they came.
    func directories() throws -> [RunDirectory] {
        let files = FileManager.default
        guard files.fileExists(atPath: home.runs) else { return [] }
        do {
            return try files.contentsOfDirectory(atPath: home.runs).flatMap { project in
                try files.contentsOfDirectory(atPath: "\(home.runs)/\(project)").map { (project, $0) }
            }
            .filter {
                RunID($0.1) != nil && files.fileExists(atPath: "\(home.runs)/\($0.0)/\($0.1)/\(RunManifest.fileName)")
            }
            .sorted { $0.1 < $1.1 }
            .map { RunDirectory(path: "\(home.runs)/\($0.0)/\($0.1)") }
        } catch {
            throw Problem(.ioError, "failed to list \(home.runs): \(error.fileSystemReason)")
        }
    }

    /// Removes a run directory for good.
    func remove(_ directory: RunDirectory) throws {
        do {
            try FileManager.default.removeItem(atPath: directory.path)
        } catch {
            throw Problem(.ioError, "failed to remove \(directory.path): \(error.fileSystemReason)")
        }
    }

    /// Removes a database that was left half made, and what SQLite keeps beside it.
    func removeDatabase(at path: String) throws {
        for file in [path, path + "-wal", path + "-shm"] where FileManager.default.fileExists(atPath: file) {
            do {
                try FileManager.default.removeItem(atPath: file)
            } catch {
                throw Problem(.ioError, "failed to remove \(file): \(error.fileSystemReason)")
            }
        }
    }
}
