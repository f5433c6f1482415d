import TestSupport
import Testing

@testable import kanmon

@Suite struct PackagesBelowTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func package(_ path: String) throws { _ = try folder.write("", to: "\(path)/Package.swift") }

    @Test func `packages below a folder are named, and those in them and in hidden folders are not`() throws {
        #expect(PackagesBelow.hint(for: folder.path) == "name the package's folder with --package-path")
        for path in ["B/C", "A", "A/Inner", ".build/checkouts/Yams", "1/2/3/4/5", "1/2/3/4/6/7"] { try package(path) }
        _ = try folder.write("", to: "D/Package@swift-6.0.swift")
        #expect(PackagesBelow.find(in: folder.path) == ["1/2/3/4/5", "A", "B/C"])
        #expect(
            PackagesBelow.hint(for: folder.path)
                == "name one of the packages below it with --package-path: 1/2/3/4/5, A, B/C")
        for number in 0..<10 { try package("many\n/\(number)") }
        #expect(PackagesBelow.hint(for: folder.path).hasSuffix("/6 and 3 more"))
        #expect(!PackagesBelow.hint(for: folder.path).contains("\n"))
        #expect(PackagesBelow.find(in: "\(folder.path)/none") == [])
    }
}
