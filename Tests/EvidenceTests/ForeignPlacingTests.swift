import Evidence
import Foundation
import RunModel
import TestResults
import TestSupport
import Testing

/// Which files of a package the coverage of other tools means.
@Suite struct ForeignPlacingTests {
    private let modules = [
        Module(
            name: "Kit", compilerName: "Kit", kind: .library, isSwift: true, path: "Sources/Kit",
            sources: ["A.swift", "B.swift"], dependencies: []),
        Module(
            name: "Uni", compilerName: "Uni", kind: .library, isSwift: true, path: "Sources/Uni",
            sources: ["\u{30AC}.swift"], dependencies: []),
    ]

    private func ingest(
        _ texts: String..., maps: [PathMap] = [], modules: [Module]? = nil, root: String = "/home/ci/kit"
    ) throws -> TestRun {
        try TestRun.ingesting(
            texts.map { ForeignReport(path: "f", bytes: Array($0.utf8)) }, id: SampleRuns.id(1), project: "p",
            package: "kit", at: SampleRuns.moment, packageRoot: root, maps: maps, modules: modules ?? self.modules)
    }

    private func lcov(_ paths: String...) -> String {
        paths.map { "SF:\($0)\nDA:1,1\nDA:2,0\nend_of_record\n" }.joined()
    }

    private func cobertura(_ sources: [String], _ paths: String...) -> String {
        let folders = sources.map { "<source>\n  \($0)\n</source>" }.joined()
        let classes = paths.map {
            "<class filename='\($0)'><lines><line number='1' hits='1'/><line number='2' hits='0'/></lines></class>"
        }.joined()
        return
            "<coverage><sources>\(folders)</sources><packages><package name='g'>\(classes)</package></packages></coverage>"
    }

    private func files(_ run: TestRun) -> [String] { (run.coverage?.files ?? []).map { "\($0.module): \($0.path)" } }

    @Test(arguments: [
        "Sources/Kit/A.swift", "./Sources/Kit/A.swift", "/home/ci/kit/Sources/Kit/A.swift",
        "/home/ci/kit/./Tests/../Sources/Kit/A.swift", "/elsewhere/Sources/Kit/A.swift", "pkg/Sources/Kit/A.swift",
        "C:\\agent\\Sources\\Kit\\A.swift",
    ])
    func `a source is found in the package, in another folder, and relative to the repository`(path: String) throws {
        let run = try ingest(lcov(path))
        #expect(files(run) == ["Kit: Sources/Kit/A.swift"])
        #expect(run.gaps.filter { $0.code != .noTests } == [])
        #expect(run.notes == [Self.partial])
    }

    /// What is said where no report names `B.swift`.
    private static let partial = Note(
        .coverageMissing, subject: "Kit",
        detail: "in no report, so that their lines do not count: 1 of 2 sources, the first is Sources/Kit/B.swift")

    @Test(arguments: [
        (["."], "Sources/Kit/A.swift"), (["Sources"], "Kit/A.swift"), (["./Sources/"], "Kit/A.swift"),
        (["Sources"], "Sources/Kit/A.swift"), (["/home/ci/kit/Sources/Kit"], "A.swift"),
        (["/home/ci/kit/Plugins", "/home/ci/kit/Sources"], "Kit/A.swift"), (["", "Tests", "Sources"], "Kit/A.swift"),
        (["/agent/w/Sources"], "Kit/A.swift"), (["C:\\agent"], "Sources\\Kit\\A.swift"),
    ])
    func `the folders that a report of Cobertura names are tried`(sources: [String], path: String) throws {
        #expect(files(try ingest(cobertura(sources, path))) == ["Kit: Sources/Kit/A.swift"])
    }

    @Test func `both normalization forms of a name are the source that is listed`() throws {
        #expect(files(try ingest(lcov("Sources/Uni/\u{30AB}\u{3099}.swift"))) == ["Uni: Sources/Uni/\u{30AC}.swift"])
        let both = ["\u{30AC}.swift", "\u{30AB}\u{3099}.swift"]
        let module = Module(
            name: "Uni", compilerName: "Uni", kind: .library, isSwift: true, path: "Sources/Uni", sources: both,
            dependencies: [])
        let run = try ingest(lcov("Sources/Uni/\(both[0])", "Sources/Uni/\(both[1])"), modules: [module])
        #expect(files(run).count == 2)
    }

    @Test func `what several reports say of one source adds up, whatever they call it`() throws {
        let run = try ingest(lcov("Sources/Kit/A.swift"), cobertura(["/home/ci/kit"], "Sources/Kit/A.swift"))
        #expect(run.coverage?.files.map { $0.lines.map(\.count.value) } == [[2, 0]])
    }

    @Test func `where no file is a source of the package none counts, and that is a gap`() throws {
        let run = try ingest(lcov("Sources/Kit/Gone.swift", "/other/Main.swift"))
        #expect(files(run) == [])
        #expect(
            run.gaps.filter { $0.code == .coverageMissing } == [
                Gap(
                    .coverageMissing,
                    detail: "none of the 2 files in the coverage export is a source of this package")
            ])
        #expect(
            run.notes.map(\.detail) == ["2 files of the reports belong to no target, the first is /other/Main.swift"])
    }

    @Test func `a file that may be the missing part of a target is a gap, unless a map says where it lies`() throws {
        let trace = lcov("Sources/Kit/A.swift", "/agent/Sources/Kit/B.swift")
        let detail =
            "/agent/Sources/Kit/B.swift may be its source Sources/Kit/B.swift, which no report names: "
            + "say where it lies with --path-map"
        #expect(
            try ingest(trace).gaps.filter { $0.code == .coverageMissing } == [
                Gap(.coverageMissing, subject: "Kit", detail: detail)
            ])
        for to in ["", ".", "/home/ci/kit"] {
            let run = try ingest(trace, maps: [PathMap(from: "/agent/", to: to)])
            #expect(files(run) == ["Kit: Sources/Kit/A.swift", "Kit: Sources/Kit/B.swift"], "\(to)")
            #expect(run.gaps.filter { $0.code == .coverageMissing } == [])
        }
        // A file of another package is only named.
        let other = try ingest(lcov("Sources/Kit/A.swift", "/agent/Sources/Other/C.swift"))
        #expect(
            other.notes.map(\.detail) == [
                "a file of the reports belongs to no target: /agent/Sources/Other/C.swift", Self.partial.detail,
            ])
        #expect(other.gaps.filter { $0.code == .coverageMissing } == [])
    }

    @Test func `maps are by whole folders, the first that fits counts`() throws {
        let maps = [
            PathMap(from: "/a/b", to: "x"), PathMap(from: "/a", to: "y"), PathMap(from: "C:\\p", to: "z"),
            PathMap(from: "src", to: "Sources"),
        ]
        let run = try ingest(
            lcov("/a/b/1.c", "/a/bc/2.c", "C:\\p\\q\\3.c", "src/4.c", "srcs/5.c", "/home/ci/kit/6.c"), maps: maps,
            modules: [])
        #expect(
            files(run) == [
                "kit: 6.c", "kit: Sources/4.c", "kit: srcs/5.c", "kit: x/1.c", "kit: y/bc/2.c", "kit: z/q/3.c",
            ])
    }

    @Test func `a map has a folder on either side`() {
        #expect(PathMap("/a=b=c") == PathMap(from: "/a", to: "b=c"))
        #expect(PathMap("/a=") == PathMap(from: "/a", to: ""))
        #expect(PathMap("a") == nil)
        #expect(PathMap("=a") == nil)
    }

    @Test func `without targets the files of llvm-cov are the project's, but for those of a build`() throws {
        func entry(_ path: String) -> String {
            let summary = #"{"functions":{"count":1,"covered":1},"regions":{"count":1,"covered":1}}"#
            let segments = "[[1,1,1,true,true,false],[2,2,0,false,false,false]]"
            return #"{"filename":"\#(path)","segments":\#(segments),"summary":\#(summary)}"#
        }
        let paths = ["/home/ci/kit/src/a.rs", "/home/ci/kit/.build/checkouts/x/b.swift", "/x/K.derived/c.swift"]
        let text =
            #"{"version":"3.0.1","type":"llvm.coverage.json.export","data":[{"files":[\#(paths.map(entry).joined(separator: ","))]}]}"#
        let run = try ingest("\u{FEFF}\(text)", modules: [])
        #expect(files(run) == ["kit: src/a.rs"])
        #expect(run.coverage?.unattributed.map(\.kind) == [.dependency, .generated])
    }
}
