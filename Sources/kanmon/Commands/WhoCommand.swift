import Application
import ArgumentParser
import CodeCoverage
import Evidence
import Exports
import Foundation
import Gate
import RunModel
import Storage

/// `kanmon who`: which tests execute a line, and what a test executes.
struct WhoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "who",
        abstract: "Say which tests execute a line or a file, or what a test executes.",
        discussion: """
            Runs record it for XCTest, and for Swift Testing where its tests are short; 'kanmon run --map' does for all. The \
            answer is that of the newest run with such a map, and says how many tests were not recorded. A line is looked for \
            where it was in that run, if the file has changed since; for a comment or a blank line, the next line with code is.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A file relative to the package, FILE:LINE, or a test: Module.Suite/name or a part of it.",
            valueName: "place"))
    var place: String

    @Option(help: ArgumentHelp("Another run: \(RunSelection.names).", valueName: "run"))
    var run: String?

    @Option(help: ArgumentHelp("How many tests or files to list at most; 0 for all.", valueName: "n"))
    var limit = 50

    @OptionGroup var project: ProjectOption
    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
        guard limit >= 0 else { throw ValidationError("--limit takes a number from 0") }
    }

    func run() async throws {
        let process = ProcessContext.current
        let stored = StoredRuns(store.home(process), process: process)
        let reader = try stored.open()
        let id = try await chosenRun(stored, reader)
        try await stored.fetchFiles(of: id)
        guard let map = try reader.testMap(of: id) else {
            throw Problem(
                .usage, "run \(id.short) has no per-test coverage",
                hint: "kanmon run, or kanmon run --map for Swift Testing")
        }
        var report = try answer(map, of: id, reader, process)
        if let summary = try reader.summary(of: id) {
            report.unrecorded = max(0, summary.outcomes.executed - map.tests.count)
            if let folder = summary.runDirectory { report.names = FunctionNames(in: RunDirectory(path: folder)) }
        }
        StandardStreams.print(output.json ? try JSONText.render(report) : report.text(limit: limit))
    }

    private func chosenRun(_ stored: StoredRuns, _ reader: RunStore) async throws -> RunID {
        if let run {
            return try await stored.identify(
                RunName(text: run, project: project.project, package: package.packagePath), in: reader)
        }
        let project = try await stored.requiredProject(project.project, package: package.packagePath)
        guard let id = try reader.latestRunWithTestMap(of: project) else {
            throw Problem(
                .usage, "no run of \(project) has per-test coverage",
                hint: "kanmon run, or kanmon run --map for Swift Testing")
        }
        return id
    }

    private func answer(
        _ map: TestMap, of id: RunID, _ reader: RunStore, _ process: ProcessContext
    ) throws -> WhoReport {
        let (path, line) = Self.parts(of: place)
        let file = map.file(path)
        if let file, line == nil { return WhoReport(run: id, answer: .file(file, map)) }
        if line != nil || path.hasSuffix(".swift") {
            let measured = try reader.coverage(of: path, in: id)?.file
            guard file != nil || measured != nil else {
                throw Problem(
                    .usage, "\(path) is no source that run \(id.short) measured",
                    hint: "name it relative to the package: Sources/Module/File.swift:12")
            }
            guard let line else {
                return WhoReport(
                    run: id, answer: .file(TestMap.File(path: path, functions: []), map),
                    isFileExecuted: measured?.lines.contains { $0.count.isCovered } ?? false)
            }
            let sources = SourceShift(run: id, store: reader, folder: process.absolute(package.packagePath))
            let there = try sources.line(line, of: path)
            let isExecuted = there.flatMap { measured?.isExecuted(Int($0)) } ?? false
            return WhoReport(
                run: id, answer: .line(path: path, line: line, there: there, isExecuted: isExecuted, map: map),
                measured: measured)
        }
        let found = map.tests.filter { Name($0.description) == Name(place) }
        let similar = found.isEmpty ? map.tests.filter { $0.description.contains(place) } : found
        guard let test = similar.first else {
            throw Problem(
                .usage, "run \(id.short) has recorded no test '\(place)'",
                hint:
                    "kanmon run --map records those of Swift Testing; a test is not recorded if a program that it started was killed"
            )
        }
        guard similar.count == 1 else {
            let names = similar.prefix(5).map(\.description).joined(separator: ", ")
            throw Problem(
                .usage, "'\(place)' is a part of \(similar.count) tests: \(names)", hint: "name one of them whole")
        }
        return WhoReport(run: id, answer: .test(test, map.executed(by: test) ?? []))
    }

    /// A path and the line behind it, if there is one.
    static func parts(of place: String) -> (path: String, line: Int32?) {
        guard let colon = place.lastIndex(of: ":"), let line = Int32(place[place.index(after: colon)...]), line > 0
        else {
            return (place, nil)
        }
        return (String(place[..<colon]), line)
    }
}
