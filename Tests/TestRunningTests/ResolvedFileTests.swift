import Foundation
import RunModel
import TestRunning
import TestSupport
import Testing

/// Whether the versions of dependencies that lie in a package's folder are those that SwiftPM chose by itself.
@Suite struct ResolvedFileTests {
    private let folder: TemporaryFolder
    private let toolchain: ScriptedToolchain
    private let file: ResolvedFile

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write("// swift-tools-version: 6.0\n", to: "kit/Package.swift")
        _ = try folder.write("let kit = 1\n", to: "kit/Sources/Kit/Kit.swift")
        // What is there already stays, as with SwiftPM.
        toolchain = try ScriptedToolchain(
            in: folder, target: "Kit", building: "test -e Package.resolved || echo chosen > Package.resolved")
        file = ResolvedFile(packageRoot: "\(folder.path)/kit", scratchPath: "\(folder.path)/scratch")
    }

    private func run(_ number: Int, before: [RunScript] = []) async throws {
        let request = RunRequest(
            package: TestedPackage(root: "\(folder.path)/kit", project: "kit"),
            options: RunOptions(before: before, swift: toolchain.swift), scratchPath: "\(folder.path)/scratch",
            runDirectory: "\(folder.path)/runs/\(number)", cacheDirectory: "\(folder.path)/cache",
            runID: SampleRuns.id(number), startedAt: SampleRuns.moment, arguments: ["run"], kanmonVersion: "test",
            parentEnvironment: ["PATH": "/usr/bin:/bin"])
        _ = try await TestRunner().run(request) { _ in }
    }

    private func write(_ text: String) throws { _ = try folder.write(text, to: "kit/Package.resolved") }

    private func remove() throws { try FileManager.default.removeItem(atPath: "\(folder.path)/kit/Package.resolved") }

    @Test func `what a build leaves that began without versions is SwiftPM's, until somebody edits it`() async throws {
        #expect(file.isOfSwiftPM)
        try await run(1)
        #expect(file.isOfSwiftPM)
        try await run(2)
        #expect(file.isOfSwiftPM)
        try write("edited\n")
        #expect(!file.isOfSwiftPM)
        try await run(3)
        #expect(!file.isOfSwiftPM)
        try write("chosen\n")
        #expect(file.isOfSwiftPM)
    }

    @Test func `versions that somebody brought are not SwiftPM's until it chooses anew`() async throws {
        try write("brought\n")
        #expect(!file.isOfSwiftPM)
        try await run(1)
        #expect(!file.isOfSwiftPM)
        try remove()
        try await run(2)
        #expect(file.isOfSwiftPM)
    }

    @Test func `what scripts of the package resolve is the package's own`() async throws {
        try await run(1, before: [RunScript(words: ["sh", "-c", "echo made > Package.resolved"])])
        #expect(file.isOfSwiftPM)
    }

    @Test func `a link in the place of the file is nobody's`() throws {
        let target = try folder.write("chosen\n", to: "elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/kit/Package.resolved", withDestinationPath: target)
        #expect(!file.isOfSwiftPM)
    }
}
