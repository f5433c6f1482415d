import ArgumentParser
import Evidence
import Foundation
import Gate
import RunModel

/// `kanmon ingest`: store existing evidence.
struct IngestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Store run directories, or reports that some other runner produced.",
        discussion: """
            A run directory (one with a manifest.json) is copied into the store's home and judged by the policy it \
            holds; ingesting it again changes nothing. Other files (xUnit XML, Swift Testing event streams, llvm-cov \
            JSON, Cobertura, LCOV) become one run of the project named. A file that cannot be read is refused with its line, and nothing \
            is stored.

            Of one run the report is printed, and the exit status tells the verdict. Several runs, or a folder of run \
            directories, are told in a line each, and the exit status is 0 when all were taken, whatever their verdicts; \
            what cannot be taken is named, and the others are stored.
            """
    )

    @Argument(help: ArgumentHelp("Run directories, folders of them, or report files of one run.", valueName: "path"))
    var paths: [String]

    @OptionGroup var store: StoreOptions
    @OptionGroup var package: PackageOptions
    @OptionGroup var output: JSONOption

    @Option(
        help: ArgumentHelp(
            "The project that report files belong to; by default that of the package here.", valueName: "name"))
    var project: String?

    @Flag(help: "Exit with 0 whatever the verdict on one run; it is stored and printed all the same.")
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
        let files = absolute.filter { !directories.contains($0) }
        let runs = directories.flatMap(intake.runDirectories)
        if runs.count + (files.isEmpty ? 0 : 1) > 1 || runs != directories {
            return try await takeAll(runs, files, intake)
        }
        for path in runs { try intake.check(path) }
        let judgement =
            if let path = runs.first { try intake.takeRunDirectory(path) } else {
                try await intake.takeReports(files, project: project, packagePath: package.packagePath)
            }
        try Presentation(surroundings: surroundings).show(judgement, json: output.json)
        if judgement.isKnown { StandardStreams.tell("kanmon: run \(judgement.run.id.short) is already known") }
        let status = judgement.verdict.exitStatus
        if status != .passed, !exitZero { throw status }
    }

    /// Stores all valid runs, and names the others.
    private func takeAll(_ directories: [String], _ files: [String], _ intake: Intake) async throws {
        var list = IntakeList()
        func take(_ path: String, _ body: () async throws -> Judgement) async throws {
            do {
                let judgement = try await body()
                if let failure = judgement.storeFailure {
                    throw Problem(failure.status, "it is kept, but not stored: \(failure.reason)", hint: failure.hint)
                }
                list.rows.append(IntakeList.Row(path, judgement))
            } catch {
                guard let problem = Problem(explaining: error) else { throw error }
                list.rows.append(IntakeList.Row(path, problem))
            }
        }
        if !files.isEmpty {
            try await take(files.joined(separator: ", ")) {
                try await intake.takeReports(files, project: project, packagePath: package.packagePath)
            }
        }
        for path in directories {
            try await take(path) {
                try intake.check(path)
                return try intake.takeRunDirectory(path)
            }
        }
        StandardStreams.print(output.json ? try JSONText.render(list.rows) : list.text)
        if list.status != .passed { throw list.status }
    }
}
