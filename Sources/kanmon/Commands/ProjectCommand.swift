import Application
import ArgumentParser
import Delivery
import Exports
import Foundation
import Gate
import RunModel
import Storage

/// `kanmon project`: the projects of a store.
struct ProjectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "project", abstract: "List, rename and remove the projects of the store.",
        subcommands: [List.self, Rename.self, Remove.self])
}

extension ProjectCommand {
    /// `kanmon project list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the projects, with how many runs each has and when the last one began."
        )

        @OptionGroup var store: StoreOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            let process = ProcessContext.current
            let rows = try StoredRuns(store.home(process), process: process).open().projects()
                .map { Row($0) }
            if output.json {
                StandardStreams.print(try JSONText.render(rows))
            } else if rows.isEmpty {
                StandardStreams.print("there are no projects")
            } else {
                StandardStreams.print(
                    TextTable.render(
                        rows.map { [$0.name, Figures.grouped($0.runs), $0.latest ?? "–"] },
                        header: ["project", "runs", "last run"]))
            }
        }

        private struct Row: Encodable {
            let name: String
            let runs: Int
            /// When the last run began.
            let latest: String?

            init(_ project: ProjectSummary) {
                (name, runs) = (project.name, project.runs)
                latest = project.latest.map { Timestamp.utc($0.startedAt) }
            }
        }
    }

    /// `kanmon project rename`.
    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract:
                "Give a project another name. Runs that arrive under the old name later are stored under the new one.",
            discussion: """
                Tokens name projects: a token for the old name alone can still deliver runs of the project, but no \
                longer read them. Change 'project:' in the settings of the package, too.
                """)

        @OptionGroup var store: StoreOptions
        @Argument(help: "The name.") var name: String
        @Argument(help: "The new name; no other project may have it.") var newName: String

        func validate() throws {
            guard (1...1024).contains(newName.utf8.count), newName.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw ValidationError("a name is 1 to 1024 bytes without control characters")
            }
        }

        func run() throws {
            let process = ProcessContext.current
            let home = store.home(process)
            _ = try StoredRuns(home, process: process).open()
            guard try RunStore(path: home.database).rename(project: name, to: newName) else {
                throw Problem.noProject(name)
            }
            try ProjectNames(home).rename(name, to: newName)
            try CulpritLedger(home).rename(name, to: newName)
            StandardStreams.print(
                "'\(TerminalText.safe(name))' is called '\(TerminalText.safe(newName))' now")
        }
    }

    /// `kanmon project remove`.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a project with all of its results and run directories, after a confirmation.",
            discussion: "It first shows what will be removed. A run that is delivered later creates the project again.")

        @OptionGroup var store: StoreOptions
        @Argument(help: "The name.") var name: String
        @Flag(help: "Do not ask.") var yes = false
        @Flag(help: "Only print what would be removed.") var dryRun = false

        func run() throws {
            let process = ProcessContext.current
            let home = store.home(process)
            let removal = try ProjectRemoval(name, of: home)
            guard !removal.isEmpty else { throw Problem.noProject(name) }
            let waiting = Outbox(folder: home.outbox).entries.filter { entry in
                removal.folders.contains { entry.runDirectory.hasPrefix($0 + "/") }
            }
            guard waiting.isEmpty else {
                throw Problem(
                    .usage, "\(Figures.counted(waiting.count, "run")) of it not delivered yet",
                    hint: "kanmon push, or kanmon push --forget RUN")
            }
            let (count, bytes) = removal.directories
            let latest = removal.runs.first.map { ", the last one of \(Timestamp.utc($0.startedAt))" } ?? ""
            StandardStreams.print(
                "the project '\(TerminalText.safe(name))': \(Figures.counted(removal.runs.count, "result"))\(latest), "
                    + "\(Figures.counted(count, "run directory", "run directories")) of \(Figures.grouped(bytes)) bytes"
            )
            if dryRun { return }
            guard yes || Confirmation.ask("Remove all of it? [y/N] ") else {
                throw Problem(.usage, "nothing was removed", hint: "answer y on a terminal, or add --yes")
            }
            try removal.remove(at: process.now)
            StandardStreams.print("removed; to remove files that no run needs: kanmon db prune")
        }
    }
}

extension Problem {
    fileprivate static func noProject(_ name: String) -> Problem {
        Problem(.usage, "there is no project '\(name)'", hint: "kanmon project list")
    }
}
