import Foundation
import TestSupport
import Testing

@testable import RunModel

/// Tests that a change cannot break, by per-test coverage.
@Suite struct DeselectedTestsTests {
    private let path = "Sources/Core/F.swift"
    private let tests = SampleMaps.tests

    private static func module(
        _ name: String, _ kind: Module.Kind, _ sources: [String], _ dependencies: String...
    ) -> Module {
        Module(
            name: name, compilerName: name, kind: kind, isSwift: true,
            path: "\(kind == .test ? "Tests" : "Sources")/\(name)", sources: sources, dependencies: dependencies)
    }

    private static let modules = [
        module("Core", .library, ["F.swift", "G.swift"]), module("Other", .library, ["O.swift"]),
        module("CoreTests", .test, ["A.swift"], "Core"), module("OtherTests", .test, ["B.swift"], "Other"),
    ]

    private func knowledge(unsteady: Set<TestID> = []) -> DeselectedTests.Knowledge {
        DeselectedTests.Knowledge(
            run: SampleRuns.id(1), map: SampleMaps.map,
            uncalled: [Name(path): [SampleMaps.uncalled("Core.h()")], Name("Sources/Core/G.swift"): []],
            modules: Self.modules, undeclared: UndeclaredDependencies(in: Self.modules), unsteady: unsteady)
    }

    private func deselected(
        _ lines: [(base: Range<Int>, head: Range<Int>)], of path: String? = nil, from basePath: String? = nil,
        beside: [String?] = [], unsteady: Set<TestID> = []
    ) -> DeselectedTests {
        let path = path ?? self.path
        let change = FileChange(
            path: path, basePath: basePath ?? path, changes: lines.map { ChangedLines(base: $0.base, head: $0.head) })
        return DeselectedTests(
            knowledge(unsteady: unsteady), files: ChangedFiles(paths: [path] + beside, package: ""), changes: [change])
    }

    @Test func `an edit inside of a body deselects the tests that do not execute the function`() {
        // Lines 4 and 5 of `f`, which all but the second test execute.
        #expect(deselected([(4..<6, 4..<7)]).tests == [tests[1]])
        #expect(deselected([(5..<5, 5..<8)]).tests == [tests[1]])
        #expect(deselected([(4..<5, 4..<4)]).tests == [tests[1]])
        #expect(deselected([(4..<6, 4..<7)]).reason == nil)
    }

    @Test func `an edit of a function that was never called breaks nothing that was recorded`() {
        #expect(deselected([(22..<23, 22..<24)]).tests == Set(tests))
        // Both a function that is executed and one that is not.
        #expect(deselected([(4..<5, 4..<5), (22..<23, 22..<24)]).tests == [tests[1]])
    }

    @Test(arguments: [3..<4, 9..<10, 3..<3, 2..<5, 8..<12, 12..<13, 1..<2, 20..<21, 30..<31])
    func `at the edge of a function, and outside of one, the target decides`(lines: Range<Int>) {
        let found = deselected([(lines, lines.lowerBound..<lines.upperBound + 1)])
        #expect(found.tests == [])
        #expect(found.reason == "all tests of CoreTests, because of other changes")
    }

    @Test func `what also runs outside of tests is judged by target`() {
        let found = deselected([(2..<2, 2..<3)], of: "Sources/Core/G.swift")
        #expect(found.tests == [])
    }

    @Test func `a new, renamed or unmeasured file is judged by target, a document by nothing`() {
        #expect(deselected([(4..<5, 4..<5)], from: "Sources/Core/E.swift").tests == [])
        #expect(deselected([(4..<5, 4..<5)], of: "Sources/Other/O.swift").tests == Set(tests))
        #expect(deselected([(4..<5, 4..<5)], beside: ["README.md", "LICENSE"]).tests == [tests[1]])
        #expect(deselected([(4..<5, 4..<5)], beside: ["Tests/Fixtures/page.md"]).tests.isEmpty)
        #expect(deselected([(4..<5, 4..<5)], beside: ["Sources/Other/O.swift"]).tests == [tests[1]])
        #expect(deselected([(4..<5, 4..<5)], beside: ["Tests/CoreTests/A.swift"]).tests == [])
    }

    @Test(arguments: ["Package.swift", "Package.resolved", "Sources/Core/data.json", "Makefile"] as [String?] + [nil])
    func `what can break everything deselects nothing`(other: String?) {
        let found = deselected([(4..<5, 4..<5)], beside: [other])
        #expect(found.tests == [])
        #expect(found.reason != nil)
    }

    @Test func `an edit that may end the function is judged by target`() {
        let change = FileChange(
            path: path, basePath: path, changes: [ChangedLines(base: 4..<5, head: 4..<9)], mayEndBlock: true)
        let found = DeselectedTests(knowledge(), files: ChangedFiles(paths: [path], package: ""), changes: [change])
        #expect(found.tests == [] && found.reason == "all tests of CoreTests, because of other changes")
    }

    /// What is found where F.swift has another name, or the package other modules.
    private func deselected(in modules: [Module], path: String? = nil, alsoAt image: String? = nil) -> DeselectedTests {
        let path = path ?? self.path
        var knowledge = knowledge()
        knowledge.modules = modules
        knowledge.uncalled[Name(path)] = []
        for file in knowledge.map.files.indices where knowledge.map.files[file].path == self.path {
            knowledge.map.files[file].path = path
        }
        let changes = [path, image].compactMap(\.self).map { path in
            FileChange(path: path, basePath: path, changes: [ChangedLines(base: 4..<5, head: 4..<5)])
        }
        return DeselectedTests(
            knowledge, files: ChangedFiles(paths: changes.map(\.path), package: ""), changes: changes)
    }

    @Test func `top-level code, and what works during the build, is judged by target`() {
        let main = Self.module("Core", .executable, ["main.swift", "G.swift"])
        #expect(deselected(in: [main] + Self.modules.dropFirst(), path: "Sources/Core/main.swift").reason != nil)
        let single = Self.module("Core", .executable, ["F.swift"])
        #expect(deselected(in: [single] + Self.modules.dropFirst()).reason != nil)
        #expect(deselected(in: Self.modules).reason == nil)
        for kind in [Module.Kind.plugin, .macro] {
            let build = Self.module("Build", kind, [], "Tool"), tool = Self.module("Tool", .executable, [], "Core")
            // Nothing depends on it, so no build calls it.
            #expect(deselected(in: Self.modules + [build, tool]).reason == nil, "\(kind)")
            let generated = Self.module("Generated", .library, [], "Build")
            #expect(deselected(in: Self.modules + [build, tool, generated]).reason != nil, "\(kind)")
        }
    }

    @Test func `a source whose functions are copied into their callers is judged by target`() {
        var knowledge = knowledge()
        // A line of a function that is called, and one of a function that seems never to be.
        for line in [4, 22] {
            let lines = ChangedLines(base: line..<line + 1, head: line..<line + 1)
            let change = FileChange(path: path, basePath: path, changes: [lines])
            knowledge.inlined = []
            let files = ChangedFiles(paths: [path], package: "")
            #expect(DeselectedTests(knowledge, files: files, changes: [change]).reason == nil)
            knowledge.inlined = [Name(path)]
            let found = DeselectedTests(knowledge, files: files, changes: [change])
            #expect(found.tests == [])
            #expect(found.reason == "all tests of CoreTests, because of other changes")
        }
        func hasInlined(_ text: String) -> Bool { DeselectedTests.hasInlinedFunctions(Array(text.utf8)) }
        #expect(hasInlined("@_transparent\nfunc f() {}"))
        #expect(hasInlined("@inlinable @_alwaysEmitIntoClient public func f() {}"))
        // Without optimization only these are copied.
        #expect(!hasInlined("@inlinable public func f() {}\nlet _transparent = \"@\""))
        #expect(!hasInlined("@"))
        #expect(!hasInlined(""))
    }

    @Test func `an initial value may be followed by another property, and is judged by target`() {
        var knowledge = knowledge()
        for symbol in ["$s4Core1SV1aSaySSGvpfi", "$s4Core1gSivpWZ"] {
            knowledge.map.files[0].functions[0].symbol = symbol
            let change = FileChange(path: path, basePath: path, changes: [ChangedLines(base: 4..<5, head: 4..<5)])
            let found = DeselectedTests(knowledge, files: ChangedFiles(paths: [path], package: ""), changes: [change])
            #expect(found.reason != nil, "\(symbol)")
        }
        // One that was never needed.
        let change = FileChange(path: path, basePath: path, changes: [ChangedLines(base: 22..<23, head: 22..<23)])
        for name in ["variable initialization expression of Core.S.a : [Swift.String]", "$s4Core1SV1aSaySSGvpfi"] {
            knowledge.uncalled[Name(path)] = [SampleMaps.uncalled(name)]
            let found = DeselectedTests(knowledge, files: ChangedFiles(paths: [path], package: ""), changes: [change])
            #expect(found.reason != nil, "\(name)")
        }
    }

    @Test func `what may end a block is not kept, and older files are read`() throws {
        let change = FileChange(
            path: path, basePath: path, changes: [ChangedLines(base: 4..<5, head: 4..<9)], mayEndBlock: true)
        let text = try JSONEncoder().encode(change)
        #expect(!String(decoding: text, as: UTF8.self).contains("mayEndBlock"))
        var read = try JSONDecoder().decode(FileChange.self, from: text)
        #expect(!read.mayEndBlock)
        read.mayEndBlock = true
        #expect(read == change)
    }

    @Test func `a file that another target has by a link is changed there as well`() {
        let link = "Sources/Other/F.swift"
        let other = Self.module("Other", .library, ["O.swift", "F.swift"])
        let modules = [Self.modules[0], other, Self.modules[2], Self.modules[3]]
        #expect(deselected(in: modules).reason == nil)
        #expect(deselected(in: modules, alsoAt: link).reason == "all tests of OtherTests, because of other changes")
    }

    @Test func `by target, a test also counts that executes the module without depending on it`() {
        var knowledge = knowledge()
        knowledge.modules = [
            Self.modules[0], Self.modules[1], Self.module("CoreTests", .test, ["A.swift"], "Other"),
            Self.module("OtherTests", .test, ["B.swift"], "Core"),
        ]
        func found(_ path: String) -> DeselectedTests {
            let change = FileChange(path: path, basePath: path, changes: [ChangedLines(base: 3..<4, head: 3..<4)])
            return DeselectedTests(knowledge, files: ChangedFiles(paths: [path], package: ""), changes: [change])
        }
        // A source that is there, and one that is new.
        for path in [path, "Sources/Core/New.swift"] {
            #expect(found(path).reason == "all tests of OtherTests, because of other changes", "\(path)")
            #expect(found(path).tests == [], "\(path)")
        }
        // Of a program that is compiled with what changed, too.
        knowledge.modules = [
            Self.module("Core", .executable, ["F.swift", "G.swift"], "Base"),
            Self.module("Base", .library, ["O.swift"]), Self.module("CoreTests", .test, ["A.swift"]),
            Self.module("OtherTests", .test, ["B.swift"], "Base"),
        ]
        #expect(found("Sources/Base/O.swift").reason == "all tests of OtherTests, because of other changes")
        #expect(found("Sources/Base/O.swift").tests == [])
    }

    /// What is found for an edit in a body of Core, which a program has, too.
    private func deselected(reading sources: [(target: String, source: String)], _ more: Module...) -> DeselectedTests {
        var knowledge = knowledge()
        knowledge.map.tests.append(TestID(module: "OtherTests", suite: "C", name: "four"))
        knowledge.modules = Self.modules + [Self.module("Tool", .executable, ["T.swift", "U.swift"], "Core")] + more
        knowledge.undeclared = UndeclaredDependencies(in: knowledge.modules)
        for (target, source) in sources { knowledge.undeclared.read(Array(source.utf8), of: target) }
        let change = FileChange(path: path, basePath: path, changes: [ChangedLines(base: 4..<5, head: 4..<5)])
        return DeselectedTests(knowledge, files: ChangedFiles(paths: [path], package: ""), changes: [change])
    }

    @Test func `tests that may execute a change unseen by the map are not deselected`() {
        let unseen = "all tests of OtherTests, which may execute what changed unseen by the per-test coverage"
        let all = deselected(reading: [])
        #expect(all.reason == nil && all.tests.contains { $0.module == "OtherTests" })
        func isRun(_ target: String, _ source: String) -> Bool {
            let found = deselected(reading: [(target, source)])
            return found.reason == unseen && found.tests == all.tests.filter { $0.module != "OtherTests" }
        }
        // Its manifest names neither the program nor what it has.
        #expect(isRun("OtherTests", "let process = Process()"))
        #expect(isRun("OtherTests", "import Core"))
        #expect(!isRun("OtherTests", "let words = \"/bin/sh\""))
        #expect(isRun("Other", "@testable import Tool"))
    }

    @Test func `a test that starts a program by a shell is not deselected although its manifest names the program`() {
        let ends = Self.module("EndTests", .test, ["E.swift"], "Tool", "Helper")
        let helper = Self.module("Helper", .library, ["H.swift"])
        func reason(_ sources: [(target: String, source: String)]) -> String? {
            deselected(reading: sources, ends, helper).reason
        }
        let unseen = "all tests of EndTests, which may execute what changed unseen by the per-test coverage"
        // What a test starts by itself is recorded.
        #expect(reason([("EndTests", "let process = Process()")]) == nil)
        #expect(reason([("EndTests", "let process = Process(), shell = \"/bin/sh\"")]) == unseen)
        #expect(reason([("EndTests", "let process = Process()"), ("EndTests", "copyItem(at: a, to: b)")]) == unseen)
        #expect(reason([("EndTests", "run(\"/usr/bin/env\")"), ("Helper", "posix_spawn(&pid, path)")]) == unseen)
        #expect(reason([("EndTests", "run(\"/usr/bin/env\")")]) == nil)
    }

    @Test func `what a run depends on besides its tree is compared where it is known`() {
        let toolchain = Toolchain(swiftVersion: "6.3", llvmVersion: "17", target: "t")
        func inputs(
            _ platform: String = "p", _ environment: String = "e", _ dependencies: [String]? = ["d"],
            checkout: String = "", evidenceVersion: Int = RunInputs.currentEvidenceVersion
        ) -> RunInputs {
            RunInputs(
                evidenceVersion: evidenceVersion, platform: platform, dependencies: dependencies, checkout: checkout,
                environment: environment, settings: "")
        }
        var knowledge = knowledge()
        (knowledge.toolchain, knowledge.inputs) = (toolchain, inputs())
        let deselected = DeselectedTests(knowledge, files: ChangedFiles(paths: [], package: ""), changes: [])
        #expect(deselected.difference(from: toolchain, inputs()) == nil)
        #expect(deselected.difference(from: toolchain, inputs("p", "e", nil)) == "unknown dependencies")
        #expect(deselected.difference(from: toolchain, nil) == "unknown settings and environment")
        #expect(deselected.difference(from: nil, inputs()) == "another toolchain")
        #expect(deselected.difference(from: toolchain, inputs("q")) == "another system")
        var elsewhere = inputs()
        elsewhere.package = "Packages/Kit"
        #expect(deselected.difference(from: toolchain, elsewhere) == "another package")
        #expect(deselected.difference(from: toolchain, inputs("p", "f")) == "another environment")
        #expect(deselected.difference(from: toolchain, inputs("p", "e", ["d", "f"])) == "other dependencies")
        #expect(deselected.difference(from: toolchain, inputs(checkout: "c")) == "other filters or line ends of git")
        #expect(
            deselected.difference(from: toolchain, inputs(evidenceVersion: 0))
                == "evidence of another version of Kanmon")
    }

    @Test func `unsteady tests always run`() {
        #expect(deselected([(4..<5, 4..<5)], unsteady: [tests[1]]).tests == [])
    }

    @Test func `nothing changed deselects all but unsteady ones`() {
        let none = DeselectedTests(
            knowledge(unsteady: [tests[0]]), files: ChangedFiles(paths: [], package: ""), changes: [])
        #expect(none.tests == Set(tests.dropFirst()))
    }

    @Test func `a package below the top has its own paths`() {
        let change = FileChange(path: path, basePath: path, changes: [ChangedLines(base: 4..<5, head: 4..<5)])
        func deselected(_ paths: [String]) -> Set<TestID> {
            DeselectedTests(
                knowledge(), files: ChangedFiles(paths: paths, package: "lib/core"), changes: [change]
            ).tests
        }
        #expect(deselected(["lib/core/\(path)"]) == [tests[1]])
        #expect(deselected(["lib/core/\(path)", "other/x.swift"]) == [])
    }
}
