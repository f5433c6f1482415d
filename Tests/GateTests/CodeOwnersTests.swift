import RunModel
import TestSupport
import Testing

@testable import Gate

/// Owners by the rules that GitHub, GitLab and Gitea publish.
@Suite struct CodeOwnersTests {
    private func read(_ text: String, _ form: CodeOwnersForm, folder: String = "") -> CodeOwners {
        CodeOwners(CodeOwnersFile(path: "CODEOWNERS", form: form, text: text, folder: folder))
    }

    private static let gitHub = """
        # Everybody, unless a later line is about the file.
        *       @org/everyone @lea
        *.swift @lin  # who knows the language
        *.txt   text@example.org

        /build/logs/ @ops
        docs/*  @docs
        apps/   @amal
        /scripts/ @amal @bo
        **/logs @zoe
        /Sources/Core @org/core
        /Sources/Core/Generated
        """

    @Test(
        arguments: [
            ("LICENSE", ["@org/everyone", "@lea"], 2), ("deep/down/a.c", ["@org/everyone", "@lea"], 2),
            ("a.swift", ["@lin"], 3), ("Tests/ATests/a.swift", ["@lin"], 3), ("x/notes.txt", ["text@example.org"], 4),
            ("build/logs/a.log", ["@zoe"], 10), ("build/logs/old/a.log", ["@zoe"], 10), ("logs/x", ["@zoe"], 10),
            ("docs/start.md", ["@docs"], 7), ("docs/app/start.md", ["@org/everyone", "@lea"], 2),
            ("apps/a/b.c", ["@amal"], 8), ("other/apps/b.c", ["@amal"], 8), ("apps", ["@org/everyone", "@lea"], 2),
            ("scripts/run", ["@amal", "@bo"], 9), ("other/scripts/run", ["@org/everyone", "@lea"], 2),
            ("Sources/Core/A.swift", ["@org/core"], 11), ("Sources/Core/Generated/B.swift", [], 12),
            ("Sources/CoreUI/A.swift", ["@lin"], 3), ("more/Sources/Core/A.swift", ["@lin"], 3),
        ] as [(String, [String], Int)])
    func `the last line of GitHub's file that matches says who owns a file`(
        path: String, owners: [String], line: Int
    ) {
        let found = read(Self.gitHub, .gitHub).owners(of: path)
        #expect(found?.owners == owners)
        #expect(found?.rules.map(\.line) == [line])
    }

    @Test func `lines that GitHub cannot read are skipped and named`() {
        let text = """
            *.swift @lin
            !a.swift @bo
            src/[ab].c @bo
            \\#odd @bo
            *.swift bo
            a//b @bo
            \\*.md @star
            a\\
            """
        let list = read(text, .gitHub)
        #expect(list.fault == nil)
        #expect(list.skipped.map(\.line) == [2, 3, 4, 5, 6, 8])
        #expect(list.skipped.first?.reason == "GitHub knows no '!'")
        #expect(list.skipped[3].reason == "'bo' is no @user, @org/team or address")
        #expect(list.owners(of: "a.swift")?.owners == ["@lin"])
        #expect(list.owners(of: "*.md")?.owners == ["@star"])
        #expect(list.owners(of: "b.md") == nil)
    }

    private static let gitLab = """
        * @admin
        # A name with a number sign, and one with blanks.
        \\#a.swift @sharp
        with\\ blanks/ @blank

        [Docs] @docs-team
        docs/
        README.md
        *.txt @writers nobody

        ^[Database][2] @data @amal
        model/db/
        !model/db/made/
        /model/db/made/kept.sql @late
        config/db/setup.md @docs-team

        [DOCS]
        /guide/*.md @guides
        /guide/**/index.md @index
        """

    @Test(arguments: [
        ("main.swift", ["@admin"]), ("sub/#a.swift", ["@sharp"]), ("x/with blanks/a", ["@blank"]),
        ("README.md", ["@admin", "@docs-team"]), ("sub/README.md", ["@admin", "@docs-team"]),
        ("docs/a/b.c", ["@admin", "@docs-team"]), ("sub/docs/b.c", ["@admin", "@docs-team"]),
        ("docs/a.txt", ["@admin", "@writers"]), ("model/db/a.sql", ["@admin", "@data", "@amal"]),
        ("model/db/a.txt", ["@admin", "@writers", "@data", "@amal"]), ("model/db/made/a.sql", ["@admin"]),
        ("model/db/made/kept.sql", ["@admin"]), ("x/config/db/setup.md", ["@admin", "@docs-team"]),
        ("guide/a.md", ["@admin", "@guides"]), ("guide/deep/a.md", ["@admin"]),
        ("guide/index.md", ["@admin", "@index"]),
        ("guide/deep/er/index.md", ["@admin", "@index"]), ("docs", ["@admin"]), (".gitlab-ci.yml", ["@admin"]),
    ])
    func `each section of GitLab's file names owners by its last line that matches`(path: String, owners: [String]) {
        #expect(read(Self.gitLab, .gitLab).owners(of: path)?.owners == owners)
    }

    @Test func `a section of GitLab's file is named, and what is no heading is a line of the section before`() {
        let list = read("[ A  b ]\nx @one\n[a B]\ny @two\n[open\nz @three\n[][2]\n", .gitLab)
        #expect(list.owners(of: "x")?.rules == [OwnerRule(line: 2, pattern: "x", section: "A b", owners: ["@one"])])
        #expect(list.owners(of: "y")?.rules == [OwnerRule(line: 4, pattern: "y", section: "A b", owners: ["@two"])])
        #expect(list.owners(of: "z")?.owners == ["@three"])
        #expect(list.skipped == [5, 7].map { SkippedOwnerLine(line: $0, reason: "'[' is not supported") })
    }

    @Test func `sections whose names differ in their bytes are two, but for the case of letters`() {
        let list = read("[caf\u{E9}] @one\na\n[cafe\u{301}] @two\na\n[CAF\u{C9}] @three\nb\n", .gitLab)
        #expect(list.owners(of: "a")?.owners == ["@one", "@two"])
        #expect(list.owners(of: "b")?.rules.map(\.section) == ["caf\u{E9}"])
    }

    private static let gitea = """
        .*\\\\.swift @lin @org/lang # the language's people
        Sources/Core/.* @org/core
        !Sources/.* @rest
        docs/(aws|azure)/[^/]*\\\\.(md|txt) @amal
        with\\#sharp @sharp
        with\\ blank @blank
        a|.*b @org/team/more @two
        none
        x(?=y) @look
        \\\\bword @bound
        """

    @Test(
        arguments: [
            ("Sources/Core/A.swift", ["@lin", "@org/lang", "@org/core"]), ("Sources/A.c", nil),
            ("docs/aws/a.md", ["@rest", "@amal"]), ("docs/aws/b/a.md", ["@rest"]), ("with#sharp", ["@rest", "@sharp"]),
            ("with blank", ["@rest", "@blank"]), ("Aswift", ["@rest"]),
            // `^a|.*b$` begins with one, or ends with the other.
            ("abc", ["@rest", "@two"]), ("cb", ["@rest", "@two"]), ("cbc", ["@rest"]),
        ] as [(String, [String]?)])
    func `every expression of Gitea's file that matches names owners`(path: String, owners: [String]?) {
        #expect(read(Self.gitea, .gitea).owners(of: path)?.owners == owners)
    }

    @Test func `lines that Gitea cannot read, or that are not supported, are skipped and named`() {
        let list = read(Self.gitea, .gitea)
        #expect(
            list.skipped == [
                SkippedOwnerLine(line: 8, reason: "it names no owner"),
                SkippedOwnerLine(
                    line: 9, reason: "its pattern has flags, or looks around, which is not supported"),
                SkippedOwnerLine(line: 10, reason: "its pattern has a '\\b', which is not supported"),
            ])
    }

    @Test func `patterns are relative to the top of the repository, and paths to the package`() {
        let list = read("/kit/Sources/ @kit\n/Sources/ @top\n", .gitHub, folder: "kit")
        #expect(list.owners(of: "Sources/A.swift")?.owners == ["@kit"])
        #expect(list.owners(inRepository: "Sources/A.swift")?.owners == ["@top"])
        for path in ["/Sources/A.swift", "../Sources/A.swift", "Sources/../A.swift", "", "./A.swift", "Sources//A"] {
            #expect(list.owners(of: path) == nil)
        }
    }

    @Test func `names are compared by their bytes, and lines may end with CR LF behind a byte order mark`() {
        let text = "\u{FEFF}/caf\u{E9}.swift @one\r\n/日本/ @two\r\n/\u{202E}x @three\r\n?.md @four\r\n"
        let list = read(text, .gitHub)
        #expect(list.skippedCount == 0)
        #expect(list.owners(of: "caf\u{E9}.swift")?.owners == ["@one"])
        #expect(list.owners(of: "cafe\u{301}.swift") == nil)
        #expect(list.owners(of: "日本/a")?.owners == ["@two"])
        #expect(list.owners(of: "\u{202E}x/y")?.owners == ["@three"])
        #expect(list.owners(of: "é.md")?.owners == ["@four"])
        #expect(list.owners(of: "👩‍👩‍👧.md") == nil)
    }

    @Test(arguments: [(gitHub, CodeOwnersForm.gitHub), (gitLab, .gitLab), (gitea, .gitea)])
    func `a file that is cut anywhere is read as far as it goes`(text: String, form: CodeOwnersForm) {
        let bytes = Array(text.utf8)
        for end in bytes.indices {
            let list = read(String(decoding: bytes[..<end], as: UTF8.self), form)
            #expect(list.fault == nil)
            _ = list.owners(of: "Sources/Core/A.swift")
        }
    }
}
