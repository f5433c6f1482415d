import Testing

@testable import Application

@Suite struct PackageSubpathTests {
    /// The last two take more bytes than characters, in one form or another.
    @Test(arguments: ["", "Kit", "Packages/Kit", "Pakete/Münze", "札所/e\u{301}"])
    func `a path leads into the package and back out of it`(folder: String) {
        let subpath = PackageSubpath(folder)
        let path = subpath.path("Sources/a.swift")
        #expect(path == (folder.isEmpty ? "Sources/a.swift" : "\(folder)/Sources/a.swift"))
        #expect(subpath.name(of: path) == "Sources/a.swift")
        #expect(
            subpath.folder(in: "/home/ci/repository")
                == (folder.isEmpty ? "/home/ci/repository" : "/home/ci/repository/\(folder)"))
        #expect(subpath.top(of: subpath.folder(in: "/home/ci/repository")) == "/home/ci/repository")
        #expect(subpath.isTop == folder.isEmpty)
    }
}
