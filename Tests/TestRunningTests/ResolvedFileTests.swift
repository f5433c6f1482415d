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
        // From here on the versions in the scratch folder are somebody else's.
        try write("chosen\n")
        #expect(!file.isOfSwiftPM)
    }

    @Test func `SwiftPM chooses anew where it would keep the versions of a file that is gone`() async throws {
        let state = "\(folder.path)/scratch/workspace-state.json"
        func isKept(in number: Int) async throws -> Bool {
            _ = try folder.write("{}", to: "scratch/workspace-state.json")
            try await run(number)
            return FileManager.default.fileExists(atPath: state)
        }
        try write("brought\n")
        #expect(try await isKept(in: 1))
        try remove()
        #expect(try await !isKept(in: 2))
        #expect(try await isKept(in: 3))
        try remove()
        #expect(try await isKept(in: 4))
    }

    @Test func `a dependency that comes from another place is checked out by the version of the file`() async throws {
        let state = "\(folder.path)/scratch/workspace-state.json"
        func pins(_ places: [String: String]) throws {
            let pins = places.sorted { $0.key < $1.key }.map { identity, place in
                #"{"identity":"\#(identity)","location":"\#(place)","state":{"revision":"1"}}"#
            }
            try write(#"{"pins":[\#(pins.joined(separator: ","))],"version":3}"#)
        }
        func isKept(in number: Int) async throws -> Bool {
            _ = try folder.write(#"{"object":{"dependencies":[]}}"#, to: "scratch/workspace-state.json")
            _ = try folder.write("let v = 1\n", to: "scratch/checkouts/v/V.swift")
            try await run(number)
            let isKept = FileManager.default.fileExists(atPath: state)
            #expect(FileManager.default.fileExists(atPath: "\(folder.path)/scratch/checkouts") == isKept)
            return isKept
        }
        try pins(["v": "https://a.example/v"])
        // Nobody knows from where the versions in the scratch folder are.
        #expect(try await !isKept(in: 1))
        #expect(try await isKept(in: 2))
        try pins(["v": "https://a.example/v", "w": "https://a.example/w"])
        #expect(try await isKept(in: 3))
        try pins(["v": "https://b.example/v", "w": "https://a.example/w"])
        #expect(try await !isKept(in: 4))
        try pins(["v": "https://b.example/v"])
        #expect(try await isKept(in: 5))
        try write("{}")
        #expect(try await isKept(in: 6))
        // The place of the build before the last one is not known any more.
        try pins(["v": "https://b.example/v"])
        #expect(try await !isKept(in: 7))
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

    @Test func `a link at the path of the file is not used`() throws {
        let target = try folder.write("chosen\n", to: "elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/kit/Package.resolved", withDestinationPath: target)
        #expect(!file.isOfSwiftPM)
    }
}
