import Foundation
import TestSupport
import Testing

@testable import TestRunning

@Suite struct SourceContentsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write("one", to: "p/a.txt")
        _ = try folder.write("two", to: "p/deep/b.txt")
    }

    private var root: String { realPath("\(folder.path)/p") ?? "" }

    private func scan(_ files: [String] = []) throws -> SourceScan {
        try #require(SourceScan(folders: [root], files: files))
    }

    private func changes(_ contents: inout SourceContents, now: Int64 = .max) throws -> [String] {
        contents.update(try scan(), now: now).map { change in
            let name = String(decoding: change.path.dropFirst(root.utf8.count + 1), as: UTF8.self)
            return
                "\(name)\(change.isThere ? "" : " gone")\(change.wasThere ? "" : " new")\(change.isDisguised ? " disguised" : "")"
        }
    }

    private func write(_ text: String, _ name: String, isDisguised: Bool = false) throws {
        usleep(5_000)
        var info = stat()
        stat("\(root)/\(name)", &info)
        _ = try folder.write(text, to: "p/\(name)")
        var times = [info.st_atim, info.st_mtim]
        if isDisguised { utimensat(AT_FDCWD, "\(root)/\(name)", &times, 0) }
    }

    @Test func `content decides, whatever the times say`() throws {
        var contents = SourceContents()
        #expect(try changes(&contents) == ["a.txt new", "deep/b.txt new"])
        #expect(try changes(&contents) == [])
        try write("one", "a.txt")
        #expect(try changes(&contents) == [])
        try write("six", "a.txt")
        #expect(try changes(&contents) == ["a.txt"])
        try write("ten", "a.txt", isDisguised: true)
        #expect(try changes(&contents) == ["a.txt disguised"])
        unlink("\(root)/deep/b.txt")
        #expect(try changes(&contents) == ["deep/b.txt gone"])
        #expect(try changes(&contents) == [])
    }

    @Test func `a file that comes back with its old time and other content is disguised`() throws {
        var contents = SourceContents()
        _ = try changes(&contents)
        try FileManager.default.moveItem(atPath: "\(root)/a.txt", toPath: "\(folder.path)/kept")
        _ = try changes(&contents)
        try FileManager.default.moveItem(atPath: "\(folder.path)/kept", toPath: "\(root)/a.txt")
        try write("six", "a.txt", isDisguised: true)
        #expect(try changes(&contents) == ["a.txt new disguised"])
    }

    @Test func `a link to a file has its content, a link to a folder its target`() throws {
        _ = try folder.write("three", to: "other/c.txt")
        symlink("a.txt", "\(root)/file")
        symlink("../other", "\(root)/folder")
        var contents = SourceContents()
        #expect(
            try changes(&contents).map { $0.split(separator: "/").last.map(String.init) ?? "" }.sorted()
                == ["a.txt new", "b.txt new", "c.txt new", "file new", "folder new"])
        unlink("\(root)/file")
        symlink("deep/b.txt", "\(root)/file")
        #expect(try changes(&contents) == ["file"])
        link("\(root)/deep/b.txt", "\(root)/deep/same.txt")
        #expect(try changes(&contents) == ["deep/same.txt new"])
        unlink("\(root)/file")
        symlink("deep/same.txt", "\(root)/file")
        #expect(try changes(&contents) == ["file disguised"])
        unlink("\(root)/folder")
        symlink("deep", "\(root)/folder")
        let changed = contents.update(try scan(), now: .max)
        #expect(changed.filter(\.isFolderLink).map { String(decoding: $0.path, as: UTF8.self) } == ["\(root)/folder"])
    }

    @Test func `a file that has just changed is read again`() throws {
        var contents = SourceContents()
        let now = try #require(FileStamp("\(root)/a.txt")).changed + 1
        _ = try changes(&contents, now: now)
        #expect(contents.files.values.allSatisfy { $0.stamp == nil })
        #expect(try !scan().isSettled(at: now))
        _ = try changes(&contents)
        #expect(contents.files.values.allSatisfy { $0.stamp != nil })
    }

    @Test func `what was written is read again, byte by byte, and nothing else is`() throws {
        var contents = SourceContents()
        _ = try changes(&contents)
        #expect(SourceContents(bytes: contents.bytes) == contents)
        let bytes = contents.bytes
        for count in 0..<bytes.count where SourceContents(bytes: bytes.prefix(count)) != nil {
            #expect(bytes.prefix(count).split(separator: 0, omittingEmptySubsequences: false).count % 4 == 1)
        }
        #expect(SourceContents(bytes: Array("a\0nonsense\0\0\0".utf8)) == nil)
    }

    @Test func `a scan tells every change of names, contents and single files`() throws {
        let single = try folder.write("x", to: "single.h")
        let first = try scan([single]).hash
        #expect(try scan([single]).hash == first)
        #expect(try scan().hash != first)
        usleep(5_000)
        _ = try folder.write("y", to: "single.h")
        #expect(try scan([single]).hash != first)
        usleep(5_000)
        let second = try scan([single]).hash
        _ = try folder.write("z", to: "p/Sources/.build/inner.h")
        #expect(try scan([single]).hash != second)
        let third = try scan([single]).hash
        _ = try folder.write("z", to: "p/.build/debug/inner.o")
        #expect(try scan([single]).hash != third)
        _ = try folder.write("// swift-tools-version: 6.0", to: "p/Package.swift")
        let fourth = try scan([single]).hash
        _ = try folder.write("zz", to: "p/.build/debug/inner.o")
        #expect(try scan([single]).hash == fourth)
        #expect(SourceScan(folders: ["\(folder.path)/nothing"], files: ["\(folder.path)/none"])?.files.isEmpty == true)
    }
}

@Suite struct ManifestReadingTests {
    @Test(arguments: [
        "import PackageDescription\n", "import PackageDescription\nimport CompilerPluginSupport // import Foundation\n",
        "/* import Foundation */ import PackageDescription",
    ])
    func `a manifest that only describes a package cannot read files`(source: String) {
        #expect(!PackageManifest.canReadFiles(source))
    }

    @Test(arguments: [
        "import Foundation", "import PackageDescription; import class Foundation.FileManager", "import Glibc",
        "import `Glibc`",
        "@preconcurrency import\nFoundation", "let a = Context.gitInformation", "@_silgen_name(\"open\") func o()",
        "@_exported import PackageDescription", "@ _silgen_name(\"open\") func o()",
        "let odd = #\"\\\"#, mark = \"/*\"\nimport Foundation",
        "let odd = \"\"\"\n  one \" /*\n  \"\"\"\nimport Foundation",
        "let odd = \"\\(\"/*\")\"\nimport Foundation", "let odd = #/\"/*/#\nimport Foundation",
        "let odd = /\"/, mark = \"/*\"\nimport Foundation", "let odd = #\"\\\"#, mark = \"/*\"\nimport/* */Foundation",
        "@extern(c) func o()",
    ])
    func `a manifest that has more at hand can`(source: String) {
        #expect(PackageManifest.canReadFiles("import PackageDescription\n\(source)\n"))
    }

    @Test func `so may a manifest that nobody can read, or in a folder that nobody can list`() throws {
        let folder = try TemporaryFolder()
        #expect(PackageManifest.canReadFiles(in: "\(folder.path)/none"))
        try folder.write("import PackageDescription\n", to: "kit/Package.swift")
        #expect(!PackageManifest.canReadFiles(in: "\(folder.path)/kit"))
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/kit/Package@swift-6.0.swift", withDestinationPath: "none")
        #expect(PackageManifest.canReadFiles(in: "\(folder.path)/kit"))
    }
}
