import Foundation
import RunModel
import Testing

@testable import TestRunning

@Suite struct PackageDescriptionTests {
    @Test func `every kind of target becomes a module`() throws {
        let description = try PackageDescription(json: try Fixture.bytes("describe.json"))
        func module(
            _ name: String,
            _ kind: Module.Kind,
            isSwift: Bool = true,
            path: String? = nil,
            _ sources: [String],
            _ dependencies: [String] = []
        ) -> Module {
            Module(
                name: name, compilerName: name, kind: kind, isSwift: isSwift, path: path ?? "Sources/\(name)",
                sources: sources, dependencies: dependencies
            )
        }
        #expect(
            description
                == PackageDescription(
                    name: "CovPkg",
                    modules: [
                        module("CLib", .library, isSwift: false, ["c.c"]),
                        module("Exe", .executable, ["main.swift"], ["Lib"]),
                        module("Gen", .library, ["g.swift"], ["GenPlugin"]),
                        module(
                            "GenPlugin", .plugin, isSwift: false, path: "Plugins/GenPlugin", ["p.swift"], ["GenTool"]
                        ),
                        module("GenTool", .executable, ["main.swift"]),
                        module("Lib", .library, ["Lib.swift", "日本語ファイル.swift"], ["CLib"]),
                        module(
                            "LibTests", .test, path: "Tests/LibTests", ["t.swift"], ["Lib", "Gen", "SpaceMod", "CLib"]
                        ),
                        module("SpaceMod", .library, path: "Sources/Space Mod", ["a b.swift"]),
                    ],
                    localDependencies: ["/home/ci/DepLocal"], toolsVersion: "6.0"
                )
        )
        #expect(description.hasTests)
    }

    @Test func `a description cut anywhere is an error`() throws {
        let bytes = Data(try Fixture.bytes("describe.json").dropLast())
        for length in stride(from: 0, to: bytes.count, by: 7) {
            #expect(throws: RunnerError.self) { try PackageDescription(json: Data(bytes.prefix(length))) }
        }
    }
}
