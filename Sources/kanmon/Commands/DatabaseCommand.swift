import Application
import ArgumentParser
import Delivery
import Evidence
import Exports
import Foundation
import Gate
import RunModel
import Storage

/// `kanmon db`: maintenance of the store.
struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "db",
        abstract: "Check the store, back it up, export it, prune it, or rebuild it from the run directories.",
        subcommands: [Check.self, Backup.self, Export.self, Prune.self, Rebuild.self]
    )
}

extension DatabaseCommand {
    /// `kanmon db check`.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Check the database: its pages, references and totals, and that no run is missing.")

        @OptionGroup var store: StoreOptions

        func run() throws {
            let process = ProcessContext.current
            let home = store.home(process)
            let stored = try StoredRuns(home, process: process).open()
            let findings = try stored.check()
            guard findings.isEmpty else {
                findings.forEach { StandardStreams.print("\($0.check.rawValue): \($0.detail)") }
                throw Problem(.ioError, "\(home.database) is damaged", hint: "kanmon db rebuild")
            }
            if let gap = try RunArchive(home: home).gap(of: stored, now: process.now) { throw gap }
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
            let process = ProcessContext.current
            let path = process.absolute(file)
            try StoredRuns(store.home(process), process: process).open().backup(to: path)
            StandardStreams.print("backed up to \(path)")
        }
    }

    /// `kanmon db export`.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write the history into a SQLite file with a row for everything, for other tools to query.",
            discussion: """
                The store itself is packed. docs/queries.md describes the tables and has questions to begin with. The \
                file is a copy of this moment, and Kanmon never reads it.
                """)

        @OptionGroup var store: StoreOptions
        @Option(help: ArgumentHelp("Only the runs of this project; default: all.", valueName: "name"))
        var project: String?
        @Argument(help: "The file to write; it must not exist.") var file: String

        func run() throws {
            let process = ProcessContext.current
            let path = process.absolute(file)
            let stored = try StoredRuns(store.home(process), process: process).open()
            if let project, try stored.latestRun(project: project) == nil { throw Problem.noStoredRun(of: project) }
            let line = UpdatedLine(process)
            let count = try stored.exportTables(to: path, project: project) { written, all in
                line.show("exporting: run \(written) of \(all)")
            }
            line.clear()
            StandardStreams.print("exported \(Figures.counted(count, "run")) to \(path)")
        }
    }

    /// `kanmon db prune`.
    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune",
            abstract: "Remove old run directories, and with --keep-history also old results from the database.",
            discussion: """
                A result stays in the database when its run directory is removed: then its pages and reports lack \
                the sources and the output of the tests, and 'db rebuild' cannot restore it.

                With --objects nothing is lost: only files of delivered runs are removed, and only those that are \
                complete there. They are fetched back when they are needed.
                """)

        @OptionGroup var store: StoreOptions
        @Option(
            help: ArgumentHelp(
                "How many days run directories are kept; 0 with --objects only.", valueName: "days"))
        var keepDays = RetentionDefaults.runDirectoryDays
        @Option(
            help: ArgumentHelp(
                "How many days results are kept, at least --keep-days; the newest run of each project stays. Default: all results.",
                valueName: "days"))
        var keepHistory: Int?
        @Option(
            help: ArgumentHelp(
                "Remove nothing but files that 'serve --objects' has kept there: s3://BUCKET/PREFIX, or folder:///PATH.",
                valueName: "url"))
        var objects: String?
        @Flag(help: "Only print what would be removed.") var dryRun = false

        func validate() throws {
            guard keepDays > 0 || keepDays == 0 && objects != nil else {
                throw ValidationError("--keep-days is at least 1, or 0 with --objects")
            }
            guard let keepHistory, keepHistory < keepDays else { return }
            throw ValidationError(
                """
                --keep-history must be at least --keep-days, here \(keepDays): otherwise 'db rebuild' would bring \
                back removed results
                """)
        }

        func run() async throws {
            let process = ProcessContext.current
            let home = store.home(process)
            let now = process.now
            try await pruneDirectories(of: home, process, now: now)
            pruneBlobs(of: home, now: now)
            // After the directories, so that an interruption leaves no directory without its result.
            if let keepHistory { try pruneResults(of: home, olderThan: keepHistory, now: now) }
        }

        private func pruneDirectories(of home: Home, _ process: ProcessContext, now: Date) async throws {
            let archive = RunArchive(home: home)
            let limit = Self.limit(keepDays, before: now)
            let outbox = Outbox(folder: home.outbox)
            let old = try archive.directories().filter { directory in
                do throws(EvidenceError) {
                    let manifest = try directory.manifest()
                    guard manifest.startedAt < limit else { return false }
                    guard !outbox.contains(manifest.id) else {
                        StandardStreams.tell("kanmon: \(directory.path) is not removed: it waits for its delivery")
                        return false
                    }
                    return true
                } catch {
                    StandardStreams.tell("kanmon: warning: \(directory.path) is not removed: \(error)")
                    return false
                }
            }
            if let objects {
                try await drop(old, of: home, into: ObjectPlace(objects), process)
            } else {
                for directory in old {
                    if !dryRun { try archive.remove(directory) }
                    StandardStreams.print("\(verb) \(directory.path)")
                }
                tell(old.count, "run directory", "run directories", olderThan: keepDays)
            }
            // No run directory takes a day to write.
            for leftover in try archive.leftovers() where leftover.changed < Self.limit(1, before: now) {
                if !dryRun { try archive.remove(leftover.path) }
                StandardStreams.print("\(verb) \(leftover.path), which is unfinished")
            }
        }

        /// Removes the files of runs that are whole among the objects.
        private func drop(
            _ directories: [RunDirectory], of home: Home, into place: ObjectPlace, _ process: ProcessContext
        ) async throws {
            let line = UpdatedLine(process)
            let (isDryRun, verb) = (dryRun, verb)
            let (count, bytes) = try await place.with(process) { objects in
                let dropping = RunDropping(objects, home)
                var (count, bytes) = (0, 0)
                for directory in directories {
                    line.show("looking for what is among the objects: run \(count)")
                    guard let size = try await dropping.drop(directory, isDryRun: isDryRun) else { continue }
                    (count, bytes) = (count + 1, bytes + size)
                }
                return (count, bytes)
            }
            line.clear()
            StandardStreams.print(
                "\(verb) the files of \(Figures.counted(count, "run")) that are in \(place), \(bytes) bytes")
        }

        /// After the directories: a file that only a removed run had is of no run now.
        private func pruneBlobs(of home: Home, now: Date) {
            let removed = BlobStore(path: home.blobs).prune(now: now, isDryRun: dryRun)
            guard removed.files > 0 else { return }
            let files = removed.files == 1 ? "1 delivered file" : "\(removed.files) delivered files"
            StandardStreams.print("\(verb) \(files) without a run, \(removed.bytes) bytes")
        }

        private func pruneResults(of home: Home, olderThan days: Int, now: Date) throws {
            // Opening a store for writing would create it.
            guard home.hasStore else { return tell(0, "result", "results", olderThan: days) }
            let store = try dryRun ? RunStore.reading(home.database) : RunStore(path: home.database)
            let retention = Retention(newest: 1, since: Self.limit(days, before: now))
            let pruning = try store.prune(keeping: retention, isDryRun: dryRun)
            for run in pruning.removed.reversed() {
                StandardStreams.print("\(verb) the result of run \(run.id) of \(TerminalText.safe(run.project))")
            }
            tell(pruning.removed.count, "result", "results", olderThan: days)
            if let failure = pruning.vacuumFailure {
                StandardStreams.tell("kanmon: warning: the file did not become smaller: failed to \(failure)")
            }
        }

        private var verb: String { dryRun ? "would remove" : "removed" }

        private static func limit(_ days: Int, before now: Date) -> Date {
            now.addingTimeInterval(-Double(days) * 86_400)
        }

        private func tell(_ count: Int, _ one: String, _ many: String, olderThan days: Int) {
            StandardStreams.tell("\(count) \(count == 1 ? one : many) older than \(days) \(days == 1 ? "day" : "days")")
        }
    }

    /// `kanmon db rebuild`.
    struct Rebuild: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rebuild",
            abstract:
                "Rebuild the database from the run directories; the old one is replaced when the new one is complete.")

        @OptionGroup var store: StoreOptions
        @Flag(help: "Also discard results whose run directories are gone or cannot be read.") var discardHistory = false
        @Option(
            help: ArgumentHelp(
                """
                First bring back the delivered runs that 'serve --objects' has kept there and that are not here: \
                s3://BUCKET/PREFIX, or folder:///PATH. An interrupted rebuild continues where it stopped.
                """, valueName: "url"))
        var fromObjects: String?
        @Flag(
            help: """
                Bring back every file and judge every run again; otherwise a home without runs begins with the newest \
                snapshot of the index that a server has left there, and files of its runs are fetched when they are \
                needed.
                """)
        var noSnapshot = false

        func validate() throws {
            guard noSnapshot, fromObjects == nil else { return }
            throw ValidationError("--no-snapshot belongs to --from-objects")
        }

        func run() async throws {
            let process = ProcessContext.current
            let home = store.home(process)
            guard let fromObjects else { return try rebuild(home, process) }
            let place = try ObjectPlace(fromObjects)
            let isWhole = try await place.with(process) { objects in
                if !noSnapshot, let isWhole = try await takeSnapshot(objects, place, into: home, process) {
                    return isWhole
                }
                let isWhole = try await restore(objects, place, into: home, process)
                try rebuild(home, process)
                return isWhole
            }
            if !isWhole { throw ExitStatus.badInput }
        }

        /// Brings the run directories back that are kept as objects; returns whether all could be.
        private func restore(
            _ objects: RunObjects, _ place: ObjectPlace, into home: Home, _ process: ProcessContext
        ) async throws -> Bool {
            let line = UpdatedLine(process)
            let report = try await RunRestoration(objects, into: home, now: process.now).restoreAll { count in
                line.show("bringing back: run \(count)")
            }
            line.clear()
            return tell(report, place, home)
        }

        /// Begins with a snapshot of the index; returns whether everything could be brought back, `nil` where none is
        /// used.
        private func takeSnapshot(
            _ objects: RunObjects, _ place: ObjectPlace, into home: Home, _ process: ProcessContext
        ) async throws -> Bool? {
            let line = UpdatedLine(process)
            let restoration = try SnapshotRestoration(objects, into: home, now: process.now)
            let (beginning, refused) = try await restoration.begin()
            for reason in refused { StandardStreams.tell("kanmon: warning: a snapshot is not used: \(reason)") }
            switch beginning {
            case .goesOn: StandardStreams.print("the index is that of a snapshot; what is missing is brought back")
            case .taken(let taken):
                let others = taken.leftOut > 0 ? ", \(Figures.grouped(taken.leftOut)) of it are looked at again" : ""
                StandardStreams.print(
                    "took \(Figures.counted(taken.runs, "run")) from the snapshot \(taken.name)\(others)")
            case .notEmpty, .unusable: return nil
            }
            let report = try await restoration.finish { count in
                line.show("bringing back: run \(count)")
            }
            line.clear()
            let isWhole = tell(report.directories, place, home)
            StandardStreams.print(
                """
                judged \(Figures.counted(report.judged, "run")); the files of \(Figures.counted(report.left, "run")) \
                stay in \(place) until they are needed
                """)
            guard report.unreadable.isEmpty else {
                let runs = report.unreadable.joined(separator: "\n")
                StandardStreams.tell("kanmon: these cannot be read and were left out:\n\(runs)")
                return false
            }
            return isWhole
        }

        /// Says what was brought back; returns whether that is everything.
        private func tell(_ report: RunRestoration.Report, _ place: ObjectPlace, _ home: Home) -> Bool {
            StandardStreams.print(
                "brought back \(Figures.counted(report.restored, "run")) from \(place), \(report.present) were here")
            if !report.strangers.isEmpty {
                let names = report.strangers.sorted().map { "'\($0)'" }.joined(separator: ", ")
                StandardStreams.tell(
                    """
                    kanmon: warning: nobody vouches for what \(names) delivered: \(home.tokens) has no such token
                    Try: put that file back from a backup, then rebuild again
                    """)
            }
            if !report.lost.isEmpty {
                let runs = report.lost.joined(separator: "\n")
                StandardStreams.tell("kanmon: these are not whole among the objects and were left out:\n\(runs)")
            }
            return report.lost.isEmpty
        }

        private func rebuild(_ home: Home, _ process: ProcessContext) throws {
            var rebuild = try StoreRebuild(home, now: process.now)
            guard !rebuild.directories.isEmpty else {
                // Replacing a store that may still have results by an empty one would be a loss.
                throw Problem(
                    .usage, "there are no run directories in \(home.runs) to rebuild from",
                    hint: "name the home that has them with --home")
            }
            let away = rebuild.droppedCount
            guard away == 0 else {
                throw Problem(
                    .usage, "the files of \(Figures.counted(away, "run")) are only among the objects",
                    hint: "kanmon db rebuild --from-objects URL --no-snapshot")
            }
            home.prepare()
            try refuseLosses(of: rebuild, .usage, because: "gone")
            try rebuild.fill()
            do {
                try refuseLosses(
                    of: rebuild, .badInput, because: "not readable:\n" + rebuild.unreadable.joined(separator: "\n"))
            } catch {
                try rebuild.discard()
                throw error
            }
            try rebuild.replace()
            let count = rebuild.count
            StandardStreams.print(
                "rebuilt \(home.database) from \(count) run \(count == 1 ? "directory" : "directories")")
            guard rebuild.unreadable.isEmpty else {
                throw Problem(
                    .badInput, "these cannot be read and were left out:\n" + rebuild.unreadable.joined(separator: "\n"))
            }
        }

        private func refuseLosses(of rebuild: StoreRebuild, _ status: ExitStatus, because reason: String) throws {
            let count = try discardHistory ? 0 : rebuild.losses()
            guard count > 0 else { return }
            let results = count == 1 ? "1 result whose run directory is" : "\(count) results whose run directories are"
            throw Problem(
                status, "a rebuild would lose \(results) \(reason)",
                hint: "kanmon db backup FILE, then kanmon db rebuild --discard-history")
        }
    }
}
