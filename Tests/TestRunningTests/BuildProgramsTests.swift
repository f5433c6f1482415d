import Foundation
import TestSupport
import Testing

@testable import TestRunning

/// What the programs of a package make while it is built, and what its tests leave where it was built.
extension IncrementalBuildTests {
    private var generated: String { "\(folder.path)/scratch/plugins/outputs" }

    private func generate() throws {
        // A plan names neither what a command keeps for itself nor what one before the build has made.
        for name in ["Gen/kept.txt", "Gen/out/gone.swift"] {
            _ = try folder.write("let g = 1\n", to: "scratch/plugins/outputs/p/Lib/destination/\(name)")
        }
    }

    /// A build of a macro that is expanded in `App`, and of a library of the macro that is called like one of swift-syntax.
    private func settledWithMacro(importing module: String) throws {
        var first = build()
        for (name, imported) in [("Impl", module), ("SwiftParser", "Glibc")] {
            _ = try folder.write("import \(imported)\n", to: "package/Sources/\(name)/\(name).swift")
        }
        try first.prepare()
        for name in ["Impl", "SwiftParser"] {
            try write("object", "\(name)-tool.build/\(name).swift.o")
            try write("{}", "\(name)-tool.build/output-file-map.json")
            try write(
                "\(products)/Modules-tool/\(name).swiftmodule : \(root)/Sources/\(name)/\(name).swift\n",
                "\(name)-tool.build/\(name).emit-module.d")
        }
        try write("program", "Impl-tool")
        usleep(20_000)
        try playBuild(reads: ["App": headers + ["\(products)/Impl-tool"]])
        #expect(try !first.settle())
        usleep(30_000)
    }

    @Test func `what plugins and their commands left goes when anything changes, also what no plan names`() throws {
        try settled()
        try generate()
        #expect(try removed() == [])
        #expect(FileManager.default.fileExists(atPath: "\(generated)/p/Lib/destination/Gen/kept.txt"))
        try edit("README.md", "other\n")
        #expect(try removed() == [])
        #expect(!FileManager.default.fileExists(atPath: generated))
    }

    @Test(arguments: [("CI", "1"), ("LC_ALL", "C"), ("GIT_COMMIT", "1")])
    func `what plugins left goes when a variable is another, but not one of a place or person`(
        name: String, value: String
    ) throws {
        try settled()
        try generate()
        let elsewhere = [
            "LANG": "C", "TERM": "dumb", "HOME": "/other", "PATH": "/hooks", "XDG_CACHE_HOME": "/c",
            "GIT_AUTHOR_DATE": "@1 +0000", "GIT_EDITOR": ":", "GIT_EXEC_PATH": "/git-core", "GIT_ASKPASS": "/ask",
            "SSH_AGENT_PID": "1",
        ]
        #expect(try removed(elsewhere) == [])
        #expect(FileManager.default.fileExists(atPath: generated))
        #expect(try removed(["LANG": "C", name: value]) == [])
        #expect(!FileManager.default.fileExists(atPath: generated))
        try generate()
        #expect(try removed(["LANG": "C", name: value]) == [])
        #expect(FileManager.default.fileExists(atPath: generated))
    }

    @Test(arguments: ["Swift", "SwiftSyntax", "SwiftSyntaxMacros\nimport SwiftSyntax601"])
    func `a macro that imports nothing but swift-syntax reads neither files nor variables`(module: String) throws {
        try settledWithMacro(importing: module)
        try edit("README.md", "other\n")
        #expect(try removed() == [])
        #expect(try removed(["LANG": "de"]) == [])
    }

    @Test(arguments: ["Foundation", "SwiftGlibc", "SwiftSystem", "SwiftReader", "SwiftSyntaxReader", "SwiftParser"])
    func `a macro that imports anything else may read them, whatever the module is called`(module: String) throws {
        try settledWithMacro(importing: module)
        try edit("README.md", "other\n")
        #expect(try removed() == Self.app)
        try settledWithMacro(importing: module)
        #expect(try removed(["LANG": "de"]) == Self.app)
    }

    @Test func `what tests left beside the products is gone before the next build`() throws {
        try settled()
        _ = try folder.write("1", to: "scratch/x86/recorded.txt")
        _ = try folder.write("1", to: "scratch/x86/App.build/recorded.txt")
        #expect(try removed() == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/scratch/x86") == ["debug"])
    }
}
