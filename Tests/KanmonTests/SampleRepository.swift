import Evidence
import Foundation
import Repository
import RunModel
import SettingsFile
import Testing

@testable import Application

/// A repository with one commit of a package, and what a run of its tree would depend on now.
struct SampleRepository: Sendable {
    static let project = "example.com/kit"
    /// As the recorded run `Mixed` was judged, so that its verdict is one by this policy.
    static let settings = """
        version: 1
        project: \(project)
        coverage:
          modules:
            Unlinked: { line: 0 }
            greet-tool: { line: 0 }

        """

    let folder: TestFolder
    let commit: String
    let tree: String

    init(settings: String = Self.settings) async throws {
        folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        // No target: whoever runs the tests after all knows at once.
        try folder.write(
            "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: \"kit\")\n",
            to: "work/Package.swift")
        try folder.write("{\"pins\": [], \"version\": 3}\n", to: "work/Package.resolved")
        try folder.write(settings, to: "work/.kanmon.yml")
        try await folder.git("add", "--all")
        try await folder.git("commit", "--quiet", "--message", "kit")
        commit = try await folder.git("rev-parse", "HEAD")
        tree = try await folder.git("rev-parse", "HEAD^{tree}")
    }

    /// The process context of a command here, as `Program` has them.
    func process(_ more: [String: String] = [:]) -> ProcessContext {
        let own = ["XDG_CACHE_HOME": TestFolder.sharedCache, "KANMON_HOME": folder.home, "LANG": "C.UTF-8"]
        let environment = folder.process.environment.merging(own) { $1 }.merging(more) { $1 }
        return ProcessContext(environment: environment, workingDirectory: folder.work, arguments: [])
    }

    /// What is asked for the commit.
    func question(
        _ process: ProcessContext, settings text: String = Self.settings
    ) async throws -> KnownRuns.Question {
        let home = Home(folder.home, process: process)
        let found = try await GitRepository.discover(
            at: folder.work, environment: GitEnvironment(process.environment))
        let repository = try #require(found)
        let object = try #require(ObjectID(tree))
        let settings = try SettingsLoader(process: process).read(Array(text.utf8))
        let inputs = try await TreeInputs(process: process, home: home, repository: repository)
            .inputs(of: object, subpath: PackageSubpath(""), settings: settings)
        return KnownRuns.Question(
            tree: tree, project: Self.project, inputs: inputs, settings: settings,
            finder: BaselineFinder(
                process: process, home: home, repository: repository, subpath: PackageSubpath(""),
                project: Self.project, swiftOverride: nil),
            head: .commit(try #require(ObjectID(commit)), tree: object))
    }

    /// A recorded run, as if it had tested the commit just now.
    ///
    /// - Returns: The path of its run directory.
    func run(_ name: String, at moment: Date, number: UInt64 = 1) async throws -> String {
        let inputs = try #require(try await question(process()).inputs)
        let id = RunID(of: Self.project, seed: "\(number)", at: moment)
        let path = "\(folder.path)/made/\(id)"
        try FileManager.default.createDirectory(atPath: "\(folder.path)/made", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: "\(TestFolder.runs)/\(name)", toPath: path)
        let manifest = URL(filePath: "\(path)/manifest.json")
        var values = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: manifest)) as? [String: Any])
        values["project"] = Self.project
        values["runID"] = id.description
        values["seed"] = "\(number)"
        values["startedAt"] = moment.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        values["revision"] = ["commit": commit, "tree": tree, "folder": "", "branch": "main", "isDirty": false]
        values["inputs"] = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(inputs))
        try JSONSerialization.data(withJSONObject: values).write(to: manifest)
        return path
    }
}
