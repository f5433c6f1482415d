import Evidence
import Foundation
import RunModel
import TestSupport
import Testing

@testable import TestRunning

@Suite struct BuildRecordTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["swift", "swift-frontend"] {
            chmod(try folder.write("#!/bin/sh\n", to: "toolchain/bin/\(name)"), 0o755)
        }
        _ = try folder.write(
            "// swift-tools-version: 6.0\nimport PackageDescription\n", to: "package/Package.swift")
        _ = try folder.write("# P\n", to: "package/README.md")
        let source = try folder.write("let one = 1\n", to: "package/Sources/M/One.swift")
        _ = try folder.write("secret\n", to: "package/Sources/M/Resources/.env")
        let header = try folder.write("int two;\n", to: "include/two.h")
        let module = try folder.write("", to: "toolchain/lib/swift/Swift.swiftmodule")
        _ = try folder.write("let two = 2\n", to: "scratch/checkouts/other/Sources/O/Two.swift")
        _ = try folder.write("Name: x\n", to: "pkgconfig/x.pc")
        for name in ["M.build/One.swift.o", "M.swiftmodule.o", "Modules/M.swiftmodule", "PPackageTests.xctest"] {
            _ = try folder.write(name, to: "\(Self.products)/\(name)")
        }
        let made = "\(folder.path)/\(Self.products)/M.build/One.swift.o"
        mkdir("\(folder.path)/include/deep", 0o755)
        _ = try folder.write(
            "\(made) : \(source) \(module) \(folder.path)/include/deep/../two.h \(folder.path)/include/gone.h\n",
            to: "\(Self.products)/M.build/One.d")
        #expect(header == "\(folder.path)/include/two.h")
        _ = try folder.write("commands:\n", to: "scratch/debug.yaml")
        symlink("x86/debug", "\(folder.path)/scratch/debug")
    }

    private static let products = "scratch/x86/debug"
    private var root: String { "\(folder.path)/package" }
    private var variables: [String: String] { ["LANG": "C", "PKG_CONFIG_PATH": "\(folder.path)/pkgconfig"] }

    private func memory(_ environment: [String: String]? = nil, targets: [String] = ["Sources/M"]) -> BuildRecord {
        BuildRecord(
            TestInvocation(
                tools: ToolPaths(directory: "\(folder.path)/toolchain/bin"), packageRoot: root,
                scratchPath: "\(folder.path)/scratch", package: "P", environment: environment ?? variables,
                files: RunFiles(evidence: "\(folder.path)/run", work: "\(folder.path)/work")),
            targets.map { path in
                Module(
                    name: path, compilerName: "M", kind: .library, isSwift: true, path: path, sources: [],
                    dependencies: [])
            })
    }

    private func isUpToDate(_ environment: [String: String]? = nil) -> Bool {
        let memory = memory(environment)
        return memory.inputs().map(memory.isUpToDate) ?? false
    }

    /// The clock of files, which stands still for some thousandths of a second.
    private func now() throws -> Int64 {
        usleep(20_000)
        return try #require(FileStamp(try folder.write("now", to: "clock"))).changed
    }

    /// Remembers a build that took a second, and began after all that the test wrote.
    private func remember(_ memory: BuildRecord? = nil) throws {
        let memory = memory ?? self.memory()
        let now = try now()
        memory.remember(try #require(memory.inputs()), from: now, until: now + 1_000_000_000)
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
        #expect(!isUpToDate(variables.merging(["LANG": "de"]) { $1 }))
        #expect(isUpToDate(variables.merging(["TERM": "dumb", "SSH_AUTH_SOCK": "/tmp/agent"]) { $1 }))
        try memory().forget()
        #expect(!isUpToDate())
    }

    @Test func `what wraps a module for the debugger has no sources of its own`() throws {
        for name in ["M.build/M.o", "M.build/M.swiftmodule.o"] {
            _ = try folder.write(name, to: "\(Self.products)/\(name)")
        }
        try remember()
        #expect(isUpToDate())
        _ = try folder.write("", to: "\(Self.products)/M.build/Two.swift.o")
        try remember()
        #expect(!isUpToDate())
    }

    @Test(arguments: [
        "package/Sources/M/One.swift", "package/Sources/M/Two.swift", "package/Sources/M/Resources/.env",
        "package/Sources/M/Resources/.new", "package/Package.resolved", "package/new.md",
        "package/.swiftpm/configuration/mirrors.json", "scratch/checkouts/other/Sources/O/Two.swift",
        "scratch/artifacts/other/tool", "include/two.h", "include/gone.h", "pkgconfig/x.pc",
        "toolchain/bin/swift-frontend", "toolchain/lib/swift/Swift.swiftmodule", "\(products)/M.build/One.swift.o",
        "\(products)/M.build/New.swift.o", "\(products)/PPackageTests.xctest", "\(products)/P_M.resources/.env",
        "\(products)/P_M.resources/output-file-map.json",
    ])
    func `everything that a build reads or makes counts`(name: String) throws {
        try remember()
        try change(name)
        #expect(!isUpToDate())
    }

    @Test(arguments: ["include/two.h", "\(products)/M.build/One.swift.o", "package/Sources/M/One.swift"])
    func `what is gone counts`(name: String) throws {
        try remember()
        unlink("\(folder.path)/\(name)")
        #expect(!isUpToDate())
    }

    @Test(arguments: [
        "package/README.md", "package/.build/x", "package/.git/HEAD", "package/Sources/M/.git/HEAD",
        "package/default.profraw", "scratch/debug.yaml", "scratch/build.db", "\(products)/description.json",
        "\(products)/M.build/output-file-map.json", "\(products)/index/store/unit", "scratch/kanmon/merged.profdata",
    ])
    func `temporary files next to a build do not count`(name: String) throws {
        try remember()
        try change(name)
        #expect(isUpToDate())
    }

    @Test func `a target in a hidden folder, in the root and one that is a file count like any other`() throws {
        for (target, name) in [
            (".hidden/H", "package/.hidden/H/H.swift"), (".", "package/README.md"),
            ("B.artifactbundle", "package/B.artifactbundle"),
        ] {
            _ = try folder.write("before", to: name)
            let memory = memory(targets: ["Sources/M", target])
            try remember(memory)
            #expect(memory.inputs().map(memory.isUpToDate) == true, "\(target)")
            try change(name)
            #expect(memory.inputs().map(memory.isUpToDate) == false, "\(target)")
        }
    }

    @Test(arguments: ["beside", "package/Local"])
    func `a package on the disk is one of the inputs, an edited one is not known`(place: String) throws {
        _ = try folder.write("let three = 3\n", to: "\(place)/Sources/B/Three.swift")
        let state = { (name: String) in
            """
            {"object": {"dependencies": [{"packageRef": {"identity": "b", "location": "\(folder.path)/\(place)"}, \
            "state": {"name": "\(name)"}}]}}
            """
        }
        _ = try folder.write(state("fileSystem"), to: "scratch/workspace-state.json")
        try remember()
        #expect(isUpToDate())
        try change("\(place)/Sources/B/Three.swift")
        #expect(!isUpToDate())
        _ = try folder.write(state("edited"), to: "scratch/workspace-state.json")
        #expect(memory().inputs() == nil)
    }

    @Test func `what changed during the build is not kept`() throws {
        let memory = memory()
        let (inputs, begin) = (try #require(memory.inputs()), try now())
        try change("include/two.h")
        memory.remember(inputs, from: begin, until: begin + 1_000_000_000)
        #expect(!isUpToDate())
        let later = try now()
        memory.remember(inputs, from: later, until: later + 1_000_000_000)
        #expect(isUpToDate())
        try memory.forget()
        try change("package/Sources/M/One.swift")
        memory.remember(inputs, from: later, until: try now())
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/scratch/\(BuildRecord.fileName)"))
    }

    @Test func `a change at the end of the build could come again with the same time`() throws {
        let memory = memory()
        let inputs = try #require(memory.inputs())
        let last = try #require(FileStamp("\(folder.path)/pkgconfig/x.pc")).changed
        let begin = try now()
        memory.remember(inputs, from: begin, until: last + 10_000_000)
        #expect(!isUpToDate())
        memory.remember(inputs, from: begin, until: last + 30_000_000)
        #expect(isUpToDate())
    }

    @Test func `sources that plugins make are left to SwiftPM`() throws {
        _ = try folder.write("", to: "scratch/plugins/outputs/p/M/Generated.swift")
        try remember()
        #expect(isUpToDate())
        _ = try folder.write("inputs: [/scratch/plugins/outputs/p/M/Generated.swift]\n", to: "scratch/debug.yaml")
        try memory().forget()
        try remember()
        #expect(!isUpToDate())
    }

    @Test(arguments: [
        ("M.build/One.d", nil), ("M.build/One.d", "one.o: ../two.h\n"), ("M.build/New.swift.o", "object"),
        ("C.build/c.c.o", "object"),
    ])
    func `a compiler that did not say what it read is asked again`(name: String, text: String?) throws {
        let path = "\(Self.products)/\(name)"
        if let text { _ = try folder.write(text, to: path) } else { unlink("\(folder.path)/\(path)") }
        try remember()
        #expect(!isUpToDate())
    }

    @Test func `products without objects tell nothing, and a resource is no word of a compiler`() throws {
        _ = try folder.write("probe: relative\n", to: "\(Self.products)/P_M.resources/probes.d")
        try remember()
        #expect(isUpToDate())
        unlink("\(folder.path)/\(Self.products)/M.build/One.swift.o")
        try remember()
        #expect(!isUpToDate())
    }

    @Test func `a header that a link elsewhere leads to counts with the link`() throws {
        let (link, other) = ("\(folder.path)/include/link.h", try folder.write("int x;\n", to: "other.h"))
        _ = try folder.write("int m;\n", to: "package/Sources/M/m.h")
        symlink("\(root)/Sources/M/m.h", link)
        _ = try folder.write("m.o: \(link)\n", to: "\(Self.products)/M.build/One.d")
        try remember()
        #expect(isUpToDate())
        unlink(link)
        symlink(other, link)
        #expect(!isUpToDate())
    }

    @Test func `products that the link does not lead to any more are others`() throws {
        try remember()
        unlink("\(folder.path)/scratch/debug")
        symlink("arm/debug", "\(folder.path)/scratch/debug")
        #expect(!isUpToDate())
        for name in ["M.build/One.swift.o", "M.build/One.d"] {
            _ = try folder.write(name, to: "scratch/arm/debug/\(name)")
        }
        #expect(!isUpToDate())
    }

    @Test func `a record that was cut short or is of another version is none`() throws {
        try remember()
        let path = "\(folder.path)/scratch/\(BuildRecord.fileName)"
        let whole = try Data(contentsOf: URL(filePath: path))
        for count in [0, 1, whole.count / 2, whole.count - 1] {
            try whole.prefix(count).write(to: URL(filePath: path))
            #expect(!isUpToDate())
        }
        let other = String(decoding: whole, as: UTF8.self).replacing("\"version\":2", with: "\"version\":0")
        #expect(Data(other.utf8) != whole)
        try Data(other.utf8).write(to: URL(filePath: path))
        #expect(!isUpToDate())
        try whole.write(to: URL(filePath: path))
        #expect(isUpToDate())
    }
}

/// Runs of a real package, of which only those build that have to.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct SparedBuildTests {
    private let folder: TemporaryFolder
    private let root: String

    init() throws {
        folder = try TemporaryFolder()
        root = try SampleRun.copy("Mixed", into: folder)
    }

    private func run(_ number: Int, engine: Engine = .direct) async throws -> RunDirectory {
        try await TestRunner().run(
            RunRequest(
                package: TestedPackage(root: root, project: "sample"), options: RunOptions(engine: engine),
                scratchPath: "\(folder.path)/scratch", runDirectory: "\(folder.path)/runs/\(number)",
                cacheDirectory: "\(folder.path)/cache", runID: SampleRuns.id(number), startedAt: SampleRuns.moment,
                arguments: ["run"], kanmonVersion: "test", parentEnvironment: ProcessInfo.processInfo.environment)
        ) { _ in }
    }

    private func builds(_ directory: RunDirectory) throws -> Bool {
        try directory.manifest().steps.contains { $0.kind == .build }
    }

    /// Which lines were executed. How often is not the same each time: tests that run at once lose counts.
    private func covered(_ run: TestRun) -> [String: [Bool]] {
        let files = (run.coverage?.files ?? []).map { ($0.path, $0.lines.map { $0.count.raw > 0 }) }
        return Dictionary(uniqueKeysWithValues: files)
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
            #expect(covered(run) == covered(whole))
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
        #expect(try covered(TestRun.read(from: mended)) == covered(TestRun.read(from: first)))
        #expect(try !builds(await run(8)))

        // Code that means something else is what is tested.
        try Data(text.replacing("Hello", with: "Goodbye").utf8).write(to: URL(filePath: source))
        let other = try await run(9)
        #expect(try builds(other))
        let log = try String(contentsOfFile: "\(other.path)/build.log", encoding: .utf8)
        #expect(try TestRun.read(from: other).outcomes.failures > 0, "\(log)")
    }

    /// Replaces a file of the package, or removes it.
    private func write(_ text: String?, to name: String) throws {
        let path = "\(root)/\(name)"
        try? FileManager.default.removeItem(atPath: path)
        guard let text else { return }
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    @Test func `what an earlier build left is not tested`() async throws {
        func manifest(_ targets: String = "", of dependency: String = "") -> String {
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "Left", targets: [
                .systemLibrary(name: "CSystemShim"), .target(name: "CHeaders"), \(targets)
                .target(name: "Left", dependencies: ["CSystemShim", "CHeaders"\(dependency)]),
                .testTarget(name: "LeftTests", dependencies: ["Left"], resources: [.process("Data")]),
            ])
            """
        }
        let gone = ".target(name: \"Gone\"), .executableTarget(name: \"gone-tool\"),"
        try FileManager.default.removeItem(atPath: root)
        try write(manifest(gone, of: ", \"Gone\""), to: "Package.swift")
        try write(
            "module CSystemShim [system] { header \"shim.h\" export * }\n", to: "Sources/CSystemShim/module.modulemap")
        try write("static inline int one(void) { return 1; }\n", to: "Sources/CSystemShim/shim.h")
        try write("static inline int two(void) { return 2; }\n", to: "Sources/CHeaders/include/CHeaders.h")
        try write("", to: "Sources/CHeaders/empty.c")
        try write("public let gone = 1\n", to: "Sources/Gone/Gone.swift")
        try write("print(1)\n", to: "Sources/gone-tool/main.swift")
        let source = """
            import CHeaders
            import CSystemShim
            public func three() -> Int { Int(one() + two()) }
            """
        try write("import Gone\n" + source, to: "Sources/Left/Left.swift")
        try write(
            """
            import Foundation
            import Left
            import Testing
            @Test func sum() { #expect(three() == 3) }
            @Test func resource() {
                for name in ["a", "ü b"] { #expect(Bundle.module.url(forResource: name, withExtension: "txt") != nil) }
            }
            @Test func tool() {
                let tests = Bundle.main.bundleURL.deletingLastPathComponent()
                let folders = [Bundle.main.bundleURL, tests, Bundle.module.bundleURL.deletingLastPathComponent()]
                #expect(folders.contains { FileManager.default.fileExists(atPath: $0.path + "/gone-tool") })
            }
            """, to: "Tests/LeftTests/LeftTests.swift")
        for name in ["a", "ü b"] { try write(name, to: "Tests/LeftTests/Data/\(name).txt") }
        func failures(_ number: Int) async throws -> [String] {
            let directory = try await run(number)
            let run = try TestRun.read(from: directory)
            let log = try String(contentsOfFile: "\(directory.path)/build.log", encoding: .utf8)
            #expect(run.outcomes.executed == 3, "\(log)")
            return run.failures.map(\.id.name).sorted()
        }
        #expect(try await failures(1) == [])

        try write("static inline int one(void) { return 5; }\n", to: "Sources/CSystemShim/shim.h")
        #expect(try await failures(2) == ["sum()"])
        try write("static inline int one(void) { return 1; }\n", to: "Sources/CSystemShim/shim.h")
        #expect(try await failures(3) == [])
        try write("static inline int two(void) { return 5; }\n", to: "Sources/CHeaders/include/CHeaders.h")
        #expect(try await failures(4) == ["sum()"])
        try write("static inline int two(void) { return 2; }\n", to: "Sources/CHeaders/include/CHeaders.h")
        try write(nil, to: "Tests/LeftTests/Data/a.txt")
        #expect(try await failures(5) == ["resource()"])
        try write("a", to: "Tests/LeftTests/Data/a.txt")
        #expect(try await failures(6) == [])

        try write(manifest(), to: "Package.swift")
        try write(nil, to: "Sources/Gone")
        try write(nil, to: "Sources/gone-tool")
        // It still imports what is gone.
        let log = try await String(contentsOfFile: "\(run(7).path)/build.log", encoding: .utf8)
        #expect(log.contains("no such module 'Gone'"))
        try write(source, to: "Sources/Left/Left.swift")
        #expect(try await failures(8) == ["tool()"])
        #expect(try !builds(await run(9)))
    }
}
