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
