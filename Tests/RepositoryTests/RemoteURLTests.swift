import RunModel
import Testing

@testable import Repository

@Suite struct RemoteURLTests {
    @Test(arguments: [
        ("https://user:secret@Example.org/a/b.git", "example.org/a/b"),
        ("https://token@example.org/a/b", "example.org/a/b"),
        ("https://us@er:p@example.org/a/b.git/", "example.org/a/b"),
        ("https://example.org/a/b.git?token=secret#x", "example.org/a/b"),
        ("git@example.org:a/b.git", "example.org/a/b"),
        ("example.org:a/b", "example.org/a/b"),
        ("ssh://git@example.org:2222/a/b.git", "example.org/a/b"),
        ("ssh://git@[::1]:22/a/b", "[::1]/a/b"),
        ("git://example.org/~user/b.git", "example.org/~user/b"),
        ("https://example.org/../../etc/b", "example.org/etc/b"),
        ("/srv/git/app.git", "app"),
        ("/srv/app/.git", "app"),
        ("../app", "app"),
        ("file:///srv/git/app.git", "app"),
    ])
    func `an address becomes a name without credentials`(address: String, name: String) {
        #expect(RemoteURL(address)?.projectName == name)
    }

    @Test(arguments: [
        "", "/", "https://example.org", "https:///a", "ext::sh -c evil", "a\nb/c", "https://example.org/a\u{1B}b",
    ])
    func `an address without a name gives none`(address: String) {
        #expect(RemoteURL(address) == nil)
    }

    @Test(arguments: [
        ("https://user:secret@Example.org/a/b.git", "https://example.org/a/b"),
        ("https://us@er:p@example.org:8443/a/b", "https://example.org:8443/a/b"),
        ("https://example.org:443/a/b.git?token=secret#x", "https://example.org/a/b"),
        ("https://[::1]/a/b", "https://[::1]/a/b"), ("https://[::1]:8443/a/b", "https://[::1]:8443/a/b"),
        ("git@example.org:a/b.git", "https://example.org/a/b"),
        ("ssh://git@example.org:2222/a/b.git", "https://example.org/a/b"),
        ("http://example.org/a/b", nil), ("git://example.org/a/b", nil), ("file:///srv/git/app.git", nil),
        ("/srv/git/app.git", nil), ("/srv/a:b/github.com/x", nil),
    ])
    func `the page of a repository is on the same host, encrypted, without credentials`(
        address: String, page: String?
    ) {
        #expect(RemoteURL(address)?.page == page)
    }

    @Test func `the forge is that of origin, where its host tells that it is one`() async throws {
        let sandbox = try Sandbox()
        #expect(try await sandbox.makeRepository().forge() == nil)
        try await sandbox.git("remote", "add", "origin", "git@gitlab.example.org:a/b.git")
        #expect(
            try await sandbox.repository().forge() == ForgeRepository(.gitLab, url: "https://gitlab.example.org/a/b"))
        try await sandbox.git("remote", "set-url", "origin", "git@example.org:a/b.git")
        #expect(try await sandbox.repository().forge() == nil)
    }

    @Test func `the project is named after origin and the folder in it, else after the package and the first commit`()
        async throws
    {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        let root = try await sandbox.git("rev-parse", "HEAD").prefix(12)
        try await sandbox.commit("second")
        func name(_ folder: String = "", in place: String = "work") async throws -> String {
            try await sandbox.repository(place).projectName(packageSubpath: folder, packageName: "Pack")
        }
        #expect(try await name() == "Pack@\(root)")
        #expect(try await name("Sub") == "Pack@\(root)/Sub")
        // Of another repository with the same package nothing is shared; of a clone and a merged history all is.
        try await sandbox.makeRepository("other")
        try await sandbox.commit("amended", "--amend", in: "other")
        #expect(try await name(in: "other") != name())
        try await sandbox.git("fetch", "--quiet", sandbox.path("other"))
        try await sandbox.git("merge", "--quiet", "--allow-unrelated-histories", "--strategy", "ours", "FETCH_HEAD")
        #expect(try await name() == "Pack@\(root)")
        try await sandbox.git("clone", "--quiet", sandbox.path("work"), sandbox.path("clone"))
        #expect(try await name(in: "clone") == "work@\(root)")
        // Before the first commit there is nothing to tell it by.
        try await sandbox.git("init", "--quiet", sandbox.path("new"))
        #expect(try await name(in: "new") == "Pack")
        try await sandbox.git("remote", "add", "origin", "https://me:secret@example.org/a/b.git")
        let repository = try await sandbox.repository()
        #expect(try await repository.projectName(packageSubpath: "", packageName: "Pack") == "example.org/a/b")
        #expect(try await repository.projectName(packageSubpath: "Sub", packageName: "Pack") == "example.org/a/b/Sub")
    }
}
