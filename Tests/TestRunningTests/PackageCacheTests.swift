import Foundation
import RunModel
import TestSupport
import Testing

@testable import TestRunning

@Suite struct PackageCacheTests {
    private let folder: TemporaryFolder
    private let answer: Data
    private let description: PackageDescription

    init() throws {
        folder = try TemporaryFolder()
        answer = try Fixture.bytes("describe.json")
        description = try PackageDescription(json: answer)
        for name in ["swift", "swift-frontend"] {
            chmod(try folder.write("#!/bin/sh\n", to: "bin/\(name)"), 0o755)
        }
        _ = try folder.write("", to: "scratch/nothing")
        _ = try folder.write(
            "// swift-tools-version: 6.0\nimport PackageDescription\n", to: "package/Package.swift")
        _ = try folder.write("let one = 1\n", to: "package/Sources/Greeting/One.swift")
    }

    private func memory(_ environment: [String: String] = ["LANG": "C"]) -> PackageCache {
        let root = "\(folder.path)/package"
        return PackageCache(
            scratchPath: "\(folder.path)/scratch", packageRoot: root,
            command: TestInvocation.describe(
                tools: ToolPaths(directory: realPath("\(folder.path)/bin") ?? ""), packageRoot: root,
                scratchPath: "\(folder.path)/scratch", environment: environment))
    }

    /// What is recalled now.
    private func recalled(_ environment: [String: String] = ["LANG": "C"]) -> PackageDescription? {
        let memory = memory(environment)
        return memory.key().flatMap(memory.recall)
    }

    private func remember() throws {
        let memory = memory()
        memory.remember(answer, description, key: try #require(memory.key()))
    }

    @Test func `what SwiftPM said is known while no name and no manifest is another`() throws {
        #expect(recalled() == nil)
        try remember()
        #expect(recalled() == description)
        _ = try folder.write("let one = 2\n", to: "package/Sources/Greeting/One.swift")
        _ = try folder.write("", to: "package/default.profraw")
        #expect(recalled() == description)
        #expect(recalled(["LANG": "de"]) == nil)

        for (name, text) in [
            ("package/Sources/Greeting/Two.swift", ""), ("package/Sources/default.profraw", ""),
            ("package/Tests/GreetingTests/T.swift", ""),
            ("package/Package@swift-6.0.swift", "import PackageDescription\n"), ("package/Package.resolved", "{}"),
        ] {
            let path = try folder.write(text, to: name)
            #expect(recalled() == nil, "\(name)")
            unlink(path)
            rmdir((path as NSString).deletingLastPathComponent)
        }
        rmdir("\(folder.path)/package/Tests")
        #expect(recalled() == description)
        _ = try folder.write(
            "// swift-tools-version: 6.0\nimport PackageDescription // 2\n", to: "package/Package.swift")
        #expect(recalled() == nil)
    }

    @Test func `another file at the path of a program makes it unknown`() throws {
        try remember()
        unlink("\(folder.path)/bin/swift-frontend")
        #expect(recalled() == nil)
    }

    @Test func `a record that was changed or cut short is asked for again`() throws {
        try remember()
        let path = "\(folder.path)/scratch/\(PackageCache.fileName)"
        let whole = try Data(contentsOf: URL(filePath: path))
        for count in [0, 1, whole.count / 2, whole.count - 1] {
            try whole.prefix(count).write(to: URL(filePath: path))
            #expect(recalled() == nil)
        }
    }

    @Test func `a manifest is identified by its text, with any imports`() throws {
        _ = try folder.write("import PackageDescription\nimport Foundation\n", to: "package/Package.swift")
        let first = memory().key()
        #expect(first != nil)
        _ = try folder.write("import PackageDescription\nimport Foundation // \n", to: "package/Package.swift")
        #expect(memory().key() != first)
    }

    @Test func `a link to a folder is asked every time, one to a file counts by where it leads`() throws {
        _ = try folder.write("", to: "elsewhere/File.swift")
        let link = "\(folder.path)/package/Sources/Linked"
        symlink("\(folder.path)/elsewhere", link)
        #expect(memory().key() == nil)
        unlink(link)
        symlink("\(folder.path)/elsewhere/File.swift", link)
        let first = memory().key()
        #expect(first != nil)
        unlink(link)
        symlink("\(folder.path)/elsewhere/Other.swift", link)
        #expect(memory().key() != first)
    }

    @Test func `what changed while SwiftPM was asked, and targets in hidden folders, are not kept`() throws {
        let memory = memory()
        memory.remember(answer, description, key: "that of another time")
        #expect(recalled() == nil)
        let hidden = PackageDescription(
            name: "P",
            modules: [
                Module(
                    name: "M", compilerName: "M", kind: .library, isSwift: true, path: ".hidden/M", sources: [],
                    dependencies: [])
            ])
        memory.remember(answer, hidden, key: try #require(memory.key()))
        #expect(recalled() == nil)
    }
}
