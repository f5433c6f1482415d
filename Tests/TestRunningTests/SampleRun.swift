import Evidence
import Foundation
import RunModel
import TestRunning
import TestSupport
import Testing

/// A run of one of the packages in `Tests/Packages`.
struct SampleRun {
    let manifest: RunManifest
    /// The directory as the process knows it that wrote it.
    let written: RunDirectory
    let directory: String
    private let folder: TemporaryFolder

    init(
        _ package: String, engine: Engine = .swiftTest, isolation: IsolationRule = .exactly(.reaper),
        selection: Selection = Selection(), jobs: Int = 1, retries: Int = 0, mapping: TestMapping = .none,
        limits: RunLimits = RunLimits(),
        before: [RunScript] = [], after: [RunScript] = [], extraEnvironment: [String] = [], notes: [Note] = [],
        interop: InteropRule = .fail, undiscoveredTests: UndiscoveredTestsRule = .note,
        checkModules: @escaping @Sendable ([Module]) throws(ModuleRefusal) -> Void = { (_) throws(ModuleRefusal) in }
    ) async throws {
        let root = Self.place(of: package)
        folder = try TemporaryFolder()
        directory = "\(folder.path)/runs/1"
        // Kept between test runs, as Kanmon keeps it between its own.
        let cache = FileManager.default.temporaryDirectory.appending(path: "kanmon-tests-\(getuid())").path
        written = try await TestRunner().run(
            RunRequest(
                package: TestedPackage(root: root, project: "sample", notes: notes),
                tests: TestChoice(selection: selection),
                options: RunOptions(
                    engine: engine, jobs: jobs, retries: retries, mapping: mapping, limits: limits,
                    isolation: isolation, before: before, after: after, environment: extraEnvironment,
                    interop: interop, undiscoveredTests: undiscoveredTests),
                scratchPath: TestRunner.scratchPath(cacheHome: cache, packageRoot: root),
                runDirectory: directory,
                cacheDirectory: "\(cache)/kanmon",
                runID: SampleRuns.id(1),
                startedAt: SampleRuns.moment,
                arguments: ["run"],
                kanmonVersion: "test",
                parentEnvironment: ProcessInfo.processInfo.environment,
                givenFiles: [GivenFile(role: .policy, fileName: "policy.json", bytes: Data("{}".utf8))],
                checkModules: checkModules
            )
        ) { _ in }
        manifest = try written.manifest()
    }

    /// Where one of the packages lies.
    static func place(of package: String) -> String {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return tests.appending(path: "Packages/\(package)").path(percentEncoded: false)
    }

    /// Copies one of the packages, so that it can be changed, and answers where the copy lies.
    static func copy(_ package: String, into folder: TemporaryFolder) throws -> String {
        let root = "\(folder.path)/\(package)"
        try FileManager.default.copyItem(atPath: place(of: package), toPath: root)
        return root
    }

    /// Each step and how it ended, but for the question that a warm scratch folder spares.
    var steps: [String] {
        manifest.steps.filter { $0.kind != .describe }.map { step in
            switch step.termination {
            case .exited(let status): "\(step.kind) \(status)"
            case .signaled(let signal): "\(step.kind) signal \(signal)"
            }
        }
    }

    /// The roles of the artifacts, in their order.
    var roles: [ArtifactRole] { manifest.artifacts.map(\.role) }

    /// What the observer saw of every test, without times.
    func observed() throws -> [String] {
        struct Record: Decodable {
            var ev: String
            var cls: String?
            var name: String?
            var desc: String?
            var line: Int?
            var skipped: Bool?
        }
        return try lines("observer.jsonl").compactMap { line in
            let record = try JSONDecoder().decode(Record.self, from: line)
            guard let suite = record.cls, let name = record.name else { return nil }
            let details = [record.line.map(String.init), record.desc, record.skipped == true ? "skipped" : nil]
            return ([record.ev, "\(suite).\(name)"] + details.compactMap(\.self)).joined(separator: " ")
        }
    }

    /// What Swift Testing told of every test, without order and times.
    func events() throws -> Set<String> {
        struct Record: Decodable {
            struct Payload: Decodable {
                var kind: String
                var testID: String?
            }
            var kind: String
            var payload: Payload
        }
        return Set(
            try lines("events.jsonl").compactMap { line in
                let record = try JSONDecoder().decode(Record.self, from: line)
                return record.kind == "event" ? "\(record.payload.kind) \(record.payload.testID ?? "")" : nil
            }
        )
    }

    /// Covered and all lines by file name, as llvm-cov itself sums them up.
    func coverage() throws -> [String: [Int]] {
        struct Export: Decodable {
            struct Part: Decodable { var files: [File] }
            struct File: Decodable {
                var filename: String
                var summary: Summary
            }
            struct Summary: Decodable { var lines: Tally }
            struct Tally: Decodable {
                var covered: Int
                var count: Int
            }
            var data: [Part]
        }
        let export = try JSONDecoder().decode(Export.self, from: Data(contentsOf: url("coverage.json")))
        let files = export.data.flatMap(\.files).map { file in
            ((file.filename as NSString).lastPathComponent, [file.summary.lines.covered, file.summary.lines.count])
        }
        return Dictionary(uniqueKeysWithValues: files)
    }

    /// The counts of the regions that begin on each line of the only file.
    func counts() throws -> [Int: [UInt64]] {
        let export = try JSONSerialization.jsonObject(with: Data(contentsOf: url("coverage.json")))
        let data = (export as? [String: Any])?["data"] as? [[String: Any]]
        let files = data?.first?["files"] as? [[String: Any]]
        var counts: [Int: [UInt64]] = [:]
        for segment in files?.first?["segments"] as? [[Any]] ?? [] {
            guard let line = segment[0] as? Int, let count = segment[2] as? UInt64 else { continue }
            counts[line, default: []].append(count)
        }
        return counts
    }

    func text(_ name: String) throws -> String { String(decoding: try Data(contentsOf: url(name)), as: UTF8.self) }

    private func lines(_ name: String) throws -> [Data] {
        try Data(contentsOf: url(name)).split(separator: UInt8(ascii: "\n")).map { Data($0) }
    }

    private func url(_ name: String) -> URL { URL(filePath: "\(directory)/\(name)") }
}
