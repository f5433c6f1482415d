import Evidence
package import Foundation
package import Gate
import RunModel
import Storage

/// What goes with a project: its results, its run directories and the runs that wait.
///
/// The folders are set aside first, under a name that nothing reads, then the results go in one transaction, and the folders
/// last. So a removal that is killed leaves either all of it or nothing that a rebuild would bring back, and doing it again ends it.
package struct ProjectRemoval: Sendable {
    let home: Home
    let project: String
    /// The results, the newest first.
    package let runs: [RunSummary]
    /// The folders with run directories, under each name that the project had.
    package let folders: [String]

    package init(_ project: String, of home: Home) throws {
        self.home = home
        self.project = project
        runs = try home.hasStore ? RunStore.reading(home.database).remove(project: project, isDryRun: true) : []
        folders = try ProjectNames(home).all(of: project).map { home.runs(of: $0) }
            .filter { FileManager.default.fileExists(atPath: $0) }
    }

    /// Whether there is anything to remove.
    package var isEmpty: Bool { runs.isEmpty && folders.isEmpty }

    /// How many run directories there are, and the bytes of their files; delivered files are shared with other runs.
    package var directories: (count: Int, bytes: Int) {
        var (count, bytes) = (0, 0)
        for folder in folders {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            count += names.count { RunID($0) != nil }
            for path in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] {
                bytes += FileStatus(at: "\(folder)/\(path)").map { $0.isRegularFile ? $0.size : 0 } ?? 0
            }
        }
        return (count, bytes)
    }

    /// Removes all of it.
    ///
    /// - Parameter moment: Of what is kept as objects, nothing comes back that was delivered before.
    package func remove(at moment: Date) throws {
        let names = ProjectNames(home)
        if FileManager.default.fileExists(atPath: home.knownLog) {
            try names.remove(try names.all(of: project), at: moment)
        }
        let spool = Spool(home)
        for entry in spool.waiting() where folders.contains(where: { entry.directory.path.hasPrefix($0 + "/") }) {
            spool.remove(entry.id)
        }
        let aside = "\(home.path)/removed"
        try? FileOwner.makeFolder(aside)
        for folder in folders {
            let place = "\(aside)/\((folder as NSString).lastPathComponent)"
            // What an earlier removal left there.
            try? FileManager.default.removeItem(atPath: place)
            guard rename(folder, place) == 0 else {
                throw Problem(.ioError, "failed to set \(folder) aside: \(String(cString: strerror(errno)))")
            }
        }
        if home.hasStore { _ = try RunStore(path: home.database).remove(project: project, isDryRun: false) }
        try CulpritLedger(home).forget(try names.all(of: project))
        try names.forget(project)
        try RunArchive(home: home).remove(aside)
    }
}
