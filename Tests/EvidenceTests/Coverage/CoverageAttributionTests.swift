import Foundation
import RunModel
import TestSupport
import Testing

@testable import CodeCoverage
@testable import Evidence

@Suite struct CoverageAttributionTests {
    /// The targets of the package that `mixed.json` was recorded from, as `swift package describe` lists them.
    private static let modules = [
        swift("SpaceMod", "Sources/Space Mod", ["a b.swift"]),
        Module(
            name: "LibTests", compilerName: "LibTests", kind: .test, isSwift: true, path: "Tests/LibTests",
            sources: ["t.swift"], dependencies: ["Lib", "Gen", "SpaceMod", "CLib"]
        ),
        swift("Lib", "Sources/Lib", ["Lib.swift", "日本語ファイル.swift"]),
        swift("GenTool", "Sources/GenTool", ["main.swift"], kind: .executable),
        swift("GenPlugin", "Plugins/GenPlugin", ["p.swift"], kind: .plugin),
        swift("Gen", "Sources/Gen", ["g.swift"]),
        swift("Exe", "Sources/Exe", ["main.swift"], kind: .executable),
        Module(
            name: "CLib", compilerName: "CLib", kind: .library, isSwift: false, path: "Sources/CLib",
            sources: ["c.c"], dependencies: []
        ),
    ]

    private static func swift(
        _ name: String, _ path: String, _ sources: [String], kind: Module.Kind = .library
    ) -> Module {
        Module(
            name: name, compilerName: name, kind: kind, isSwift: true, path: path, sources: sources, dependencies: []
        )
    }

    private func manifest(
        root: String = "/home/ci/CovPkg", modules: [Module] = modules, withoutObjects: [String] = [],
        instrumented: [String]? = nil
    ) -> RunManifest {
        var manifest = RunManifest.sample(packageRoot: root, RunFacts(modules: modules))
        manifest.modulesWithoutObjects = withoutObjects
        manifest.instrumentedSources = instrumented
        manifest.sources = [KeptSource(path: "Sources/Gen/g.swift", sha256: "abc")]
        return manifest
    }

    private func export(_ files: [String], lines: Bool = true) throws -> CoverageExport {
        let segments = lines ? "[[1,1,1,true,true,false],[2,1,0,false,false,false]]" : "[]"
        let entries = files.map {
            #"{"filename":"\#($0)","segments":\#(segments),"summary":\#(CoverageFixture.summary)}"#
        }
        return try CoverageFixture.read(
            #"{"data":[{"files":[\#(entries.joined(separator: ","))]}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#
        )
    }

    @Test(arguments: ["mixed", "mixed-xcc"])
    func `only files of own measurable targets count`(name: String) throws {
        let attribution = CoverageAttribution(
            export: try CoverageFixture.export("\(name).json"), manifest: manifest(withoutObjects: ["Exe"])
        )
        let files = attribution.coverage.files.map {
            "\($0.module) \($0.path) \($0.lineTally.covered)/\($0.lineTally.total)"
        }
        #expect(
            files == [
                "Gen Sources/Gen/g.swift 1/1", "Lib Sources/Lib/Lib.swift 6/7",
                "Lib Sources/Lib/日本語ファイル.swift 1/1", "SpaceMod Sources/Space Mod/a b.swift 1/1",
            ]
        )
        #expect(attribution.coverage.files.map(\.sourceHash) == ["abc", nil, nil, nil])
        #expect(
            attribution.notMeasurable == [
                "GenPlugin": "a plugin", "CLib": "a C-family target", "GenTool": "no executable line",
            ]
        )
        let detail = "object files of the module are not there as they were built, so its coverage is not known"
        #expect(attribution.gaps == [Gap(.coverageMissing, subject: "Exe", detail: detail)])
        let all = try CoverageFixture.export("\(name).json").files.count
        #expect(attribution.coverage.unattributed.count == all - 4)
        #expect(attribution.coverage.unattributed.map(\.path).contains("Tests/LibTests/t.swift"))
        let kinds = Dictionary(grouping: attribution.coverage.unattributed, by: \.kind)
        #expect(kinds[.dependency]?.map(\.path).contains("/home/ci/DepLocal/Sources/DepLocal/d.swift") == true)
        #expect(kinds[.test]?.map(\.path).contains("Tests/LibTests/t.swift") == true)
        #expect(attribution.coverage.unattributed.allSatisfy { $0.lines.total > 0 })
    }

    @Test func `a module whose paths were rewritten is a gap, not one without an executable line`() throws {
        let modules = [
            Self.swift("A", "Sources/A", ["a.swift"]), Self.swift("B", "Sources/B", ["b.swift", "c.swift"]),
            Self.swift("P", "Sources/P", ["p.swift"]),
        ]
        let attribution = CoverageAttribution(
            export: try export(["/p/Sources/A/a.swift", "/elsewhere/Sources/B/b.swift"]),
            manifest: manifest(root: "/p", modules: modules, instrumented: ["Sources/A/a.swift", "Sources/B/b.swift"])
        )
        let detail =
            "1 of its 2 sources were compiled with coverage, but the export does not name them, the first is Sources/B/b.swift"
        #expect(attribution.gaps == [Gap(.coverageMissing, subject: "B", detail: detail)])
        #expect(attribution.notMeasurable == ["P": "no executable line"])
        #expect(attribution.coverage.unattributed.map(\.path) == ["/elsewhere/Sources/B/b.swift"])
    }

    @Test func `a module at 0 % is measured, one without an executable line is not`() throws {
        let modules = [Self.swift("A", "Sources/A", ["a.swift"]), Self.swift("B", "Sources/B", ["b.swift"])]
        let missed =
            #"{"filename":"/p/Sources/A/a.swift","segments":[[1,1,0,true,true,false],[3,1,0,false,false,false]],"#
        let text =
            #"{"data":[{"files":["# + missed + #""summary":\#(CoverageFixture.summary)}]}],"#
            + #""type":"llvm.coverage.json.export","version":"3.0.1"}"#
        let attribution = CoverageAttribution(
            export: try CoverageFixture.read(text), manifest: manifest(root: "/p", modules: modules)
        )
        #expect(attribution.coverage.files.map(\.lineTally) == [CoverageTally(covered: 0, total: 3)])
        #expect(attribution.notMeasurable == ["B": "no executable line"])
        #expect(attribution.gaps.isEmpty)
    }

    @Test func `what the build makes is left out, also below the folder of a target`() throws {
        let modules = [Self.swift("Root", "", ["main.swift"]), Self.swift("Sub", "Sub", ["s.swift"])]
        let attribution = CoverageAttribution(
            export: try export([
                "/p/main.swift", "/p/Sub/s.swift", "/p/Sub/unlisted.swift", "/p/.build/checkouts/d/Sub/s.swift",
                "/p/x.derived/runner.swift", "/p/b/Root.build/DerivedSources/resource_bundle_accessor.swift",
                "/p/.build/plugins/outputs/p/Root/destination/G/Generated.swift", "/pp/main.swift",
            ]),
            manifest: manifest(root: "/p/", modules: modules)
        )
        let owners = attribution.coverage.files.map { "\($0.module) \($0.path)" }
        #expect(owners == ["Sub Sub/s.swift", "Sub Sub/unlisted.swift", "Root main.swift"])
        #expect(
            attribution.coverage.unattributed.map { "\($0.kind) \($0.path) \($0.lines.covered)/\($0.lines.total)" } == [
                "dependency .build/checkouts/d/Sub/s.swift 2/2",
                "generated .build/plugins/outputs/p/Root/destination/G/Generated.swift 2/2",
                "dependency /pp/main.swift 2/2",
                "generated b/Root.build/DerivedSources/resource_bundle_accessor.swift 2/2",
                "generated x.derived/runner.swift 2/2",
            ]
        )
    }

    @Test func `a package of which only generated code can be executed is not taken for another one`() throws {
        let modules = [Self.swift("A", "Sources/A", ["a.swift"])]
        let made = "/cache/kanmon/build/1/plugins/outputs/tree/A/destination/Gen/g.swift"
        let attribution = CoverageAttribution(
            export: try export([made]), manifest: manifest(root: "/real/pkg", modules: modules))
        #expect(attribution.coverage.files.isEmpty && attribution.gaps.isEmpty)
        #expect(attribution.notMeasurable == ["A": "no executable line"])
        let strange = CoverageAttribution(
            export: try export([made, "/other/Sources/A/a.swift", "/more/Sources/A/a.swift"]),
            manifest: manifest(root: "/real/pkg", modules: modules))
        #expect(strange.gaps.map(\.code) == [.coverageMissing])
    }

    @Test(arguments: ["/link", "/link/.git/kanmon/tree"])
    func `a package reached through a symbolic link is found by its listed sources`(folder: String) throws {
        let modules = [Self.swift("A", "Sources/A", ["a.swift", "b.swift"])]
        let linked = CoverageAttribution(
            export: try export([
                "\(folder)/../\(folder.split(separator: "/").last ?? "")/pkg/Sources/A/a.swift",
                "\(folder)/pkg/./Sources/A/b.swift",
                "/home/.cache/kanmon/build/1/checkouts/other/Sources/A/a.swift",
            ]),
            manifest: manifest(root: "/real/pkg", modules: modules)
        )
        #expect(linked.coverage.files.map(\.path) == ["Sources/A/a.swift", "Sources/A/b.swift"])
        #expect(linked.gaps.isEmpty)
        let two = CoverageAttribution(
            export: try export(["/one/Sources/A/a.swift", "/two/Sources/A/a.swift"]),
            manifest: manifest(root: "/real/pkg", modules: modules)
        )
        #expect(two.coverage.files.isEmpty)
        #expect(two.gaps.map(\.code) == [.coverageMissing])
    }

    @Test func `a macro counts where a test target depends on it`() {
        let tests = Module(
            name: "T", compilerName: "T", kind: .test, isSwift: true, path: "Tests/T", sources: [],
            dependencies: ["Tested"]
        )
        let modules = [
            Self.swift("Tested", "Sources/Tested", [], kind: .macro),
            Self.swift("Other", "Sources/Other", [], kind: .macro), tests,
            Self.swift("Sys", "Sources/Sys", [], kind: .systemLibrary),
            Self.swift("Bin", "Bin.xcframework", [], kind: .binary), Self.swift("S", "Snippets", [], kind: .snippet),
        ]
        #expect(
            CoverageAttribution.unsuitable(modules) == [
                "Other": "a macro that no test target depends on", "Sys": "a system library",
                "Bin": "a binary target", "S": "a snippet",
            ]
        )
    }

    @Test func `an executable that only plugins use is not measured, unless anything of it ran`() {
        func target(_ name: String, _ kind: Module.Kind, _ dependencies: [String] = []) -> Module {
            Module(
                name: name, compilerName: name, kind: kind, isSwift: true, path: "Sources/\(name)", sources: [],
                dependencies: dependencies)
        }
        let modules = [
            target("Tool", .executable), target("Tested", .executable), target("Ran", .executable),
            target("App", .executable), target("Plugin", .plugin, ["Tool", "Tested", "Ran"]),
            target("T", .test, ["Tested"]),
        ]
        #expect(
            CoverageAttribution.unsuitable(modules, executed: [Name("Ran")])
                == ["Tool": "an executable that only plugins use", "Plugin": "a plugin"])
    }

    @Test func `sources that differ in their normalization form are distinguished`() throws {
        let modules = [
            Self.swift("C", "Sources/C", ["\u{30AC}.swift"]), Self.swift("D", "Sources/C/", ["\u{30AB}\u{3099}.swift"]),
        ]
        let attribution = CoverageAttribution(
            export: try export(["/p/Sources/C/\u{30AC}.swift", "/p/Sources/C/\u{30AB}\u{3099}.swift"]),
            manifest: manifest(root: "/p", modules: modules)
        )
        #expect(attribution.coverage.files.map(\.module) == ["D", "C"])
    }
}
