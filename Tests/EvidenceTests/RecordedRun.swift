import Foundation
import RunModel
import TestSupport

@testable import Evidence
@testable import TestResults

/// Recorded files, by folder and name.
enum Fixture {
    static func bytes(_ path: String) throws -> [UInt8] {
        let url = Bundle.module.bundleURL.appending(path: "Fixtures/\(path)")
        return [UInt8](try Data(contentsOf: url))
    }

    static func recorded(_ path: String) throws -> [UInt8] { try bytes("Recorded/\(path)") }
}

/// A run directory made of recorded files, and the run read from it.
struct RecordedRun {
    var artifacts: [(role: ArtifactRole, bytes: [UInt8])] = []
    var engine = Engine.swiftTest
    var arguments = ["swift", "test", "--skip-build"]
    var termination = Termination.exited(0)
    var isTimedOut = false
    var buildTermination = Termination.exited(0)
    /// Whether a run that was built went on to its tests.
    var startsTests = true
    /// How a library was asked for its list.
    var listing: RunStep?
    var profiles: [Int] = []
    var gaps: [Gap] = []
    var notes: [Note] = []
    var packageRoot = "/home/ci/Sample"
    var localPackages: [LocalPackage]?
    /// The tests that the first pass was to run; `nil` for all.
    var firstTests: [TestID]?
    /// Further passes with their evidence, each of which ends like the first; one without evidence was never begun.
    var passes: [(pass: TestPass, artifacts: [(role: ArtifactRole, bytes: [UInt8])])] = []
    /// What ended the first pass.
    var diagnosis: Diagnosis?
    /// Another process of the first pass.
    var second: RunStep?
    /// The processes of each further pass, where they are not like the first of all.
    var later: [RunStep]?
    /// The files that tests attached.
    var attached: [KeptAttachment]?
    /// How the two libraries worked together.
    var interop: Interop?

    /// The sample package's list of XCTest cases without those of other targets.
    static func xctestList(_ classes: (name: String, tests: [String])...) -> [UInt8] {
        let nodes = classes.map { entry in
            let tests = entry.tests.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
            return #"{"tests":[\#(tests)],"name":"\#(entry.name)"}"#
        }
        return Array(#"{"tests":[{"name":"debug.xctest","tests":[\#(nodes.joined(separator: ","))]}]}"#.utf8)
    }

    /// A list without tests.
    static let noSwiftTests: [UInt8] = Array(
        """
        {"kind":"event","payload":{"kind":"runStarted"},"version":"6.3.0"}
        {"kind":"event","payload":{"kind":"runEnded"},"version":"6.3.0"}

        """.utf8
    )

    /// The lines of a recorded event stream that list tests.
    static func listing(_ events: [UInt8]) -> [UInt8] {
        let lines = events.split(separator: 0x0A).filter { $0.starts(with: Array(#"{"kind":"test""#.utf8)) }
        return Array(lines.joined(separator: [0x0A])) + [0x0A]
    }

    func manifest(_ entries: [Artifact]) -> RunManifest {
        let step = RunStep(
            kind: .test, arguments: arguments, duration: .seconds(1), termination: termination, wasTimedOut: isTimedOut
        )
        let build = RunStep(
            kind: .build, arguments: ["swift", "build"], duration: .seconds(2), termination: buildTermination
        )
        let first = 1 + (listing == nil ? 0 : 1)
        let own = [step] + (second.map { [$0] } ?? [])
        let further = later ?? [step]
        let tests = startsTests ? own + passes.flatMap { _ in further } : []
        let told =
            [TestPass(reason: .first, tests: firstTests, steps: Array(first..<first + own.count), diagnosis: diagnosis)]
            + passes.enumerated().map { number, entry in
                var pass = entry.pass
                pass.folder = "pass-\(number + 2)"
                let start = first + own.count + number * further.count
                pass.steps = entry.artifacts.isEmpty ? [] : Array(start..<start + further.count)
                return pass
            }
        let facts = RunFacts(
            toolchain: Toolchain(swiftVersion: "6.3.1", llvmVersion: "21", target: "x86_64-unknown-linux-gnu"),
            interop: interop,
            steps: buildTermination.isSuccess ? [build] + (listing.map { [$0] } ?? []) + tests : [build],
            modules: [
                Module(
                    name: "CoreTests", compilerName: "CoreTests", kind: .test, isSwift: true, path: "Tests/CoreTests",
                    sources: ["CrashTests.swift"], dependencies: []
                )
            ], localPackages: localPackages)
        var manifest = RunManifest(
            RunHead(
                id: SampleRuns.id(1), project: "example/sample", package: "Sample", startedAt: SampleRuns.moment,
                duration: .seconds(3), engine: engine),
            facts, RunManifest.Contents(kanmonVersion: "1.0.0", packageRoot: packageRoot, arguments: ["run"]))
        manifest.passes = passes.isEmpty && diagnosis == nil ? nil : told
        manifest.profiles = profiles
        manifest.gaps = gaps
        manifest.notes = notes
        manifest.artifacts = entries
        manifest.attachments = attached
        return manifest
    }

    func write(in folder: TemporaryFolder) throws -> RunDirectory {
        let writer = try RunDirectory.Writer(creating: folder.path + "/run")
        var entries: [Artifact] = []
        for (number, artifact) in artifacts.enumerated() {
            let path =
                artifact.role == .attachment
                ? "attachments/\(Digest.sha256(artifact.bytes))" : "\(number)-\(artifact.role.rawValue)"
            entries.append(try writer.write(artifact.bytes, as: artifact.role, to: path))
        }
        for (number, pass) in passes.enumerated() {
            for artifact in pass.artifacts {
                let name = "pass-\(number + 2)/\(artifact.role.rawValue)"
                entries.append(try writer.write(artifact.bytes, as: artifact.role, to: name))
            }
        }
        return try writer.finish(manifest(entries))
    }

    func read() throws -> TestRun {
        let folder = try TemporaryFolder()
        return try TestRun.read(from: try write(in: folder))
    }
}

extension TestRun {
    /// Name and outcome of every test, in order.
    var summary: [String] { tests.map { "\($0.id): \($0.outcome.rawValue)" } }

    func test(_ name: String) throws -> TestResult {
        guard let test = tests.first(where: { $0.id.description == name }) else { throw Missing(name: name) }
        return test
    }

    struct Missing: Error { let name: String }
}
