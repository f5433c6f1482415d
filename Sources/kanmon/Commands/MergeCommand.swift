import Application
import ArgumentParser
import Gate

/// `kanmon merge`: merge the shards of a run into one run.
struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge the shards of several machines into one run, store it, and judge it.",
        discussion: """
            Each folder is a run directory, or the folder of 'kanmon run --shard --out'. The merged run has exactly \
            the results and coverage of its shards. A missing or duplicate shard, or one of another commit, \
            toolchain, policy or list of tests, leaves the run undecided, and so do tests that no shard ran.
            """
    )

    @Argument(help: ArgumentHelp("The folders of the shards.", valueName: "dir"))
    var folders: [String]

    @Option(help: ArgumentHelp("The number of shards.", valueName: "n"))
    var expectShards: Int

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption
    @OptionGroup var sending: DeliveryOptions

    @Option(help: ArgumentHelp("Wipe this folder and publish reports into it.", valueName: "dir"))
    var out: String?

    @Flag(help: "Always exit with 0; the verdict is still stored and printed.")
    var exitZero = false

    func validate() throws {
        try CountArgument.check(expectShards, of: "--expect-shards")
    }

    func run() async throws {
        let process = ProcessContext.current
        let target = out.map(process.real)
        if let target, let inside = folders.first(where: { "\(process.real($0))/".hasPrefix("\(target)/") }) {
            throw Problem(
                .usage, "\(inside) is in the folder that --out wipes", hint: "name another folder with --out")
        }
        let publication = try target.map { try Publication(folder: $0) }
        let home = store.home(process)
        let checkpoint = Checkpoint(
            process: process, home: home, delivery: try sending.delivery(process, home: home))
        let judgement = try ShardMerge(checkpoint: checkpoint).merge(folders, expected: expectShards)
        try publication?.publish(judgement.judged, at: checkpoint)
        try Presentation(process: process).show(judgement, json: output.json)
        try await ExitStatus.conclude {
            try await checkpoint.delivery?.deliver()
        } _: {
            if judgement.verdict.exitStatus != .passed, !exitZero { throw judgement.verdict.exitStatus }
        }
    }
}
