import Foundation
import RunModel
import Testing

@Suite struct ForgeRepositoryTests {
    private let base = String(repeating: "0a", count: 20)
    private let head = String(repeating: "1b", count: 32)

    @Test(arguments: [
        ("https://github.com/acme/kit", ForgeRepository.Kind.gitHub), ("https://github.acme.example/a/b", .gitHub),
        ("https://gitlab.com/a/b/c", .gitLab), ("https://GitLab.example.com:8443/a/b", .gitLab),
        ("https://codeberg.org/a/b", .gitea), ("https://gitea.example.com/a/b", .gitea),
        ("https://forgejo.example.com/a/b", .gitea), ("https://bitbucket.org/a/b", .bitbucket),
    ])
    func `a host tells which forge it is`(_ url: String, _ kind: ForgeRepository.Kind) {
        #expect(ForgeRepository(url: url)?.kind == kind)
    }

    @Test(arguments: [
        "https://example.com/a/b", "https://bitbucket.example.com/a/b", "https://mygithub.com/a/b",
        "https://github.com",
        "https://github.com/", "http://github.com/a/b", "https://me:secret@github.com/a/b", "javascript://github.com/a",
        "https://github.com/a/../b", "https://github.com/a//b", "https://github.com/a?b", "https://github.com/a#b",
        "https://github.com/a\"b", "https://github.com/%2e%2e/b", "https://github.com/a\\b", "https://github.com/ä", "",
    ])
    func `what is no plain address of a known forge is none`(_ url: String) {
        #expect(ForgeRepository(url: url) == nil)
    }

    @Test func `each forge forms the addresses of commits in its own way`() {
        func pages(_ kind: ForgeRepository.Kind) -> [String?] {
            let found = ForgeRepository(kind, url: "https://f.example/a/b")
            return [found?.page(ofCommit: head), found?.page(from: base, to: head)]
        }
        let url = "https://f.example/a/b"
        #expect(pages(.gitHub) == ["\(url)/commit/\(head)", "\(url)/compare/\(base)...\(head)"])
        #expect(pages(.gitea) == pages(.gitHub))
        #expect(pages(.gitLab) == ["\(url)/-/commit/\(head)", "\(url)/-/compare/\(base)...\(head)"])
        #expect(pages(.bitbucket) == ["\(url)/commits/\(head)", "\(url)/branches/compare/\(head)%0D\(base)"])
    }

    @Test(arguments: ["", "main", "0a0a", "../../x", "\"><script>", String(repeating: "0A", count: 20)])
    func `only a whole hash becomes a part of an address`(_ hash: String) {
        let found = ForgeRepository(.gitHub, url: "https://github.com/a/b")
        #expect(found?.page(ofCommit: hash) == nil)
        #expect(found?.page(from: hash, to: head) == nil && found?.page(from: head, to: hash) == nil)
        #expect(found?.page(from: head, to: head) == nil)
    }

    @Test func `an address that a delivered run made up becomes no link`() throws {
        let text = #"{"kind": "github", "url": "javascript:alert(1)//github.com/a"}"#
        let found = try JSONDecoder().decode(ForgeRepository.self, from: Data(text.utf8))
        #expect(found.page(ofCommit: head) == nil && found.page(from: base, to: head) == nil)
    }

    @Test func `runs of one repository have it in common`() {
        func origin(_ url: String?) -> RunHost? {
            RunHost(host: "a", repository: url.flatMap { ForgeRepository(url: $0) })
        }
        let first = origin("https://github.com/a/b")
        #expect(RunHost.common(of: [first, first]) == first)
        #expect(RunHost.common(of: [first, origin("https://github.com/a/c")]) == origin(nil))
        #expect(RunHost.common(of: [first, origin(nil)]) == origin(nil))
        #expect(RunHost(host: nil, repository: ForgeRepository(url: "https://github.com/a/b")) != nil)
    }
}
