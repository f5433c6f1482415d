import TestSupport
import Testing

@testable import Application

@Suite struct NestedPackagesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ path: String) throws { _ = try folder.write("", to: "\(path)/Package.swift") }

    @Test func `packages below a folder are named, and those in them and in hidden folders are not`() throws {
        #expect(NestedPackages.hint(for: folder.path) == "name the package's folder with --package-path")
        for path in ["B/C", "A", "A/Inner", ".build/checkouts/Yams", "1/2/3/4/5", "1/2/3/4/6/7"] { try make(path) }
        _ = try folder.write("", to: "D/Package@swift-6.0.swift")
        #expect(NestedPackages.find(in: folder.path) == ["1/2/3/4/5", "A", "B/C"])
        #expect(
            NestedPackages.hint(for: folder.path)
                == "name one of the packages below it with --package-path: 1/2/3/4/5, A, B/C")
        for number in 0..<10 { try make("many\n/\(number)") }
        #expect(NestedPackages.hint(for: folder.path).hasSuffix("/6 and 3 more"))
        #expect(!NestedPackages.hint(for: folder.path).contains("\n"))
        #expect(NestedPackages.find(in: "\(folder.path)/none") == [])
    }

    @Test func `where every package is meant, none is left out`() throws {
        #expect(throws: Problem.self) { try NestedPackages.all(in: folder.path) }
        for path in ["B", "1/2/3/4/5/6/7", "1/2/A"] { try make(path) }
        #expect(try NestedPackages.all(in: folder.path) == ["1/2/3/4/5/6/7", "1/2/A", "B"])
        try make(Array(repeating: "d", count: 66).joined(separator: "/"))
        let deep = #expect(throws: Problem.self) { try NestedPackages.all(in: folder.path) }
        #expect(deep?.reason.hasSuffix("is too deep") == true)
        try make("")
        #expect(try NestedPackages.all(in: folder.path) == [""])
    }
}
