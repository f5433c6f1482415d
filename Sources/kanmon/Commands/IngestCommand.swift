import ArgumentParser
import Evidence
import Foundation
import Gate
import RunModel

/// `kanmon ingest`: store evidence that is already there.
struct IngestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Store run directories, or reports that some other runner produced.",
        discussion: """
            A run directory (one with a manifest.json) is copied into the store's home and judged by the policy it \
            holds; ingesting it again changes nothing. Other files (xUnit XML, Swift Testing event streams, llvm-cov \
            JSON, Cobertura, LCOV) become one run of the project named. A file that cannot be read is refused with its line, and nothing \
            is stored.
            """
    )

    @Argument(help: ArgumentHelp("Run directories, or report files of one run.", valueName: "path"))
    var paths: [String]

    @OptionGroup var store: StoreOptions
    @OptionGroup var package: PackageOptions
    @OptionGroup var output: JSONOption

    @Option(
        help: ArgumentHelp(
            "The project that report files belong to; by default that of the package here.", valueName: "name"))
    var project: String?

    @Flag(help: "Exit with 0 whatever the verdict; it is stored and printed all the same.")
    var exitZero = false

    func run() async throws {
        let surroundings = Surroundings.current
        let intake = Intake(
            checkpoint: Checkpoint(surroundings: surroundings, home: store.home(surroundings)))
        let absolute = paths.map(surroundings.absolute)
        let directories = absolute.filter { path in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
        }
        for path in directories { try intake.check(path) }
        var judgements: [Judgement] = []
        let files = absolute.filter { !directories.contains($0) }
        if !files.isEmpty {
            judgements.append(
                try await intake.takeReports(files, project: project, packagePath: package.packagePath))
        }
        for path in directories { judgements.append(try intake.takeRunDirectory(path)) }
        for judgement in judgements {
            try Presentation(surroundings: surroundings).show(judgement, json: output.json)
        }
        let worst = ExitStatus.gravest(of: judgements.map(\.verdict.exitStatus))
        if worst != .passed, !exitZero { throw worst }
    }
}
