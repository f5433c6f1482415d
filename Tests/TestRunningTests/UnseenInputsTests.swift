import Foundation
import TestSupport
import Testing

@testable import TestRunning

/// What neither compilers nor SwiftPM tell.
extension IncrementalBuildTests {
    @Test
    func `a header that no compiler names, but of which clang compiled a module, is read by all sources of Swift`()
        throws
    {
        for name in ["vendor/v.h", "vendor/w.h"] { _ = try folder.write("#define ONE 1\n", to: "package/\(name)") }
        try settled()
        let module = "scratch/x86/debug/ModuleCache/1A/CSys-1.pcm"
        _ = try folder.write("CPCH\u{0}\(root)/Sources/CSys\u{0}shim.h../../vendor/v.h", to: module)
        _ = try folder.write("CPCH\u{0}/toolchain/w.h", to: "scratch/x86/debug/ModuleCache/1A/Clib-1.pcm")
        var known = build()
        try known.prepare()
        try playBuild()
        _ = try known.settle()
        try edit("vendor/w.h", "#define ONE 2\n")
        #expect(try removed() == [])
        try edit("vendor/v.h", "#define ONE 2\n")
        let swift = Self.all.filter { !$0.hasPrefix("C") && $0 != "P.xctest" }
        #expect(try removed().isSuperset(of: swift))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/\(module)"))
    }

    @Test func `a checkout in which somebody else has written is made again, one that is new is not`() throws {
        let file = "\(folder.path)/scratch/checkouts/Dep/Sources/Dep/dep.swift"
        _ = try folder.write("public let one = 1\n", to: "scratch/checkouts/Dep/Sources/Dep/dep.swift")
        _ = try folder.write("public let two = 2\n", to: "scratch/checkouts/Other/other.swift")
        try settled()
        #expect(try removed() == [])
        _ = try folder.write("public let new = 3\n", to: "scratch/checkouts/New/new.swift")
        #expect(try removed() == [])
        #expect(FileManager.default.fileExists(atPath: file))
        _ = try folder.write("left by a test\n", to: "scratch/checkouts/Dep/left.txt")
        _ = try removed()
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/scratch/checkouts")
        #expect(left.sorted() == ["New", "Other"])
    }

    @Test(arguments: ["Sources/App/Other.swift", "Sources/CVals/c.c", "README.md"])
    func `what a command of a plugin has made is made again when anything changes, wherever else it may have put it`(
        edited: String
    ) throws {
        try settled()
        let names = ["scratch/plugins/outputs/p/Lib/destination/Gen/g.swift", "package/g.swift"]
        let plan = try String(contentsOfFile: "\(folder.path)/scratch/debug.yaml", encoding: .utf8)
        let made = names.map { "\"\(folder.path)/\($0)\"" }.joined(separator: ",")
        _ = try folder.write(
            plan + "  \"gen\":\n    tool: shell\n    inputs: []\n    outputs: [\(made)]\n    args: [\"/bin/sh\"]\n",
            to: "scratch/debug.yaml")
        for name in names { _ = try folder.write("let g = 1\n", to: name) }
        var next = build()
        try next.prepare()
        for name in names { _ = try folder.write("let g = 1\n", to: name) }
        next = build()
        try next.prepare()
        #expect(names.allSatisfy { FileManager.default.fileExists(atPath: "\(folder.path)/\($0)") })
        try edit(edited, "// another\n")
        next = build()
        try next.prepare()
        #expect(names.map { FileManager.default.fileExists(atPath: "\(folder.path)/\($0)") } == [false, true])
    }

    @Test(arguments: ["@flags.txt", "-vfsoverlay=flags.txt", "-Xcc\",\"-ivfsoverlayflags.txt", "-plugin-path\",\"docs"])
    func `a command that names a file that no compiler tells is run again when any changes`(words: String) throws {
        _ = try folder.write("-DONE\n", to: "package/flags.txt")
        _ = try folder.write("new", to: "package/docs/old.md")
        try settled()
        try writePlan(words: ",\"-I\",\"docs\",\"-DWORD=flags.txt\",\"-module-name\",\"docs\"")
        _ = try folder.write("new", to: "package/docs/new.md")
        #expect(try removed() == [])
        try writePlan(words: ",\"\(words)\"")
        _ = try folder.write("newer", to: "package/docs/new.md")
        #expect(try removed() == ["Lib.build/Lib.swift.o", "Modules/Lib.swiftmodule"])
    }

    @Test func `a module of C that comes or goes is looked for again by all sources of Swift`() throws {
        try settled()
        _ = try folder.write("module CNew {}\n", to: "package/vendor/module.modulemap")
        #expect(try removed() == Self.all.subtracting(["CVals.build/c.c.o", "CSolo.build/s.c.o", "P.xctest"]))
    }

    @Test func `a library that nothing makes any more is gone, and programs are linked again`() throws {
        try settled()
        var next = build()
        try next.prepare()
        try write("archive", "libOld.a")
        try write("größe", "größe.so")
        try write("resource", "P_App.resources/ü.txt")
        try write("resource", "P_App.resources/\"quoted\".txt")
        try write("resource", "P_App.resources/gone/below/a.txt")
        try write("resource", "P_App.resources/kept/b.txt")
        let plan = try String(contentsOfFile: "\(folder.path)/scratch/debug.yaml", encoding: .utf8)
        let place = "\(folder.path)/scratch/x86/debug/P_App.resources"
        _ = try folder.write(
            plan.replacing("inputs: []", with: #"inputs: ["\#(place)/\"quoted\".txt", "\#(place)/kept/b.txt"]"#),
            to: "scratch/debug.yaml")
        #expect(try next.settle())
        let left = try FileManager.default.contentsOfDirectory(atPath: products)
        #expect(!left.contains("libOld.a") && !left.contains("größe.so") && !left.contains("P.xctest"))
        let resources = try FileManager.default.contentsOfDirectory(atPath: "\(products)/P_App.resources")
        #expect(resources.sorted() == ["\"quoted\".txt", "kept"])
    }

    @Test func `a copy of a file that can be run now, or has the name of a source, is copied again`() throws {
        _ = try folder.write("exit 0\n", to: "package/Sources/App/run.sh")
        _ = try folder.write("let a = 1\n", to: "package/Sources/App/Data/sample.swift")
        try settled()
        for change in ["run.sh", "sample.swift"] {
            try write("copy", "P_App.bundle/\(change)")
            var known = build()
            try known.prepare()
            try write("copy", "P_App.bundle/\(change)")
            try playBuild()
            _ = try known.settle()
            usleep(30_000)
            #expect(try removed() == [])
            #expect(FileManager.default.fileExists(atPath: "\(products)/P_App.bundle/\(change)"))
            if change == "run.sh" {
                chmod("\(root)/Sources/App/run.sh", 0o755)
            } else {
                unlink("\(root)/Sources/App/Data/sample.swift")
            }
            #expect(try removed() == [])
            #expect(!FileManager.default.fileExists(atPath: "\(products)/P_App.bundle/\(change)"))
        }
    }

    @Test(arguments: [
        nil, "", "commands:\n", "commands:\n  \"C\":\n    outputs: [\"/elsewhere/a.o\"]\n", "{\"plan\": 2}\n",
    ])
    func `of a build whose plan is not there, or of another form, nobody can say what it made again`(
        plan: String?
    ) throws {
        try settled()
        var next = build()
        try next.prepare()
        try playBuild(["Lib": "another layout"])
        let path = "\(folder.path)/scratch/debug.yaml"
        let own = try String(contentsOfFile: path, encoding: .utf8)
        unlink(path)
        if let plan { _ = try folder.write(plan, to: "scratch/debug.yaml") }
        #expect(try !next.settle())
        #expect(next.unread == "SwiftPM's plan of the build is not there, or of an unknown form")
        _ = try folder.write(own, to: "scratch/debug.yaml")
        #expect(try next.settle())
        #expect(next.unread == nil)
        try FileManager.default.removeItem(atPath: "\(folder.path)/scratch/x86")
        #expect(try !next.settle())
        #expect(next.unread == "the folder of the products cannot be read")
    }

    @Test func `a module of which no compiler tells what it read is compiled again when anything was built`() throws {
        try settled()
        unlink("\(products)/Mid.build/Mid.emit-module.d")
        var next = build()
        try next.prepare()
        // What is not as the last build left it goes by itself.
        try playBuild()
        unlink("\(products)/Mid.build/Mid.emit-module.d")
        _ = try next.settle()
        #expect(made == Self.all)
        usleep(30_000)
        next = build()
        try next.prepare()
        try write("linked again", "P.xctest")
        #expect(try next.settle())
        #expect(Self.all.subtracting(made) == ["Mid.build/Mid.swift.o", "Modules/Mid.swiftmodule"])
        try playBuild()
        #expect(try !next.settle())
    }

    /// A file whose name is no text, as C has it.
    private var unreadableName: [CChar] { (Array("\(root)/caf".utf8) + [0xE9, 0]).map { CChar(bitPattern: $0) } }

    private func writeUnreadableName() throws {
        let file = open(unreadableName, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
        try #require(file >= 0)
        close(file)
    }

    @Test func `where not all names can be read, each build begins with nothing`() throws {
        try settled()
        try writeUnreadableName()
        defer { unlink(unreadableName) }
        for _ in 0..<2 {
            #expect(try removed() == Self.all)
            // Not even what was copied, or compiled of headers, is left.
            #expect(!FileManager.default.fileExists(atPath: products))
            var next = build()
            try next.prepare()
            try playBuild()
            try write("copy", "P_App.bundle/a.txt")
            #expect(try !next.settle())
            #expect(made == Self.all)
        }
    }

    @Test func `after a build during which names could not be read, the next one begins with nothing`() throws {
        try settled()
        var next = build()
        try next.prepare()
        try writeUnreadableName()
        try playBuild()
        #expect(try !next.settle())
        unlink(unreadableName)
        #expect(try removed() == Self.all)
    }
}
