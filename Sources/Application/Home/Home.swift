import Evidence
import Foundation
import Gate
package import RunModel

/// The folders of data that outlives a run.
package struct Home: Sendable {
    /// The folder of the store and the run directories.
    package let path: String
    /// The folder of data that can be made again: scratch paths and the observer.
    package let cache: String

    /// The folders by `--home` or `KANMON_HOME`, else by the XDG base directory specification.
    package init(_ chosen: String?, process: ProcessContext) {
        let user = process.environment["HOME"] ?? "/"
        func folder(_ variable: String, _ fallback: String) -> String {
            let value = process.environment[variable] ?? ""
            // The specification says to ignore relative paths.
            return value.hasPrefix("/") ? value : user + fallback
        }
        path =
            chosen.map(process.absolute) ?? (folder("XDG_STATE_HOME", "/.local/state") + "/kanmon")
        cache = folder("XDG_CACHE_HOME", "/.cache")
    }

    /// Makes the folder if it is missing, so that only its owner can enter it.
    ///
    /// If others may enter an existing folder and it holds only Kanmon's files, its mode is corrected; otherwise a
    /// warning is printed, because it may be the user's home or `/tmp`. If it cannot be made, the first write reports
    /// the error.
    package func prepare() {
        let parent = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        try? FileOwner.makeFolder(parent)
        if mkdir(path, 0o700) == 0 { return FileOwner.follow(folderOf: path) }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard let status = FileStatus(descriptor: descriptor), status.isOpenToOthers else { return }
        if status.owner == geteuid(), holdsOnlyOwn, fchmod(descriptor, 0o700) == 0 { return }
        StandardStreams.tell(
            "kanmon: warning: other users can read the results in \(path)\nTry: chmod 700 \(path), or another --home"
        )
    }

    /// Refuses a folder in which others could put tokens of their own.
    package func refuseWriters() throws(Problem) {
        for file in [path, tokens, badgeSecret, webhooks] {
            guard FileStatus(at: file)?.isWritableByOthers == true else { continue }
            throw Problem(
                .badConfiguration, "every user of this machine can write to \(file), and let himself in",
                hint: "chmod o-w \(file)")
        }
    }

    /// Whether the folder holds only Kanmon's files.
    private var holdsOnlyOwn: Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return false }
        return names.allSatisfy { name in
            [
                "kanmon.sqlite", "tokens.json", "badge-secret", "verdicts.jsonl", "machines.json", "projects.json",
                "culprits.jsonl", "objects.json", "snapshots.json",
            ]
            .contains { name.hasPrefix($0) }
                || [
                    "runs", "running", "spool", "blobs", "outbox", "removed", "server.key", "webhooks", "dropped",
                    "fetched", "inbox",
                ]
                .contains(name)
        }
    }

    /// A database that replaces the one in the folder.
    var otherDatabase: String?

    package var database: String { otherDatabase ?? path + "/kanmon.sqlite" }

    /// Whether the folder exists.
    package var isThere: Bool { FileManager.default.fileExists(atPath: path) }

    /// Whether there is a database: a home before its first run has none.
    package var hasStore: Bool { FileManager.default.fileExists(atPath: database) }

    /// The folder of all run directories.
    package var runs: String { path + "/runs" }

    /// The folder of the progress files of runs in progress.
    package var progressFiles: String { path + "/running" }

    /// The folder of the runs that have to be delivered to a server.
    package var outbox: String { path + "/outbox" }

    /// The file with the tokens of the server; apart from the database, so that a rebuild loses none.
    package var tokens: String { path + "/tokens.json" }
    /// What the keys of badges and feeds are made of.
    package var badgeSecret: String { path + "/badge-secret" }

    /// The folder of the webhooks with their secrets and messages; apart from the database, like the tokens.
    package var webhooks: String { path + "/webhooks" }

    /// The file with the key that the server signs verdicts with.
    package var serverKey: String { path + "/server.key" }

    /// The file with the verdicts of a server that were reused here instead of running the tests.
    var reusedVerdicts: String { path + "/verdicts.jsonl" }

    /// The file with what searches for culprits have found; apart from the database, so that a rebuild loses nothing.
    var culprits: String { path + "/culprits.jsonl" }

    /// The file with what the server remembers of the machines that deliver; derived from nothing, like the tokens.
    package var machines: String { path + "/machines.json" }

    /// The file with how far the server has read what others wrote into the store of objects; without it everything is looked at.
    var knownLog: String { path + "/objects.json" }

    /// The file with which snapshots of its index this home has left in a store of objects.
    var ownSnapshots: String { path + "/snapshots.json" }

    /// The file that is there while the index is from a snapshot and not everything that belongs to it is here.
    var restoring: String { path + "/objects.json.restoring" }

    /// The folder of files of runs, each named by its SHA-256.
    package var blobs: String { path + "/blobs" }

    package func runDirectory(project: String, id: RunID) -> String { "\(runs(of: project))/\(id)" }

    /// The folder of a project's run directories.
    func runs(of project: String) -> String { "\(runs)/\(Self.folderName(for: project))" }

    /// A project's name as one path component: special characters become `_`, and half of its SHA-256 follows, so that nobody
    /// finds a name that shares the folder of another project.
    static func folderName(for project: String) -> String {
        let plain = project.unicodeScalars.map { scalar in
            let isPlain =
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-".unicodeScalars.contains(scalar))
            return isPlain ? Character(scalar) : "_"
        }
        // Two projects that differ only in replaced characters get two folders.
        return String(plain.prefix(60)) + "-" + Digest.sha256(Array(project.utf8)).prefix(32)
    }
}
