package import Evidence
import Foundation
import Gate
package import RunModel

/// Puts runs of this machine into the inbox of a store of objects, where the servers over it find them.
package struct InboxPush: Sendable {
    /// What was put of one run.
    package struct Pushed: Sendable, Hashable {
        /// The run.
        package let run: RunID
        /// How many files it has.
        package let files: Int
        /// Their bytes.
        package let bytes: Int
    }

    private let home: Home
    private let includesWorkingCopies: Bool

    /// Makes a push.
    ///
    /// - Parameter includesWorkingCopies: Whether runs of no exact tree are put, too.
    package init(_ home: Home, includesWorkingCopies: Bool) {
        self.home = home
        self.includesWorkingCopies = includesWorkingCopies
    }

    /// The runs whose run directories are kept and that are delivered: those of exact trees, and no shards, as the merged run has them.
    ///
    /// - Throws: `Problem` if there is none.
    package func all() throws -> [RunDirectory] {
        let found = try RunArchive(home: home).directories().filter { directory in
            // What cannot be read cannot be judged either.
            guard let manifest = try? directory.manifest() else { return false }
            return reason(against: manifest) == nil
        }
        guard !found.isEmpty else {
            throw Problem(
                .usage, "there is no run to put into the objects in \(home.runs)",
                hint: "kanmon run --commit HEAD, or another home with --home")
        }
        return found
    }

    /// One run.
    ///
    /// - Parameter name: Its id, or the beginning or the end of that; `latest` for the one that began last.
    /// - Throws: `Problem` if no run is called so, or several are, or it is none that is delivered.
    package func run(_ name: String) throws -> RunDirectory {
        let directories = try RunArchive(home: home).directories()
        let found =
            name == "latest"
            ? Array(directories.suffix(1))
            : directories.filter { directory in
                let id = (directory.path as NSString).lastPathComponent
                return id.hasPrefix(name) || id.hasSuffix(name)
            }
        guard let directory = found.first, found.count == 1 else {
            let reason = found.isEmpty ? "there is no run directory of '\(name)'" : "several runs are called '\(name)'"
            throw Problem(.usage, reason, hint: "they are in \(home.runs)")
        }
        if let reason = reason(against: try directory.manifest()) { throw reason }
        return directory
    }

    /// Why a run is not delivered; `nil` if it is.
    private func reason(against manifest: RunManifest) -> Problem? {
        if manifest.selection?.shard != nil {
            return Problem(
                .usage, "run \(manifest.id.short) is a shard", hint: "kanmon merge makes one run of all shards")
        }
        if manifest.revision?.isExact != true, !includesWorkingCopies {
            return Problem(
                .usage, "run \(manifest.id.short) is of a working copy",
                hint: "--deliver-working-copies, or kanmon run --commit HEAD")
        }
        return nil
    }

    /// Puts a run; whole there when it returns.
    ///
    /// - Parameters:
    ///   - name: The name in the inbox.
    ///   - patience: How long to try while nothing can be put.
    /// - Throws: `EvidenceError` for a run that no server takes; `ObjectError` for the store.
    package func put(
        _ directory: RunDirectory, into objects: RunObjects, as name: String, patience: Duration
    ) async throws -> Pushed {
        let (files, bytes) = try await objects.offer(directory, as: name, patience: patience)
        guard let run = RunID((directory.path as NSString).lastPathComponent) else {
            throw EvidenceError.notARunDirectory(path: directory.path)
        }
        return Pushed(run: run, files: files, bytes: bytes)
    }
}
