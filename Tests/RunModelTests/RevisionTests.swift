import RunModel
import Testing

@Suite struct RevisionTests {
    private static func told(_ text: String) -> Revision {
        Revision(commit: nil, tree: nil, branch: nil, subject: text, author: text, isDirty: true)
    }

    @Test(arguments: ["", "Fix it", String(repeating: "a", count: 1024)])
    func `what git says of a commit is kept`(text: String) {
        let revision = Self.told(text)
        #expect(revision.subject == text && revision.author == text)
    }

    @Test(arguments: ["a", "é", "検", "🇯🇵", "e\u{301}"])
    func `of a very long subject and author the beginning is kept, of whole characters of Unicode`(
        letter: String
    ) throws {
        let revision = Self.told(String(repeating: letter, count: 2_000))
        for text in [revision.subject, revision.author] {
            let text = try #require(text)
            #expect((1_018...1_024).contains(text.utf8.count))
            #expect(text.hasPrefix(letter) && text.hasSuffix("…") && !text.contains("\u{FFFD}"))
        }
    }
}
