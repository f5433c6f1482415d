import Foundation
import RunModel
import TestSupport
import Testing

@testable import TestRunning

@Suite struct CoverageTests {
    private func module(_ name: String, _ kind: Module.Kind, isSwift: Bool = true) -> Module {
        Module(
            name: name, compilerName: name.replacing("-", with: "_"), kind: kind, isSwift: isSwift,
            path: "Sources/\(name)", sources: ["a.swift"], dependencies: []
        )
    }

    @Test func `objects are those that the build wrote down`() throws {
        #expect(
            try ObjectList.objects(in: try Fixture.bytes("output-file-map.json"), "map") == [
                "/home/ci/Mixed/Sources/greet-tool/main.swift":
                    "/home/ci/.build/x86_64-unknown-linux-gnu/debug/greet_tool.build/main.swift.o"
            ]
        )
    }

    @Test func `own Swift targets count, tests and others do not, and an object without an entry is stale`() throws {
        let folder = try TemporaryFolder()
        func build(_ name: String) throws -> String {
            let object = try folder.write("", to: "\(name)/a b.swift.o")
            _ = try folder.write("", to: "\(name)/stale.swift.o")
            _ = try folder.write(
                #"{"": {"swift-dependencies": "x"}, "/src/a b.swift": {"object": "\#(object)"}}"#,
                to: "\(name)/output-file-map.json"
            )
            return object
        }
        let core = try build("Core.build")
        let tool = try build("my_tool.build")
        let macros = try build("Macros-tool.build")
        let tests = try build("CoreTests.build")
        let modules = [
            module("Core", .library), module("my-tool", .executable), module("Macros", .macro),
            module("CoreTests", .test), module("Plug", .plugin, isSwift: false), module("Gone", .library),
            module("CLib", .library, isSwift: false), module("Example", .snippet),
        ]
        let list = try ObjectList(modules: modules, packageRoot: "/src", productsPath: folder.path)
        #expect(list.objects == [core, tool, macros])
        let ofTests = try ObjectList(modules: modules, ofTests: true, packageRoot: "/src", productsPath: folder.path)
        #expect(ofTests.objects == [tests])
        #expect(list.modulesWithoutObjects == ["Gone"])
        #expect(
            String(decoding: list.responseFile, as: UTF8.self)
                == "\"\(core)\"\n\"-object\"\n\"\(tool)\"\n\"-object\"\n\"\(macros)\"\n"
        )
    }

    /// A module of two sources that was built, and the paths of its objects.
    private func built(in folder: TemporaryFolder) throws -> (list: ObjectList, objects: [String]) {
        let kit = Module(
            name: "Core-Kit", compilerName: "Core", kind: .library, isSwift: true, path: "Sources/Core",
            sources: ["a.swift", "b.swift"], dependencies: [])
        let objects = try ["a", "b"].map { try folder.write("object", to: "Core.build/\($0).swift.o") }
        _ = try folder.write(
            #"{"": {"swift-dependencies": "x"}, "/src/Sources/Core/a.swift": {"object": "\#(objects[0])"}, "#
                + #""/src/Sources/Core/b.swift": {"object": "\#(objects[1])"}}"#,
            to: "Core.build/output-file-map.json")
        return (try ObjectList(modules: [kit], packageRoot: "/src", productsPath: folder.path), objects)
    }

    @Test func `of a module with an object that is gone, or another than before the tests, the coverage is not known`()
        throws
    {
        let folder = try TemporaryFolder()
        let (list, objects) = try built(in: folder)
        #expect(list.objects == objects)
        #expect(list.modulesWithoutObjects == [])
        #expect(list.afterTests() == list)
        try FileManager.default.removeItem(atPath: objects[1])
        #expect(list.afterTests().objects == [objects[0]])
        #expect(list.afterTests().modulesWithoutObjects == ["Core-Kit"])
        _ = try folder.write("another", to: "Core.build/b.swift.o")
        #expect(list.afterTests().objects == objects)
        #expect(list.afterTests().modulesWithoutObjects == ["Core-Kit"])
    }

    @Test func `what the tests do to the records of the build takes nothing out of the coverage`() throws {
        let folder = try TemporaryFolder()
        let (list, objects) = try built(in: folder)
        // As if the second source had never been compiled.
        let map = try folder.write(
            #"{"/src/Sources/Core/a.swift": {"object": "\#(objects[0])"}}"#, to: "Core.build/output-file-map.json")
        #expect(list.afterTests() == list)
        #expect(list.afterTests().sources(compiledTo: [objects[1]]) == ["Sources/Core/b.swift"])
        // `swift test` writes them anew.
        try FileManager.default.removeItem(atPath: map)
        #expect(list.afterTests() == list)
    }

    @Test func `a folder of profiles that a test removed has none`() throws {
        let folder = try TemporaryFolder()
        let none = try ProfileInventory(directory: "\(folder.path)/gone")
        #expect(none.usable == [])
        #expect(none.sizes == [])
        let file = try folder.write("not a folder", to: "profiles")
        #expect(try ProfileInventory(directory: file) == none)
        let empty = try folder.write("", to: "profraws/a.profraw")
        let full = try folder.write("x", to: "profraws/b.profraw")
        let some = try ProfileInventory(directory: (empty as NSString).deletingLastPathComponent)
        #expect(some.usable == [full])
        #expect(some.sizes == [0, 1])
    }

    @Test func `a damaged profile is a gap with its name and reason`() throws {
        #expect(
            CoverageComplaints.gaps(in: try Fixture.text("llvm-profdata-damaged.txt")) == [
                Gap(
                    .profileDamaged, subject: "bad2.profraw",
                    detail: "invalid instrumentation profile data (file header is corrupt)"
                ),
                Gap(.profileDamaged, subject: "text.profraw", detail: "truncated profile data"),
            ]
        )
    }

    @Test func `an empty profile is counted, not merged`() throws {
        let folder = try TemporaryFolder()
        let good = try folder.write("profile", to: "1.profraw")
        _ = try folder.write("", to: "2.profraw")
        _ = try folder.write("other", to: "3.txt")
        let nested = try folder.write("profile", to: "xctest/1.profraw")
        let inventory = try ProfileInventory(directory: folder.path)
        #expect(inventory.usable == [good, nested])
        #expect(inventory.sizes == [7, 0, 7])
    }

    @Test func `a profile dropped into the package by a test is taken along, an older one stays`() throws {
        let package = try TemporaryFolder()
        let profiles = try TemporaryFolder()
        let stray = StrayProfile(packageRoot: package.path)
        let path = try package.write("profile", to: "default.profraw")
        let later = StrayProfile(packageRoot: package.path)
        try later.collect(into: profiles.path)
        #expect(FileManager.default.fileExists(atPath: path))
        try stray.collect(into: profiles.path)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try ProfileInventory(directory: profiles.path).sizes == [7])
    }

    @Test func `an empty profile of a program that a test killed is removed, and nothing is missing`() throws {
        let package = try TemporaryFolder()
        let profiles = try TemporaryFolder()
        let stray = StrayProfile(packageRoot: package.path)
        let path = try package.write("", to: "default.profraw")
        try stray.collect(into: profiles.path)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try ProfileInventory(directory: profiles.path).sizes == [])
    }
}
