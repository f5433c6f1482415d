import Foundation
import RunModel
import TestSupport
import Testing

@testable import TestRunning

@Suite struct ResolvedVersionsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func workspace(_ dependencies: String) throws -> [String]? {
        _ = try folder.write(
            #"{"object": {"dependencies": [\#(dependencies)]}, "version": 7}"#, to: "workspace-state.json")
        return ResolvedVersions(scratchPath: folder.path, packageRoot: "/package")?.lines
    }

    private static func dependency(_ name: String, _ state: String, location: String? = nil) -> String {
        """
        {"packageRef": {"identity": "\(name)", "kind": "k", "location": "\(location ?? "https://e.org/\(name)")", \
        "name": "\(name)"}, "state": \(state), "subpath": "\(name)"}
        """
    }

    private static let checkout =
        #"{"checkoutState": {"revision": "abc", "version": "1.0.0"}, "name": "sourceControlCheckout"}"#

    @Test func `what SwiftPM resolved is what the file pins`() throws {
        let pins = """
            {"pins": [
              {"identity": "b", "kind": "k", "location": "https://e.org/b", "state": {"revision": "abc", "version": "1.0.0"}},
              {"identity": "a", "kind": "k", "location": "https://e.org/a", "state": {"branch": "main", "revision": "abc"}}
            ], "version": 3}
            """
        let pinned = ResolvedVersions(packageResolved: Array(pins.utf8))?.lines
        #expect(pinned == ["a https://e.org/a abc", "b https://e.org/b abc"])
        let resolved = try workspace(
            [Self.dependency("b", Self.checkout), Self.dependency("a", Self.checkout)].joined(separator: ","))
        #expect(resolved == pinned)
    }

    @Test func `a version of a registry is its number`() throws {
        let state = #"{"name": "registryDownload", "version": "2.1.0"}"#
        #expect(try workspace(Self.dependency("a.b", state)) == ["a.b https://e.org/a.b 2.1.0"])
    }

    @Test func `a package inside of this one is part of its tree, one outside can change unseen`() throws {
        let local = #"{"name": "fileSystem", "path": "p"}"#
        #expect(try workspace(Self.dependency("a", local, location: "/package/Local")) == [])
        #expect(try workspace(Self.dependency("a", local, location: "/elsewhere")) == nil)
        #expect(try workspace(Self.dependency("a", local, location: "/packages")) == nil)
        #expect(try workspace(Self.dependency("a", #"{"name": "edited"}"#)) == nil)
    }

    @Test func `shards compare local packages by their files, and know nothing of one that is edited`() throws {
        let root = try TemporaryFolder()
        _ = try root.write("let a = 1\n", to: "Kit/Sources/A.swift")
        _ = try root.write("built\n", to: "Kit/.build/x")
        func facts(_ state: String = #"{"name": "fileSystem", "path": "p"}"#) throws -> [String]? {
            let all = [
                Self.dependency("kit", state, location: "\(root.path)/Kit"), Self.dependency("b", Self.checkout),
            ]
            _ = try workspace(all.joined(separator: ","))
            return ResolvedVersions.facts(scratchPath: folder.path, packageRoot: "\(root.path)/App")
        }
        let before = try #require(try facts())
        #expect(before.count == 2)
        #expect(before[0] == "b https://e.org/b abc")
        #expect(before[1].hasPrefix("kit ../Kit "))
        _ = try root.write("built again\n", to: "Kit/.build/x")
        #expect(try facts() == before)
        _ = try root.write("let a = 2\n", to: "Kit/Sources/A.swift")
        #expect(try facts() != before)
        #expect(try facts(#"{"name": "edited"}"#) == nil)
    }

    @Test func `no file is no dependency, an unreadable one is not known`() throws {
        #expect(ResolvedVersions(scratchPath: folder.path + "/none", packageRoot: "/package")?.lines == [])
        _ = try folder.write("{", to: "workspace-state.json")
        #expect(ResolvedVersions(scratchPath: folder.path, packageRoot: "/package") == nil)
        #expect(ResolvedVersions(packageResolved: Array("{".utf8)) == nil)
        #expect(ResolvedVersions(packageResolved: Array(#"{"pins": [], "version": 1}"#.utf8)) == nil)
        #expect(ResolvedVersions(packageResolved: Array(#"{"pins": [], "version": 2}"#.utf8))?.lines == [])
    }
}

@Suite struct ToolchainCacheTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func program(_ name: String, _ text: String = "#!/bin/sh\n") throws -> String {
        let path = try folder.write(text, to: name)
        chmod(path, 0o755)
        return path
    }

    private func installation(_ folder: String) -> ToolchainInstallation {
        ToolchainInstallation(
            tools: ToolPaths(directory: folder),
            toolchain: Toolchain(swiftVersion: "Swift version 6.3.1", llvmVersion: "LLVM 21", target: "t"))
    }

    @Test func `a toolchain is known until one of its programs is another file`() throws {
        let swift = try program("bin/swift")
        let frontend = try program("bin/swift-frontend")
        let memory = ToolchainCache(path: "\(folder.path)/cache/toolchain.json")
        #expect(memory.recall(swift) == nil)
        let bin = (swift as NSString).deletingLastPathComponent
        memory.remember(installation(bin), of: swift)
        #expect(memory.recall(swift) == installation(bin))
        #expect(memory.recall(frontend) == nil)
        unlink(frontend)
        _ = try program("bin/swift-frontend")
        #expect(memory.recall(swift) == nil)
    }

    @Test func `what a proxy chooses is asked every time`() throws {
        let proxy = try program("proxy/swift")
        let swift = try program("toolchain/swift")
        let memory = ToolchainCache(path: "\(folder.path)/toolchain.json")
        memory.remember(installation((swift as NSString).deletingLastPathComponent), of: proxy)
        #expect(memory.recall(proxy) == nil)
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/toolchain.json"))
    }
}
