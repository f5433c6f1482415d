import ArgumentParser
import Evidence
import Foundation
import Gate
import RunModel
import Storage

/// `kanmon db`: care of the store.
struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "db",
        abstract: "Check the store, back it up, prune it, or rebuild it from the run directories.",
        subcommands: [Check.self, Backup.self, Prune.self, Rebuild.self]
    )
}

extension DatabaseCommand {
    /// `kanmon db check`.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Check the database: its pages, its references, and its sums against recounts.")

        @OptionGroup var store: StoreOptions

        func run() throws {
            let surroundings = Surroundings.current
            let home = store.home(surroundings)
            let findings = try StoredRuns(home, surroundings: surroundings).open().check()
            guard findings.isEmpty else {
                findings.forEach { StandardStreams.print("\($0.check.rawValue): \($0.detail)") }
                throw Problem(.ioError, "\(home.database) is damaged", hint: "kanmon db rebuild")
            }
            StandardStreams.print("\(home.database) is sound")
        }
    }

    /// `kanmon db backup`.
    struct Backup: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup", abstract: "Copy the database while it is in use.")

        @OptionGroup var store: StoreOptions
        @Argument(help: "The file to write; it must not exist.") var file: String

        func run() throws {
            let surroundings = Surroundings.current
            let path = surroundings.absolute(file)
            try StoredRuns(store.home(surroundings), surroundings: surroundings).open().backup(to: path)
            StandardStreams.print("backed up to \(path)")
        }
    }

    /// `kanmon db prune`.
    struct Prune: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune",
            abstract: "Remove run directories older than the days given; the database keeps their results.")

        @OptionGroup var store: StoreOptions
        @Option(help: ArgumentHelp("How many days of run directories are kept.", valueName: "days")) var keepDays = 90
        @Flag(help: "Only say what would be removed.") var dryRun = false

        func validate() throws {
            guard keepDays > 0 else { throw ValidationError("--keep-days is at least 1") }
        }

        func run() throws {
            let surroundings = Surroundings.current
            let archive = RunArchive(home: store.home(surroundings))
            let limit = surroundings.now.addingTimeInterval(-Double(keepDays) * 86_400)
            let old = try archive.directories().filter { try $0.manifest().startedAt < limit }
            for directory in old {
                if !dryRun { try archive.remove(directory) }
                StandardStreams.print("\(dryRun ? "would remove" : "removed") \(directory.path)")
            }
            StandardStreams.tell(
                "\(old.count) run \(old.count == 1 ? "directory" : "directories") older than \(keepDays) \(keepDays == 1 ? "day" : "days")"
            )
        }
    }

    /// `kanmon db rebuild`.
    struct Rebuild: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rebuild",
            abstract: "Make the database anew from the run directories; the old one is replaced when the new is whole.")

        @OptionGroup var store: StoreOptions

        func run() throws {
            let surroundings = Surroundings.current
            let home = store.home(surroundings)
            let archive = RunArchive(home: home)
            let directories = try archive.directories()
            guard !directories.isEmpty else {
                // An empty store in the place of one that may still hold results would be a loss, not a repair.
                throw Problem(.usage, "there are no run directories in \(home.runs) to rebuild from")
            }
            let fresh = home.database + ".rebuilding"
            try archive.removeDatabase(at: fresh)
            var count = 0
            var unreadable: [String] = []
            do {
                let store = try RunStore(path: fresh)
                for directory in directories {
                    do {
                        let run = try TestRun.read(from: directory)
                        let verdict = try Verdict(judging: run, in: directory) { try $0.past(of: run) { store } }
                        _ = try store.ingest(run, verdict: verdict, runDirectory: directory.path)
                        count += 1
                    } catch {
                        // One run that cannot be read must not cost all the others.
                        guard let problem = Problem(explaining: error), problem.status != .ioError else { throw error }
                        unreadable.append("\(directory.path): \(problem.reason)")
                    }
                }
            }
            try RunStore.replace(databaseAt: home.database, with: fresh)
            StandardStreams.print(
                "rebuilt \(home.database) from \(count) run \(count == 1 ? "directory" : "directories")")
            guard unreadable.isEmpty else {
                throw Problem(.badInput, "left out what cannot be read:\n" + unreadable.joined(separator: "\n"))
            }
        }
    }
}
