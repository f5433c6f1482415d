import Evidence
import Foundation
import RunModel
import TestSupport
import Testing

@testable import TestRunning

@Suite struct BuildMemoryTests {
    private let folder: TemporaryFolder
    /// Long after whatever the test wrote before the build.
    private let later = Int64(Date(timeIntervalSinceNow: 10).timeIntervalSince1970 * 1e9)

    init() throws {
        folder = try TemporaryFolder()
        for name in ["swift", "swift-frontend"] {
            chmod(try folder.write("#!/bin/sh\n", to: "toolchain/bin/\(name)"), 0o755)
        }
        _ = try folder.write(
            "// swift-tools-version: 6.0\nimport PackageDescription\n", to: "package/Package.swift")
        let source = try folder.write("let one = 1\n", to: "package/Sources/M/One.swift")
        let header = try folder.write("int two;\n", to: "include/two.h")
        let module = try folder.write("", to: "toolchain/lib/swift/Swift.swiftmodule")
        _ = try folder.write("let two = 2\n", to: "scratch/checkouts/other/Sources/O/Two.swift")
        for name in ["M.build/One.swift.o", "Modules/M.swiftmodule", "PPackageTests.xctest"] {
            _ = try folder.write(name, to: "scratch/x86/debug/\(name)")
        }
        _ = try folder.write(
            "\(root)/../scratch/x86/debug/M.build/One.swift.o : \(source) \(module) \(folder.path)/x/../include/two.h\n",
            to: "scratch/x86/debug/M.build/One.d")
        #expect(header == "\(folder.path)/include/two.h")
        symlink("x86/debug", "\(folder.path)/scratch/debug")
    }

    private var root: String { "\(folder.path)/package" }

    private func memory(_ environment: [String: String] = ["LANG": "C"]) -> BuildMemory {
        BuildMemory(
            TestInvocation(
                tools: ToolPaths(directory: "\(folder.path)/toolchain/bin"), packageRoot: root,
                scratchPath: "\(folder.path)/scratch", package: "P", environment: environment,
                files: RunFiles(evidence: "\(folder.path)/run", work: "\(folder.path)/work")))
    }

    private func isUpToDate(_ environment: [String: String] = ["LANG": "C"]) -> Bool {
        let memory = memory(environment)
        return memory.inputs().map(memory.isUpToDate) ?? false
    }

    private func remember() throws {
        let memory = memory()
        memory.remember(try #require(memory.inputs()), builtUntil: later)
    }

    /// Writes into a file, at another time than any before.
    private func change(_ name: String, _ text: String = "changed") throws {
        usleep(20_000)
        _ = try folder.write(text, to: name)
    }

    @Test func `there is nothing to build while nothing is another`() throws {
        #expect(!isUpToDate())
        try remember()
        #expect(isUpToDate())
        #expect(!isUpToDate(["LANG": "de"]))
        try memory().forget()
        #expect(!isUpToDate())
    }

    @Test(arguments: [
        "package/Sources/M/One.swift", "package/Sources/M/Two.swift", "package/Package.resolved", "package/notes.md",
        "package/.swiftpm/configuration/mirrors.json", "scratch/checkouts/other/Sources/O/Two.swift",
        "scratch/artifacts/other/tool", "include/two.h", "toolchain/bin/swift-frontend",
        "scratch/x86/debug/M.build/One.swift.o", "scratch/x86/debug/PPackageTests.xctest",
        "scratch/x86/debug/M.build/New.swift.o", "scratch/x86/debug/P_M.resources/output-file-map.json",
    ])
    func `whatever a build reads or makes counts`(name: String) throws {
        try remember()
        try change(name)
        #expect(!isUpToDate())
    }

    @Test(arguments: ["include/two.h", "scratch/x86/debug/M.build/One.swift.o", "package/Sources/M/One.swift"])
    func `what is gone counts`(name: String) throws {
        try remember()
        unlink("\(folder.path)/\(name)")
        #expect(!isUpToDate())
    }

    @Test(arguments: [
        "package/.build/x", "package/.git/HEAD", "package/default.profraw", "scratch/debug.yaml", "scratch/build.db",
        "scratch/x86/debug/description.json", "scratch/x86/debug/M.build/output-file-map.json",
        "scratch/x86/debug/index/store/unit", "scratch/kanmon/merged.profdata", "toolchain/lib/swift/Swift.swiftmodule",
    ])
    func `what comes and goes beside a build does not count`(name: String) throws {
        try remember()
        try change(name)
        #expect(isUpToDate())
    }

    @Test func `a package beside this one is one of the inputs, an edited one is not known`() throws {
        let other = try folder.write("let three = 3\n", to: "beside/Sources/B/Three.swift")
        let state = { (name: String) in
            """
            {"object": {"dependencies": [{"packageRef": {"identity": "b", "location": "\(folder.path)/beside"}, \
            "state": {"name": "\(name)"}}]}}
            """
        }
        _ = try folder.write(state("fileSystem"), to: "scratch/workspace-state.json")
        try remember()
        #expect(isUpToDate())
        try change("beside/Sources/B/Three.swift")
        #expect(!isUpToDate())
        #expect(FileManager.default.fileExists(atPath: other))
        _ = try folder.write(state("edited"), to: "scratch/workspace-state.json")
        #expect(memory().inputs() == nil)
    }

    @Test func `what changed during the build, or only just before its end, is not kept`() throws {
        let memory = memory()
        let inputs = try #require(memory.inputs())
        memory.remember(inputs, builtUntil: later - 10_000_000_000)
        #expect(!isUpToDate())
        try change("package/Sources/M/One.swift")
        memory.remember(inputs, builtUntil: later)
        #expect(!isUpToDate())
    }

    @Test func `sources in a hidden folder, and those that plugins make, are left to SwiftPM`() throws {
        let hidden = try folder.write("int three;\n", to: "package/.generated/three.h")
        _ = try folder.write("dependencies: \\\n  \(hidden)\n", to: "scratch/x86/debug/C.build/c.d")
        try remember()
        #expect(!isUpToDate())
        unlink("\(folder.path)/scratch/x86/debug/C.build/c.d")
        try remember()
        #expect(isUpToDate())
        _ = try folder.write("", to: "scratch/plugins/outputs/p/M/Generated.swift")
        try memory().forget()
        try remember()
        #expect(!isUpToDate())
    }

    @Test func `a record that was cut short is none`() throws {
        try remember()
        let path = "\(folder.path)/scratch/\(BuildMemory.fileName)"
        let whole = try Data(contentsOf: URL(filePath: path))
        for count in [0, 1, whole.count / 2, whole.count - 1] {
            try whole.prefix(count).write(to: URL(filePath: path))
            #expect(!isUpToDate())
        }
    }
}

/// Runs of a real package, of which only those build that have to.
@Suite(.slow, .serialized, .timeLimit(.minutes(10))) struct SparedBuildTests {
    private let folder: TemporaryFolder
    private let root: String

    init() throws {
        folder = try TemporaryFolder()
        root = "\(folder.path)/Mixed"
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        try FileManager.default.copyItem(
            atPath: tests.appending(path: "Packages/Mixed").path(percentEncoded: false), toPath: root)
    }

    private func run(_ number: Int, engine: Engine = .direct) async throws -> RunDirectory {
        try await TestRunner().run(
            RunRequest(
                packageRoot: root, scratchPath: "\(folder.path)/scratch",
                runDirectory: "\(folder.path)/runs/\(number)", cacheDirectory: "\(folder.path)/cache",
                runID: SampleRuns.id(number), project: "sample", startedAt: SampleRuns.moment, arguments: ["run"],
                kanmonVersion: "test", engine: engine, parentEnvironment: ProcessInfo.processInfo.environment)
        ) { _ in }
    }

    private func builds(_ directory: RunDirectory) throws -> Bool {
        try directory.manifest().steps.contains { $0.kind == .build }
    }

    @Test func `a run builds only what changed, and tests what is there`() async throws {
        let first = try await run(1)
        #expect(try builds(first))
        for (number, engine) in [(2, Engine.direct), (3, .swiftTest), (4, .direct)] {
            let spared = try await run(number, engine: engine)
            #expect(try !builds(spared))
            let log = try Data(contentsOf: URL(filePath: "\(spared.path)/build.log"))
            #expect(String(decoding: log, as: UTF8.self).hasPrefix("nothing to build"))
            let (run, whole) = (try TestRun.read(from: spared), try TestRun.read(from: first))
            #expect(run.gaps == [])
            #expect(run.tests.map(\.id) == whole.tests.map(\.id))
            #expect(run.coverage == whole.coverage)
        }

        let source = "\(root)/Sources/Greeting/Greeting.swift"
        let text = try String(contentsOfFile: source, encoding: .utf8)
        try Data((text + "\nfunc broken( {}\n").utf8).write(to: URL(filePath: source))
        let broken = try await run(5)
        #expect(try broken.manifest().steps.map(\.kind).last == .build)
        // What did not build is nothing that could be taken.
        let again = try await run(6)
        #expect(try again.manifest().steps.map(\.kind).last == .build)
        try Data(text.utf8).write(to: URL(filePath: source))
        let mended = try await run(7)
        #expect(try builds(mended))
        #expect(try TestRun.read(from: mended).coverage == TestRun.read(from: first).coverage)
    }
}
