import CodeCoverage
import Evidence
import Foundation
import RunModel
import TestSupport
import Testing

@Suite struct PublicAPITests {
    private func graph(_ name: String) throws -> SymbolGraph {
        try SymbolGraph(json: Data(CoverageFixture.bytes("public-api/\(name).symbols.json")), file: name)
    }

    private func manifest(root: String = "/home/ci/Kit") -> RunManifest {
        let kit = Module(
            name: "Kit", compilerName: "Kit", kind: .library, isSwift: true, path: "Sources/Kit",
            sources: ["Kit.swift"], dependencies: [])
        return .sample(packageRoot: root, RunFacts(modules: [kit]))
    }

    private func words(_ api: PublicAPI) -> [String] { api.unexecuted.map { "\($0.path):\($0.line) \($0.name)" } }

    @Test func `what is public and was never executed is found by the names of the compiler`() throws {
        let api = PublicAPI(
            [try graph("Kit"), try graph("Kit@Swift")], export: try CoverageFixture.export("public-api/coverage.json"),
            manifest: manifest())
        // A setter was called, of the observer nothing; an initializer of a class goes by two names.
        #expect(
            words(api) == [
                "Sources/Kit/Kit.swift:8 Shape.doubled()",
                "Sources/Kit/Kit.swift:22 Box.scaled(by:)",
                "Sources/Kit/Kit.swift:25 Box.subscript(_:)",
                "Sources/Kit/Kit.swift:38 Counter.count",
                "Sources/Kit/Kit.swift:45 Counter.add(_:)",
                "Sources/Kit/Kit.swift:46 Counter.==(_:_:)",
                "Sources/Kit/Kit.swift:52 Color.name",
                "Sources/Kit/Kit.swift:57 Array.first2",
            ])
        #expect(api.executed == 9)
        // Two requirements, two stored properties, and the initializer that the compiler makes of a raw value.
        #expect(api.withoutCode == 5)
    }

    @Test func `a package behind a symbolic link has its own paths`() throws {
        let api = PublicAPI(
            [try graph("Kit@Swift")], export: try CoverageFixture.export("public-api/coverage.json"),
            manifest: manifest(root: "/home/ci/link"))
        #expect(words(api) == ["Sources/Kit/Kit.swift:57 Array.first2"])
        #expect(api.executed == 1)
    }

    @Test func `a declaration in two graphs is one`() throws {
        let export = try CoverageFixture.export("public-api/coverage.json")
        let kit = try graph("Kit")
        let once = PublicAPI([kit], export: export, manifest: manifest())
        let twice = PublicAPI([kit, kit], export: export, manifest: manifest())
        #expect(once == twice)
    }

    @Test func `without the functions of an export everything is without code`() throws {
        let bytes = CoverageFixture.withSegments("[[1,1,5,true,true,false],[2,2,0,false,false,false]]")
        let api = PublicAPI([try graph("Kit")], export: try CoverageFixture.read(bytes), manifest: manifest())
        #expect("\(api.executed), \(api.unexecuted.count), \(api.withoutCode)" == "0, 0, 20")
    }

    @Test(arguments: ["", "[]", "{\"symbols\":[{}]}", "{\"symbols\":"])
    func `what is no symbol graph is refused`(text: String) {
        #expect(throws: EvidenceError.self) { try SymbolGraph(json: Data(text.utf8), file: "Kit.symbols.json") }
    }
}
