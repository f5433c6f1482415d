import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import RunModel
import TestRunning

/// `kanmon cache`: the build products that runs keep.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "List and remove the build products that runs keep for each package folder.",
        subcommands: [List.self, Prune.self])

    /// A number of bytes in MiB, rounded up.
    fileprivate static func size(_ bytes: Int64) -> String {
        "\(Figures.grouped(Int((bytes + (1 << 20) - 1) >> 20))) MiB"
    }

    /// How many folders there are, and how large they are together.
    static func words(_ folders: [BuildFolder], in path: String) -> String {
        "\(Figures.counted(folders.count, "build folder")) of \(size(folders.reduce(0) { $0 + $1.bytes })) in \(path)"
    }
}

extension CacheCommand {
    /// `kanmon cache list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the build folders: how large each is, and when a run used it last.")

        @OptionGroup var output: JSONOption

        func run() throws {
            let process = ProcessContext.current
            let folders = BuildFolders(cacheHome: Home(nil, process: process).cache)
            let rows = folders.all
            if output.json {
                StandardStreams.print(try JSONText.render(rows.map { Row($0) }))
                return
            }
            if !rows.isEmpty {
                let table = rows.map { folder in
                    [
                        CacheCommand.size(folder.bytes), RunList.age(process.now.timeIntervalSince(folder.used)),
                        folder.package ?? "–", (folder.path as NSString).lastPathComponent,
                    ]
                }
                StandardStreams.print(TextTable.render(table, header: ["size", "used", "package", "folder"]))
            }
            StandardStreams.print(TerminalText.safe(CacheCommand.words(rows, in: folders.path)))
        }

        private struct Row: Encodable {
            let folder: String
            let package: String?
            let bytes: Int64
            let used: Date

            init(_ folder: BuildFolder) {
                (self.folder, package, bytes, used) = (folder.path, folder.package, folder.bytes, folder.used)
            }
        }
    }

    /// `kanmon cache prune`.
    struct Prune: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune",
            abstract:
                "Remove build folders that no run has used for a while, and the oldest if all take too much space.",
            discussion: """
                Runs do this by themselves. What is removed is built again by the next run of its package; a folder that a run uses \
                stays.
                """)

        @Option(help: "Remove what no run has used for this number of days.")
        var days = RetentionDefaults.buildFolderDays
        @Option(help: "Then remove the oldest until the rest takes at most this number of GiB.")
        var size = Int(RetentionDefaults.buildBytes >> 30)
        @Flag(help: "Remove everything.") var all = false
        @Flag(help: "Only say what would be removed.") var dryRun = false

        func validate() throws {
            guard (0...36_500).contains(days) else { throw ValidationError("--days is between 0 and 36500") }
            guard (0...1_000_000).contains(size) else { throw ValidationError("--size is between 0 and 1000000 GiB") }
        }

        func run() throws {
            let process = ProcessContext.current
            let folders = BuildFolders(cacheHome: Home(nil, process: process).cache)
            let surplus = BuildFolders.surplus(
                of: folders.all, unusedSince: process.now.addingTimeInterval(-86_400 * Double(days)),
                mostBytes: all ? -1 : Int64(size) << 30)
            let removed = surplus.filter { folder in
                let isGone = dryRun || folders.remove(folder)
                let end = isGone ? (dryRun ? "would be removed" : "removed") : "stays: a run uses it"
                StandardStreams.print(
                    TerminalText.safe("\(folder.package ?? folder.path), \(CacheCommand.size(folder.bytes)): \(end)"))
                return isGone
            }
            let freed = CacheCommand.size(removed.reduce(0) { $0 + $1.bytes })
            StandardStreams.print(
                "\(Figures.counted(removed.count, "build folder")) \(dryRun ? "would be removed" : "removed"), \(freed)"
            )
        }
    }
}
