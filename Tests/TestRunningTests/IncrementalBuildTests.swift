import Evidence
import Foundation
import RunModel
import TestSupport
import Testing

@testable import TestRunning

/// Builds that a script of the test plays: which products are removed before and after them.
@Suite struct IncrementalBuildTests {
    let folder: TemporaryFolder

    /// `App` imports `Mid`, which exports `Lib`; `CVals` is of C, and `App` imports it.
    init() throws {
        folder = try TemporaryFolder()
        for name in ["swift", "swift-frontend"] {
            chmod(try folder.write("#!/bin/sh\n", to: "toolchain/bin/\(name)"), 0o755)
        }
        for (name, text) in [
            ("Package.swift", "// swift-tools-version: 6.0\n"), ("README.md", "# P\n"),
            ("Sources/Lib/Lib.swift", "let lib = 1\n"), ("Sources/Mid/Mid.swift", "@_exported import Lib\n"),
            ("Sources/App/App.swift", "import Mid\n"), ("Sources/App/Other.swift", "let other = 1\n"),
            ("Sources/CVals/c.c", "int c;\n"), ("Sources/CVals/include/c.h", "#include \"c.x\"\n"),
            ("Sources/CVals/include/c.x", "#define ONE 1\n"), ("Sources/CSolo/s.c", "int s;\n"),
        ] { _ = try folder.write(text, to: "package/\(name)") }
        _ = try folder.write("int shared;\n", to: "shared.h")
    }

    var root: String { "\(folder.path)/package" }
    var products: String { "\(folder.path)/scratch/x86/debug" }
    var headers: [String] {
        [
            "\(root)/Sources/CVals/include/c.h", "\(root)/Sources/CVals/include/../include/c.x",
            "\(folder.path)/shared.h",
        ]
    }

    func build(_ environment: [String: String] = ["LANG": "C"]) -> IncrementalBuild {
        let names = [("Lib", true), ("Mid", true), ("App", true), ("CVals", false), ("CSolo", false)]
        return IncrementalBuild(
            TestInvocation(
                tools: ToolPaths(directory: "\(folder.path)/toolchain/bin"), packageRoot: root,
                scratchPath: "\(folder.path)/scratch", package: "P", environment: environment,
                files: RunFiles(evidence: "\(folder.path)/run", work: "\(folder.path)/work")),
            names.map { name, isSwift in
                Module(
                    name: name, compilerName: name, kind: .library, isSwift: isSwift, path: "Sources/\(name)",
                    sources: [],
                    dependencies: [])
            }, local: [])
    }

    func write(_ text: String, _ name: String) throws {
        _ = try folder.write(text, to: "scratch/x86/debug/\(name)")
    }

    /// Compiles one module of Swift.
    func compile(_ name: String, _ sources: [String], reads: [String], module: String = "module") throws {
        let own = sources.map { "\(root)/Sources/\(name)/\($0)" }
        for source in sources { try write("object of \(source)", "\(name).build/\(source).o") }
        try write("{}", "\(name).build/output-file-map.json")
        let rule = "\(products)/Modules/\(name).swiftmodule : \((own + reads).joined(separator: " "))\n"
        try write(rule + rule, "\(name).build/\(name).emit-module.d")
        try write("\(name) \(module)", "Modules/\(name).swiftmodule")
        usleep(20_000)
    }

    /// Does what SwiftPM does: compiles what is not there, and what a test says has been edited.
    func playBuild(_ edited: [String: String] = [:], reads: [String: [String]] = [:]) throws {
        func needs(_ name: String) -> Bool {
            !FileManager.default.fileExists(atPath: "\(products)/\(name)")
        }
        // Only the first build makes the link.
        symlink("x86/debug", "\(folder.path)/scratch/debug")
        usleep(20_000)
        let loaded = ["Lib": [], "Mid": ["Lib"], "App": ["Lib", "Mid"]]
        for (name, sources) in [("Lib", ["Lib.swift"]), ("Mid", ["Mid.swift"]), ("App", ["App.swift", "Other.swift"])] {
            guard
                edited[name] != nil || needs("Modules/\(name).swiftmodule")
                    || sources.contains(where: { needs("\(name).build/\($0).o") })
            else { continue }
            let more = reads[name] ?? (name == "App" ? headers : [])
            try compile(
                name, sources, reads: (loaded[name] ?? []).map { "\(products)/Modules/\($0).swiftmodule" } + more,
                module: edited[name] ?? "module")
        }
        for (name, file, files) in [("CVals", "c.c", ["Sources/CVals/include/c.h"]), ("CSolo", "s.c", [])]
        where needs("\(name).build/\(file).o") {
            try write("object", "\(name).build/\(file).o")
            let read = (["Sources/\(name)/\(file)"] + files).map { "\(root)/\($0)" }
            try write("dependencies: \\\n  \(read.joined(separator: " \\\n  "))\n", "\(name).build/\(file).d")
        }
        if needs("P.xctest") {
            try write("linked", "P.xctest")
            chmod("\(products)/P.xctest", 0o755)
        }
        try writePlan()
    }

    func writePlan(mid: [String] = ["Lib"], app: [String] = ["Mid"], link: String = "", words: String = "") throws {
        func modules(_ names: [String]) -> String {
            names.map { "\"\(folder.path)/scratch/x86/debug/Modules/\($0).swiftmodule\"" }.joined(separator: ",")
        }
        let all = [("Lib", []), ("Mid", mid), ("App", app)].map { name, needed in
            let sources = (name == "App" ? ["App", "Other"] : [name]).map { "\"\(root)/Sources/\(name)/\($0).swift\"" }
            let inputs = ([modules(needed)].filter { !$0.isEmpty } + sources).joined(separator: ",")
            return
                "  \"C.\(name).module\":\n    tool: shell\n    inputs: [\(inputs)]\n    outputs: [\(modules([name]))]\n"
                + "    args: [\"swiftc\",\"-module-name\",\"\(name)\"\(name == "Lib" ? words : "")]\n"
        }
        let linked =
            "  \"C.P.exe\":\n    inputs: []\n    outputs: [\"\(products)/P.xctest\"]\n    args: [\"swiftc\",\"-L\",\"\(products)\","
            + "\"-o\",\"\(products)/P.xctest\",\"-emit-executable\"\(link)]\n"
        _ = try folder.write("commands:\n" + all.joined(separator: "\n") + "\n" + linked, to: "scratch/debug.yaml")
    }

    /// What is there of what a build makes.
    var made: Set<String> {
        Set(
            (FolderListing(products)?.files ?? []).map { String(decoding: $0.path, as: UTF8.self) }.filter {
                $0.hasSuffix(".o") || $0.hasSuffix(".swiftmodule") || $0.hasSuffix(".xctest")
            })
    }

    static let all: Set = [
        "Lib.build/Lib.swift.o", "Mid.build/Mid.swift.o", "App.build/App.swift.o", "App.build/Other.swift.o",
        "CVals.build/c.c.o",
        "CSolo.build/s.c.o", "Modules/Lib.swiftmodule", "Modules/Mid.swiftmodule", "Modules/App.swiftmodule",
        "P.xctest",
    ]
    static let app: Set = ["App.build/App.swift.o", "App.build/Other.swift.o", "Modules/App.swiftmodule"]

    /// A whole build, after which everything is known.
    func settled() throws {
        var first = build()
        try first.prepare()
        try playBuild()
        #expect(try !first.settle())
        #expect(made == Self.all)
        let ledger = try #require(BuildLedger.read(in: "\(folder.path)/scratch"))
        #expect(ledger.made.map(\.path) == ["App", "Lib", "Mid"].map { "Modules/\($0).swiftmodule" })
        #expect(ledger.elsewhere == ["\(folder.path)/shared.h"])
        usleep(30_000)
    }

    func edit(_ name: String, _ text: String, isDisguised: Bool = false) throws {
        let path = "\(root)/\(name)"
        var info = stat()
        stat(path, &info)
        _ = try folder.write(text, to: "package/\(name)")
        guard isDisguised else { return }
        var times = [info.st_atim, info.st_mtim]
        utimensat(AT_FDCWD, path, &times, 0)
    }

    /// What the next build finds removed.
    func removed(_ environment: [String: String] = ["LANG": "C"]) throws -> Set<String> {
        var next = build(environment)
        try next.prepare()
        return Self.all.subtracting(made)
    }

    @Test func `nothing is removed where nothing is another`() throws {
        try settled()
        #expect(try removed() == [])
        #expect(try removed(["LANG": "de", "PATH": "/hooks", "TERM": "dumb", "http_proxy": "p"]) == [])
        #expect(try removed(["LANG": "C", "GIT_AUTHOR_DATE": "@1 +0000", "GIT_ASKPASS": "/ask"]) == [])
    }

    @Test func `products of another toolchain, environment or version, or of nobody known, are all removed`() throws {
        try settled()
        #expect(try removed(["LANG": "C", "CPATH": "/include"]) == Self.all)
        try settled()
        chmod(try folder.write("#!/bin/sh\n# new\n", to: "toolchain/bin/swift-frontend"), 0o755)
        #expect(try removed() == Self.all)
        try settled()
        let path = "\(folder.path)/scratch/\(BuildLedger.fileName)"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        _ = try folder.write(
            text.replacing("\"version\":\(BuildLedger.currentVersion)", with: "\"version\":0"),
            to: "scratch/\(BuildLedger.fileName)")
        #expect(try removed() == Self.all)
        try settled()
        unlink("\(folder.path)/scratch/kanmon-contents")
        try edit("README.md", "other\n")
        #expect(try removed() == Self.all)
    }

    @Test func `an edit that SwiftPM sees removes nothing, one behind the time of another removes the module`() throws {
        try settled()
        try edit("Sources/App/App.swift", "import Mid // more\n")
        try edit("README.md", "other\n")
        #expect(try removed() == [])
        try edit("Sources/App/App.swift", "import Mid // less\n", isDisguised: true)
        #expect(try removed() == Self.app)
    }

    @Test func `an object of which nobody tells what it read is made again when a source is another`() throws {
        var first = build()
        try first.prepare()
        try playBuild()
        // As clang leaves it for a `.s`.
        unlink("\(products)/CSolo.build/s.c.d")
        #expect(try !first.settle())
        usleep(30_000)
        #expect(try removed() == [])
        try edit("Sources/Lib/Lib.swift", "let lib = 2\n")
        #expect(try removed().contains("CSolo.build/s.c.o"))
    }

    @Test func `a time of some content before counts as well`() throws {
        try settled()
        let path = "\(root)/Sources/Lib/Lib.swift"
        var info = stat()
        stat(path, &info)
        try edit("Sources/Lib/Lib.swift", "let lib = 2\n")
        #expect(try removed() == [])
        _ = try folder.write("let lib = 3\n", to: "package/Sources/Lib/Lib.swift")
        var times = [info.st_atim, info.st_mtim]
        utimensat(AT_FDCWD, path, &times, 0)
        #expect(try removed() == ["Lib.build/Lib.swift.o", "Modules/Lib.swiftmodule"])
    }

    @Test(arguments: ["Sources/CVals/include/c.x", "Sources/CVals/include/c.h", "../shared.h"])
    func `a header removes what was compiled with it`(name: String) throws {
        try settled()
        try edit(name, "#define ONE 2\n")
        #expect(try removed().isSuperset(of: Self.app))
    }

    @Test func `a file beside those of a target of C may be one that its compiler looked for`() throws {
        try settled()
        _ = try folder.write("new", to: "package/Sources/CSolo/new.bin")
        #expect(try removed() == ["CSolo.build/s.c.o"])
    }

    @Test(arguments: ["__asm__(\".incbin \\\"x\\\"\");", "#if __has_include(\"x\")", "a ## b", "as\\\nm(\"\")", "%:%:"])
    func `who may ask for any file is compiled again when any changes`(text: String) throws {
        try edit("Sources/CSolo/s.c", "\(text)\n")
        try settled()
        _ = try folder.write("new", to: "package/docs/new.md")
        #expect(try removed() == ["CSolo.build/s.c.o"])
    }

    @Test func `a linker that searches elsewhere links again`() throws {
        try settled()
        try writePlan(link: ",\"-Lvendor\"")
        _ = try folder.write("new", to: "package/vendor/libx.a")
        #expect(try removed() == ["P.xctest"])
    }

    @Test(arguments: ["App.build/App.swift.o", "Modules/App.swiftmodule", "P.xctest"])
    func `what somebody else wrote is removed`(name: String) throws {
        try settled()
        try write("foreign", name)
        chmod("\(products)/\(name)", 0o755)
        #expect(try removed() == (name == "P.xctest" ? ["P.xctest"] : Self.app))
    }

    @Test func `a module with other content makes what reads it older than it`() throws {
        try settled()
        var next = build()
        try next.prepare()
        try playBuild(["Lib": "another layout"])
        #expect(try next.settle())
        #expect(Self.all.subtracting(made) == Self.app.union(["Mid.build/Mid.swift.o", "Modules/Mid.swiftmodule"]))
        try playBuild()
        #expect(try !next.settle())
        #expect(made == Self.all)
    }

    @Test func `a module that was written again with the same content changes nothing`() throws {
        try settled()
        var next = build()
        try next.prepare()
        try playBuild(["Lib": "module"])
        #expect(try !next.settle())
        #expect(made == Self.all)
    }

    @Test func `what is written between the beginning of a killed build and the next one is made again`() throws {
        try settled()
        var killed = build()
        try killed.prepare()
        try playBuild(["Lib": "another layout"])
        try write("foreign", "CSolo.build/s.c.o")
        #expect(try removed() == ["Lib.build/Lib.swift.o", "Modules/Lib.swiftmodule", "CSolo.build/s.c.o"])
        var next = build()
        try next.prepare()
        try playBuild(["Lib": "another layout"])
        #expect(try next.settle())
        #expect(Self.all.subtracting(made).isSuperset(of: Self.app))
    }

    @Test func `what a first build that was killed has left is all made again`() throws {
        var killed = build()
        try killed.prepare()
        try playBuild()
        #expect(made == Self.all)
        #expect(try removed() == Self.all)
    }

    @Test func `a module that is reached now may be one that sources looked for`() throws {
        try settled()
        var next = build()
        try next.prepare()
        usleep(20_000)
        try writePlan(app: ["Mid"], link: "")
        try writePlan(mid: [], app: ["Mid", "Lib"])
        // Something was built, or nothing is compared.
        try write("linked again", "P.xctest")
        #expect(try next.settle())
        #expect(!made.contains("Mid.build/Mid.swift.o"))
    }

    @Test func `an import that no dependency declares is compiled in an order of chance, as in an empty folder`() throws
    {
        var first = build()
        try first.prepare()
        try playBuild()
        try writePlan(app: [])
        #expect(try !first.settle())
        #expect(try removed() == [])
        try edit("Sources/App/App.swift", "import Mid // more\n")
        #expect(try removed().isSuperset(of: Self.app.union(["Modules/Mid.swiftmodule", "Mid.build/Mid.swift.o"])))
    }

    @Test(arguments: ["import Mid // not declared any more\n", "#if canImport(Mid)\n#endif\n"])
    func `what is found undeclared after a build is built once more without it`(source: String) throws {
        try settled()
        try edit("Sources/App/App.swift", source)
        var next = build()
        try next.prepare()
        try playBuild(["App": "module"])
        try writePlan(app: [])
        #expect(try next.settle())
        #expect(made.subtracting(["P.xctest", "CSolo.build/s.c.o"]).isEmpty)
        try playBuild()
        try writePlan(app: [])
        #expect(try !next.settle())
        #expect(try removed() == [])
    }

    @Test func `a module that is made of another one is not there when the other one asks for it`() throws {
        try edit("Sources/Lib/Lib.swift", "#if canImport(App) || canImport(Mid) || canImport(Other)\n#endif\n")
        try settled()
        try edit("Sources/Lib/Lib.swift", "#if canImport(App)\nlet more = 1\n#endif\n")
        #expect(
            try removed().isSuperset(of: ["Modules/App.swiftmodule", "App.build/App.swift.o", "Lib.build/Lib.swift.o"]))
    }

    @Test func `a module that is another has all of its files compiled again, those of a build that was killed too`()
        throws
    {
        try settled()
        // Compiled once more, and `Other.swift` not.
        func compileOne() throws {
            let other = try FileManager.default.attributesOfItem(atPath: "\(products)/App.build/Other.swift.o")
            try playBuild(["App": "another layout"])
            let date = try #require(other[.modificationDate] as? Date)
            try FileManager.default.setAttributes(
                [.modificationDate: date], ofItemAtPath: "\(products)/App.build/Other.swift.o")
        }
        try edit("Sources/App/App.swift", "private struct Inner { var more = 1 }\n")
        var next = build()
        try next.prepare()
        try compileOne()
        #expect(try next.settle())
        #expect(!made.contains("App.build/Other.swift.o") && made.contains("App.build/App.swift.o"))
        try playBuild()
        #expect(try !next.settle())
        #expect(try removed() == [])
    }

    @Test func `a target of another language begins with nothing`() throws {
        try settled()
        try write("{}", "CVals.build/output-file-map.json")
        try write("module", "Modules/CVals.swiftmodule")
        var next = build()
        try next.prepare()
        #expect(!made.contains("Modules/CVals.swiftmodule"))
        #expect(!made.contains("CVals.build/c.c.o"))
    }
}
