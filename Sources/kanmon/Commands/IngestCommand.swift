import Application
import ArgumentParser
import Evidence
import Exports
import Foundation
import Gate
import RunModel

/// `kanmon ingest`: store existing evidence.
struct IngestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Store run directories, or reports of other tools.",
        discussion: """
            A run directory (a folder with a manifest.json) is copied into the store's home and judged by its own \
            policy; ingesting it again changes nothing. Other files (JUnit XML, Swift Testing event streams, \
            llvm-cov JSON, Cobertura, LCOV) become one run of the project, judged by the .kanmon.yml in this folder, \
            which need not be a Swift package. The detected format of each file is printed. A malformed file is \
            refused with its line, and nothing is stored. Such a run belongs to no commit unless --commit names one; \
            then it says that the commit was given and not checked.

            For a single run the report is printed, and the exit status is that of the verdict. For several runs, or \
            a folder of run directories, one line each is printed, and the exit status is 0 if all were stored, \
            whatever their verdicts. Invalid ones are named, and the others are stored.
            """
    )

    @Argument(help: ArgumentHelp("Run directories, folders of them, or report files of one run.", valueName: "path"))
    var paths: [String]

    @OptionGroup var store: StoreOptions
    @OptionGroup var package: PackageOptions
    @OptionGroup var output: JSONOption
    @OptionGroup var sending: DeliveryOptions

    @Option(
        help: ArgumentHelp(
            "The project of the report files; default: that of the package or of the settings here.", valueName: "name")
    )
    var project: String?

    @Option(help: ArgumentHelp("Judge the report files by this .kanmon.yml instead.", valueName: "file"))
    var policy: String?

    @Option(help: ArgumentHelp("The commit whose tests wrote the report files.", valueName: "rev"))
    var commit: String?

    @Option(help: ArgumentHelp("Record the report files under this branch.", valueName: "name"))
    var branch: BranchName?

    @Option(
        help: ArgumentHelp(
            "Compare the commit with the merge base of this revision instead of the default branch.", valueName: "rev"))
    var base: String?

    @Option(
        help: ArgumentHelp(
            "A folder in the report files and what it is called here, such as /build/src=Sources; may be repeated.",
            valueName: "from=to"),
        transform: { text in
            guard let map = PathMap(text) else { throw ValidationError("'\(text)' is not FROM=TO") }
            return map
        })
    var pathMap: [PathMap] = []

    @Flag(help: "Always exit with 0 for a single run; the verdict is still stored and printed.")
    var exitZero = false

    func validate() throws {
        if base != nil, commit == nil { throw ValidationError("--base needs --commit") }
        if pathMap.count > RunManifest.mostPathMaps {
            throw ValidationError("--path-map may be given \(RunManifest.mostPathMaps) times")
        }
    }

    /// What is told of the report files.
    private var told: ReportOptions {
        ReportOptions(
            project: project, policy: policy, commit: commit, branch: branch, base: base, maps: pathMap)
    }

    func run() async throws {
        let process = ProcessContext.current
        let home = store.home(process)
        let intake = Intake(
            checkpoint: Checkpoint(
                process: process, home: home, delivery: try sending.delivery(process, home: home)))
        let absolute = paths.map(process.absolute)
        let directories = absolute.filter { path in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
        }
        let files = absolute.filter { !directories.contains($0) }
        let runs = directories.flatMap(intake.runDirectories)
        if files.isEmpty, policy != nil || commit != nil || branch != nil || base != nil || !pathMap.isEmpty {
            throw Problem(
                .usage, "--policy, --commit, --branch, --base and --path-map are for report files",
                hint: "leave them out for run directories: their manifests say it")
        }
        if runs.count + (files.isEmpty ? 0 : 1) > 1 || runs != directories {
            return try await takeAll(runs, files, intake)
        }
        for path in runs { try intake.check(path) }
        let judgement =
            if let path = runs.first { try intake.takeRunDirectory(path) } else {
                try await intake.takeReports(files, told, packagePath: package.packagePath)
            }
        try Presentation(process: process).show(judgement, json: output.json)
        if judgement.isKnown { StandardStreams.tell("kanmon: run \(judgement.run.id.short) is already known") }
        try await ExitStatus.conclude {
            try await intake.checkpoint.delivery?.deliver()
        } _: {
            let status = judgement.verdict.exitStatus
            if status != .passed, !exitZero { throw status }
        }
    }

    /// Stores all valid runs, and names the others.
    private func takeAll(_ directories: [String], _ files: [String], _ intake: Intake) async throws {
        var list = IntakeList()
        func take(_ path: String, _ body: () async throws -> Judgement) async throws {
            do {
                let judgement = try await body()
                if let failure = judgement.storeFailure {
                    throw Problem(
                        failure.status, "its run directory is kept, but it is not stored: \(failure.reason)",
                        hint: failure.hint)
                }
                list.rows.append(IntakeList.Row(path, judgement))
            } catch {
                guard let problem = Problem(explaining: error) else { throw error }
                list.rows.append(IntakeList.Row(path, problem))
            }
        }
        if !files.isEmpty {
            try await take(files.joined(separator: ", ")) {
                try await intake.takeReports(files, told, packagePath: package.packagePath)
            }
        }
        for path in directories {
            try await take(path) {
                try intake.check(path)
                return try intake.takeRunDirectory(path)
            }
        }
        StandardStreams.print(output.json ? try JSONText.render(list.rows) : list.text)
        try await ExitStatus.conclude {
            try await intake.checkpoint.delivery?.deliver()
        } _: {
            if list.status != .passed { throw list.status }
        }
    }
}
