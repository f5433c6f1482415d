import Foundation
import Testing

@testable import TestRunning

@Suite struct PackageManifestTests {
    @Test func `targets are read with their folders and unsafe flags`() throws {
        // Shortened from `swift package dump-package` of Swift 6.3.1.
        let json = """
            {"name": "X", "targets": [
              {"name": "A", "path": "Other", "type": "regular", "settings": [
                {"condition": {"config": "debug", "platformNames": []},
                 "kind": {"unsafeFlags": {"_0": ["-Xfrontend", "-foo"]}}, "tool": "swift"},
                {"kind": {"define": {"_0": "Q"}}, "tool": "swift"}]},
              {"name": "ATests", "type": "test", "settings": []},
              {"name": "P", "type": "plugin"}]}
            """
        #expect(
            try PackageManifest(json: Data(json.utf8)).targets == [
                DeclaredTarget(name: "A", kind: "regular", path: "Other", unsafeFlags: ["-Xfrontend", "-foo"]),
                DeclaredTarget(name: "ATests", kind: "test", path: "Tests/ATests", unsafeFlags: []),
                DeclaredTarget(name: "P", kind: "plugin", path: "Plugins/P", unsafeFlags: []),
            ])
    }

    @Test(
        arguments: [
            (#"{"name": "A", "type": "regular"}"#, ["Sources/A/a.swift"], "Sources/A"),
            (#"{"name": "A", "type": "regular"}"#, ["src/A/a.swift", "Tests/T/t.swift"], "src/A"),
            (#"{"name": "A", "type": "regular"}"#, ["Sources/a.swift"], "Sources"),
            (#"{"name": "A", "type": "regular"}, {"name": "B", "type": "executable"}"#, ["Sources/a.swift"], nil),
            (#"{"name": "A", "type": "regular", "path": "./Code/A/"}"#, ["Code/A/a.swift"], "Code/A"),
            (#"{"name": "A", "type": "regular", "path": "."}"#, ["a.swift"], ""),
            (#"{"name": "A", "type": "regular", "path": "Code"}"#, ["Code", "Sources/A/a.swift"], nil),
            (#"{"name": "A", "type": "test"}"#, ["Sources/A/a.swift"], "Sources/A"),
        ] as [(String, [String], String?)])
    func `a target lies in the first folder that has files of it`(
        targets: String, files: [String], folder: String?
    ) throws {
        let manifest = try PackageManifest(json: Data("{\"targets\": [\(targets)]}".utf8))
        let target = try #require(manifest.targets.first)
        #expect(manifest.located(target, among: files)?.path == folder)
    }

    @Test func `local packages are distinguished from others`() throws {
        // Shortened from `swift package dump-package` of Swift 6.3.1.
        let json = """
            {"name": "X", "targets": [], "dependencies": [
              {"fileSystem": [{"identity": "kit", "path": "/w/Kit", "productFilter": null, "traits": []}]},
              {"sourceControl": [{"identity": "yams", "location": {"remote": [{"urlString": "https://example.org/yams"}]}}]}]}
            """
        #expect(try PackageManifest(json: Data(json.utf8)).localDependencies == ["/w/Kit"])
    }

    @Test(arguments: ["", "{}", "{\"targets\": [{}]}"])
    func `anything else is refused`(json: String) {
        #expect(throws: RunnerError.self) { try PackageManifest(json: Data(json.utf8)) }
    }
}
