import RunModel
import Testing

@Suite struct AffectedTestsTests {
    private static func module(
        _ name: String, _ kind: Module.Kind = .library, isSwift: Bool = true, _ dependencies: String...
    ) -> Module {
        Module(
            name: name, compilerName: name, kind: kind, isSwift: isSwift,
            path: "\(kind == .test ? "Tests" : "Sources")/\(name)", sources: ["a.swift", "Deep/b.swift"],
            dependencies: dependencies)
    }

    /// Base ← Middle ← App, and a leaf of its own.
    private static let modules = [
        module("Base"), module("Middle", .library, "Base"), module("App", .executable, "Middle"), module("Leaf"),
        module("Tool", .plugin), module("BaseTests", .test, "Base"), module("MiddleTests", .test, "Middle"),
        module("LeafTests", .test, "Leaf"),
    ]

    private func tests(_ paths: String?..., package: String = "") -> AffectedTests {
        AffectedTests(of: ChangedFiles(paths: paths, package: package), in: Self.modules, undeclared: [:])
    }

    @Test func `a source is tested by everything that depends on its target`() {
        #expect(tests("Sources/Leaf/a.swift") == .some(["LeafTests"]))
        #expect(tests("Sources/Middle/Deep/b.swift") == .some(["MiddleTests"]))
        #expect(tests("Sources/Base/a.swift") == .some(["BaseTests", "MiddleTests"]))
        #expect(tests("Tests/LeafTests/a.swift") == .some(["LeafTests"]))
        #expect(tests("Sources/Leaf/a.swift", "Tests/MiddleTests/a.swift") == .some(["MiddleTests", "LeafTests"]))
        #expect(tests("Sources/Leaf/gone.swift") == .some(["LeafTests"]))
        #expect(tests("Kit/Sources/Leaf/a.swift", package: "Kit") == .some(["LeafTests"]))
        #expect(tests("Münze/Sources/Leaf/a.swift", package: "Münze") == .some(["LeafTests"]))
        #expect(tests("Sources/Leaf/a.swift", "README.md", "docs/more.md") == .some(["LeafTests"]))
    }

    @Test(arguments: [
        ("Package.swift", "Package.swift is part of no target"),
        ("Package.resolved", "Package.resolved is part of no target"),
        (".kanmon.yml", ".kanmon.yml is part of no target"),
        (".gitattributes", ".gitattributes is part of no target"),
        ("Sources/Leaf/data.json", "Sources/Leaf/data.json is no source of Leaf"),
        ("Sources/Leaf/guide.md", "Sources/Leaf/guide.md is no source of Leaf"),
        ("Sources/Tool/a.swift", "Sources/Tool/a.swift is part of the build"),
        ("Sources/Tool/gone.swift", "Sources/Tool/gone.swift is no source of Tool"),
        ("Sources/App/a.swift", "no test target depends on what changed"),
    ])
    func `what can have an effect on everything is tested by everything`(path: String, reason: String) {
        #expect(tests(path) == .all(reason: reason))
    }

    @Test func `a new source is that of the innermost target`() {
        func target(_ name: String, _ kind: Module.Kind, _ path: String, _ dependencies: [String]) -> Module {
            Module(
                name: name, compilerName: name, kind: kind, isSwift: true, path: path, sources: ["a.swift"],
                dependencies: dependencies)
        }
        let modules = [
            target("Outer", .library, "Sources", []), target("Inner", .library, "Sources/Inner", []),
            target("OuterTests", .test, "Tests/OuterTests", ["Outer"]),
            target("InnerTests", .test, "Tests/InnerTests", ["Inner"]),
        ]
        func tests(_ path: String) -> AffectedTests {
            AffectedTests(of: ChangedFiles(paths: [path], package: ""), in: modules, undeclared: [:])
        }
        #expect(tests("Sources/Inner/new.swift") == .some(["InnerTests"]))
        #expect(tests("Sources/new.swift") == .some(["OuterTests"]))
    }

    @Test func `a source of C may be included by any target of C`() {
        func target(
            _ name: String, _ kind: Module.Kind = .library, isSwift: Bool = true, _ dependencies: String...
        ) -> Module {
            Module(
                name: name, compilerName: name, kind: kind, isSwift: isSwift, path: "Sources/\(name)",
                sources: [isSwift ? "a.swift" : "a.c"], dependencies: dependencies)
        }
        let modules = [
            target("CImpl", isSwift: false), target("CUser", isSwift: false), target("Leaf"),
            target("ImplTests", .test, "CImpl"), target("UserTests", .test, "CUser"),
            target("LeafTests", .test, "Leaf"),
        ]
        func tests(_ path: String) -> AffectedTests {
            AffectedTests(of: ChangedFiles(paths: [path], package: ""), in: modules, undeclared: [:])
        }
        #expect(tests("Sources/CImpl/a.c") == .some(["ImplTests", "UserTests"]))
        #expect(tests("Sources/Leaf/a.swift") == .some(["LeafTests"]))
    }

    @Test func `what a source imports or may start counts like what the manifest says`() {
        var undeclared = UndeclaredDependencies(in: Self.modules)
        undeclared.read(Array("@testable import struct Base.Name\n#if canImport(Middle)\n#endif".utf8), of: "LeafTests")
        undeclared.read(Array("import Foundation\n// imports Base\nlet p = Process()".utf8), of: "BaseTests")
        undeclared.read(Array("import Leaf\nlet important = Middle.self\nprocess(Processing())".utf8), of: "Leaf")
        #expect(undeclared.targets == ["LeafTests": ["Base", "Middle"], "BaseTests": ["App"]])
        func tests(_ path: String) -> AffectedTests {
            AffectedTests(
                of: ChangedFiles(paths: [path], package: ""), in: Self.modules, undeclared: undeclared.targets)
        }
        #expect(tests("Sources/App/a.swift") == .some(["BaseTests"]))
        #expect(tests("Sources/Middle/a.swift") == .all(reason: "every test target depends on what changed"))
        #expect(tests("Sources/Leaf/a.swift") == .some(["LeafTests"]))
    }

    @Test func `a source that cannot be read may import and start everything`() {
        var undeclared = UndeclaredDependencies(in: Self.modules)
        undeclared.readNothing(of: "LeafTests")
        #expect(undeclared.targets == ["LeafTests": Set(Self.modules.map(\.name)).subtracting(["LeafTests"])])
    }

    @Test func `all that there are is all`() {
        let reason = "every test target depends on what changed"
        #expect(tests("Sources/Leaf/a.swift", "Sources/Base/a.swift") == .all(reason: reason))
        #expect(tests(nil) == .all(reason: "the name of a file that changed is not valid UTF-8"))
        #expect(
            tests("Other/a.swift", package: "Kit") == .all(reason: "Other/a.swift is outside of the package"))
    }

    @Test func `what people read concerns no test`() {
        func isForPeople(_ paths: String?...) -> Bool { ChangedFiles(paths: paths, package: "").isForPeopleOnly }
        #expect(isForPeople("README.md", "docs/hooks.md", "LICENSE", "LICENSE.txt", ".gitignore"))
        #expect(isForPeople())
        #expect(!isForPeople("README.md", "a.swift"))
        // A test may read it.
        #expect(!isForPeople("Tests/KitTests/Fixtures/page.md"))
        #expect(!isForPeople("kit/Sources/Kit/LICENSE"))
        #expect(!isForPeople("src/Kit/page.md"))
        #expect(!isForPeople("README.md", nil))
    }
}
