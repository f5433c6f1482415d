import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import RunModel

/// `kanmon objects`: what servers keep of delivered runs in a store of objects.
struct ObjectsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "objects", abstract: "Check what 'serve --objects' has kept of delivered runs.",
        subcommands: [Check.self, Snapshot.self])
}

extension ObjectsCommand {
    /// `kanmon objects snapshot`.
    struct Snapshot: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "snapshot",
            abstract: "Leave a copy of the index, from which 'db rebuild --from-objects' begins.",
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
            abstract: "Check that every run that has arrived is whole among the objects.",
            discussion: """
                It tells what is missing, unreadable or has another hash, also runs that were delivered to this home \
                and are not there. It removes nothing, and may run while servers use the objects.
                """)

        @OptionGroup var store: StoreOptions
        @Flag(help: "Read every file, and compare it with its hash; otherwise only lists and manifests are read.")
        var read = false
        @Flag(help: "Put what is missing or damaged there and whole in this home.") var repair = false
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
