import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import RunModel

/// `kanmon objects`: what servers keep of delivered runs in a store of objects.
struct ObjectsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "objects", abstract: "Check or sweep what 'serve --objects' has kept of delivered runs.",
        subcommands: [Check.self, Snapshot.self, Sweep.self])
}

extension ObjectsCommand {
    /// `kanmon objects snapshot`.
    struct Snapshot: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "snapshot",
            abstract: "Store a copy of the index, from which 'db rebuild --from-objects' begins.",
            discussion: """
                A server does that once a day by itself, when it has nothing to judge. The last two of a home are \
                kept. Runs that were made in this home and not delivered are not in it, nor is any token or key.
                """)

        @OptionGroup var store: StoreOptions
        @Argument(help: "The place of the objects: s3://BUCKET/PREFIX, or folder:///PATH.") var url: String

        func run() async throws {
            let process = ProcessContext.current
            let home = store.home(process)
            let place = try ObjectPlace(url)
            let left = try await place.with(process) { objects in
                try await SnapshotWriter(objects, of: home).leave(at: process.now)
            }
            StandardStreams.print(
                """
                left a snapshot of \(Figures.counted(left.runs, "run")) in \(place): \(left.name), \
                \(Figures.bytes(left.bytes))
                """)
        }
    }

    /// `kanmon objects check`.
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Check that every run that has arrived is complete among the objects.",
            discussion: """
                It lists what is missing, unreadable or has another hash, also runs that were delivered to this home \
                and are not there. It removes nothing, and may run while servers use the objects.
                """)

        @OptionGroup var store: StoreOptions
        @Flag(help: "Read every file, and compare it with its hash; otherwise only lists and manifests are read.")
        var read = false
        @Flag(help: "Put there what is missing or damaged, if this home has it.") var repair = false
        @Argument(help: "The place of the objects: s3://BUCKET/PREFIX, or folder:///PATH.") var url: String

        func run() async throws {
            let process = ProcessContext.current
            let home = store.home(process)
            let place = try ObjectPlace(url)
            let line = UpdatedLine(process)
            let report = try await place.with(process) { objects in
                try await ObjectsCheck(objects, home, reads: read, repairs: repair).report { count in
                    line.show("checking: object \(count)")
                }
            }
            line.clear()
            for note in report.notes { StandardStreams.print("note: \(TerminalText.safe(note))") }
            for finding in report.findings {
                StandardStreams.print((finding.isRepaired ? "repaired: " : "") + TerminalText.safe(finding.text))
            }
            let (runs, files) = (Figures.counted(report.runs, "run"), Figures.counted(report.files, "file"))
            let unused = report.unused > 0 ? ", and \(Figures.grouped(report.unused)) of no run yet" : ""
            StandardStreams.print("\(place): \(runs) with \(files)\(unused)")
            let open = report.findings.count { !$0.isRepaired }
            guard open > 0 else { return }
            throw Problem(
                .ioError, "\(Figures.counted(open, "fault")) among the objects of \(place)",
                hint: repair ? "the same on the server that took the run" : "kanmon objects check --repair \(place)")
        }
    }
}

extension ObjectsCommand {
    /// `kanmon objects sweep`.
    struct Sweep: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sweep",
            abstract: "Remove files that no run needs from the objects, and with --keep-days also old runs.",
            discussion: """
                It may run while servers use the objects. A file that no run needs is first set aside, and is removed \
                by a sweep after the grace time; if a run needs it by then, it is put back. Unless every manifest can \
                be read, no file is touched.
                """)

        @Option(
            help: ArgumentHelp(
                "Remove runs that arrived longer ago. Default: no run.", valueName: "days"))
        var keepDays: Int?
        @Option(
            help: ArgumentHelp(
                "How long a file that no run needs is left alone, and how long it is then set aside.",
                valueName: "days"))
        var graceDays = ObjectsSweep.Rules.graceDays
        @Flag(help: "Only print what would be done.") var dryRun = false
        @Argument(help: "The place of the objects: s3://BUCKET/PREFIX, or folder:///PATH.") var url: String

        func validate() throws {
            guard graceDays > 0 else { throw ValidationError("--grace-days is at least 1") }
            guard let keepDays, keepDays < graceDays else { return }
            throw ValidationError("--keep-days is at least --grace-days, here \(graceDays)")
        }

        func run() async throws {
            let process = ProcessContext.current
            let place = try ObjectPlace(url)
            let rules = ObjectsSweep.Rules(keepDays: keepDays, graceDays: graceDays, isDryRun: dryRun)
            let line = UpdatedLine(process)
            let report = try await place.with(process) { objects in
                try await ObjectsSweep(objects, rules, now: process.now).report { count in
                    line.show("sweeping: object \(count)")
                }
            }
            line.clear()
            for text in Self.shown(report.notes) { StandardStreams.print("note: \(text)") }
            for text in Self.shown(report.faults) { StandardStreams.print(text) }
            for text in words(of: report) { StandardStreams.print(text) }
            StandardStreams.print("\(place): \(Figures.counted(report.runs, "run"))")
            guard !report.faults.isEmpty else { return }
            throw Problem(
                .ioError, "what runs need cannot be read, so no file was touched",
                hint: "kanmon objects check --repair \(place)")
        }

        private static func shown(_ told: Told) -> [String] {
            let lines = told.lines.map { TerminalText.safe($0) }
            return told.more > 0 ? lines + ["and \(Figures.grouped(told.more)) more"] : lines
        }

        /// A line for everything that was done.
        private func words(of report: ObjectsSweep.Report) -> [String] {
            func counted(_ count: ObjectsSweep.Count) -> String {
                "\(Figures.counted(count.objects, "file")), \(Figures.grouped(count.bytes)) bytes"
            }
            let (verb, grace) = (dryRun ? "would " : "", Figures.counted(graceDays, "day"))
            let remove = dryRun ? "remove" : "removed"
            var lines: [String] = []
            if let keepDays {
                let (runs, age) = (Figures.counted(report.removedRuns, "run"), Figures.counted(keepDays, "day"))
                lines.append("\(verb)\(remove) \(runs) older than \(age)")
            }
            if report.putBack > 0 {
                lines.append("\(verb)put back what runs need: \(Figures.counted(report.putBack, "file"))")
            }
            if report.setAside.objects > 0 {
                lines.append("\(verb)set aside what no run needs: \(counted(report.setAside))")
            }
            if report.removed.objects > 0 {
                let files = counted(report.removed)
                lines.append("\(verb)\(remove) what was set aside more than \(grace) ago: \(files)")
            }
            if report.young.objects > 0 {
                lines.append("of no run, and younger than \(grace): \(counted(report.young))")
            }
            return lines
        }
    }
}
