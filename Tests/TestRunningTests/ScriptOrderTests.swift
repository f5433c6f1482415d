import Evidence
import Foundation
import RunModel
import TestRunning
import TestSupport
import Testing

/// Which scripts run before what, with programs in the place of a toolchain that say what they are told to.
@Suite struct ScriptOrderTests {
    private let folder: TemporaryFolder
    private let root: String
    private let toolchain: ScriptedToolchain

    /// Makes the sources of the only target, without which SwiftPM refuses the package.
    private static let generating = RunScript(
        words: ["sh", "-c", "mkdir -p Sources/Made && echo 'let made = 1' > Sources/Made/Made.swift"])
    private static let failing = RunScript(words: ["sh", "-c", "exit 7"])
    private static let sweeping = RunScript(words: ["sh", "-c", "echo swept >> swept"])

    init() throws {
        folder = try TemporaryFolder()
        root = "\(folder.path)/kit"
        _ = try folder.write(
            "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: \"Kit\")\n",
            to: "kit/Package.swift")
        toolchain = try ScriptedToolchain(
            in: folder, target: "Made",
            describing: "test -e Sources/Made/Made.swift || { echo 'error: no sources' >&2; exit 1; }")
    }

    private func request(
        before: [RunScript], skipsBuild: Bool = false,
        checkModules: @escaping @Sendable ([Module]) throws(ModuleRefusal) -> Void = { (_) throws(ModuleRefusal) in }
    ) -> RunRequest {
        RunRequest(
            package: TestedPackage(
                root: root, project: "kit", revision: Revision(commit: "c", tree: "t", branch: nil, isDirty: false)),
            options: RunOptions(
                before: before, after: [Self.sweeping], swift: toolchain.swift),
            skipsBuild: skipsBuild, scratchPath: "\(folder.path)/scratch", runDirectory: "\(folder.path)/runs/1",
            cacheDirectory: "\(folder.path)/cache", runID: SampleRuns.id(1), startedAt: SampleRuns.moment,
            arguments: ["run"], kanmonVersion: "test", parentEnvironment: ["PATH": "/usr/bin:/bin"],
            checkModules: checkModules)
    }

    private func manifest(_ request: RunRequest) async throws -> RunManifest {
        try await TestRunner().run(request) { _ in }.manifest()
    }

    /// What the script after the tests has written, once for each time that it ran.
    private var swept: String? {
        FileManager.default.contents(atPath: "\(root)/swept").map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `what scripts generate is there when SwiftPM is asked for the targets`() async throws {
        let manifest = try await manifest(request(before: [Self.generating]))
        #expect(manifest.steps.map(\.kind) == [.before, .describe, .build, .after])
        #expect(manifest.modules.map(\.name) == ["Made"])
        #expect(manifest.sources.map(\.path) == ["Sources/Made/Made.swift"])
        #expect(manifest.gaps == [])
        #expect(swept == "swept\n")
    }

    @Test func `a build for a run elsewhere generates first as well`() async throws {
        let report = try await TestRunner().build(request(before: [Self.generating])) { _ in }
        #expect(!report.isBuilt)
        #expect(report.gaps == [])
        #expect(swept == "swept\n")
    }

    @Test func `a script that fails is the reason, not the targets that SwiftPM misses for it`() async throws {
        let manifest = try await manifest(request(before: [Self.failing]))
        #expect(manifest.steps.map(\.kind) == [.before, .describe, .after])
        #expect(manifest.package == "Kit")
        #expect(manifest.modules == [])
        #expect(
            manifest.gaps == [Gap(.beforeFailed, subject: "sh -c exit 7", detail: "it exited with status 7")])
        #expect(swept == "swept\n")
    }

    @Test func `a script that fails is the reason, not the targets that the caller misses for it`() async throws {
        let request = request(before: [Self.generating, Self.failing]) { (_) throws(ModuleRefusal) in
            throw ModuleRefusal(reason: "no module 'Other'")
        }
        let manifest = try await manifest(request)
        #expect(manifest.modules == [])
        #expect(manifest.gaps.map(\.code) == [.beforeFailed])
    }

    @Test func `the scripts after the tests run also when SwiftPM refuses the package`() async throws {
        await #expect(throws: RunnerError.manifestInvalid(detail: "error: no sources\n")) {
            _ = try await manifest(request(before: []))
        }
        #expect(swept == "swept\n")
    }

    @Test func `the scripts after the tests run also when the caller refuses the targets`() async throws {
        let refusal = ModuleRefusal(reason: "no floor for Made")
        await #expect(throws: RunnerError.refused(refusal)) {
            _ = try await manifest(request(before: [Self.generating]) { (_) throws(ModuleRefusal) in throw refusal })
        }
        #expect(swept == "swept\n")
    }

    @Test func `the scripts after the tests run once when the products of another build are refused`() async throws {
        let reason = "there is no record of 'kanmon build' there"
        await #expect(throws: RunnerError.productsUnusable(path: "\(folder.path)/scratch", reason: reason)) {
            _ = try await manifest(request(before: [Self.generating], skipsBuild: true))
        }
        #expect(swept == "swept\n")
    }
}
