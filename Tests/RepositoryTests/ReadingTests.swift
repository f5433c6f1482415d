import Foundation
import Testing

@testable import Repository

@Suite struct ReadingTests {
    @Test func `a file is read as the commit has it`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        try sandbox.write("two\n", to: "work/a.txt")
        try sandbox.write("three\n", to: "work/Kit/[a]*.yml")
        try await sandbox.git("add", "--all")
        let first = try await sandbox.object("HEAD")
        try await sandbox.commit("second")
        let second = try await sandbox.object("HEAD")
        #expect(try await repository.file(at: "a.txt", in: first) == Array("one\n".utf8))
        #expect(try await repository.file(at: "a.txt", in: second) == Array("two\n".utf8))
        #expect(try await repository.file(at: "Kit/[a]*.yml", in: second) == Array("three\n".utf8))
        #expect(try await repository.file(at: "Kit/*.yml", in: second) == nil)
        #expect(try await repository.file(at: "Kit", in: second) == nil)
        #expect(try await repository.files(in: second) == [GitName("Kit/[a]*.yml"), GitName("a.txt")])
        #expect(try await repository.files(in: second, below: "Kit") == [GitName("Kit/[a]*.yml")])
        #expect(try await repository.files(in: first, below: "Kit") == [])
    }

    @Test func `a link is followed within the commit`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        try sandbox.write("two\n", to: "work/settings/gate.yml")
        for (name, text) in [
            ("top.yml", "settings/gate.yml"), ("Kit/up.yml", "../settings/gate.yml"), ("Kit/twice.yml", "../top.yml"),
            ("Linked", "Kit"),
        ] { try sandbox.link("work/\(name)", to: text) }
        try await sandbox.git("add", "--all")
        try await sandbox.commit("links")
        let commit = try await sandbox.object("HEAD")
        // What the working copy has by now is not asked.
        try sandbox.write("other\n", to: "work/settings/gate.yml")
        for path in ["top.yml", "Kit/up.yml", "Kit/twice.yml", "Linked/up.yml"] {
            #expect(try await repository.file(at: path, in: commit) == Array("two\n".utf8), "\(path)")
            #expect(await !repository.isStrayLink(at: path, in: commit), "\(path)")
        }
        #expect(
            try await repository.names(in: commit, of: "Linked") == [GitName("twice.yml"), GitName("up.yml")])
        #expect(try await repository.file(at: "Linked", in: commit) == nil)
        #expect(try await repository.file(at: "Linked/none.yml", in: commit) == nil)
        #expect(await !repository.isStrayLink(at: "Linked/none.yml", in: commit))
    }

    @Test func `a link that leads elsewhere is no file, but something is there`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        try sandbox.write("outside\n", to: "outside.yml")
        let links = [
            ("out.yml", "../outside.yml"), ("absolute.yml", sandbox.path("outside.yml")), ("dangling.yml", "nowhere"),
            ("circle.yml", "circle.yml"), ("Linked", ".."),
        ]
        for (name, text) in links { try sandbox.link("work/\(name)", to: text) }
        try await sandbox.git("add", "--all")
        try await sandbox.commit("links")
        let commit = try await sandbox.object("HEAD")
        for path in ["out.yml", "absolute.yml", "dangling.yml", "circle.yml", "Linked/outside.yml"] {
            #expect(try await repository.file(at: path, in: commit) == nil, "\(path)")
            #expect(await repository.isStrayLink(at: path, in: commit), "\(path)")
            #expect(try await repository.hasFile(at: path, in: commit), "\(path)")
        }
        for path in ["none.yml", "a.txt/none.yml", "none/none.yml"] {
            #expect(try await repository.file(at: path, in: commit) == nil, "\(path)")
            #expect(await !repository.isStrayLink(at: path, in: commit), "\(path)")
            #expect(try await !repository.hasFile(at: path, in: commit), "\(path)")
        }
        // Whatever was asked, the reader still answers.
        #expect(try await repository.file(at: "a.txt", in: commit) == Array("one\n".utf8))
    }

    @Test func `a file whose object is missing is no missing file`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let object = try await sandbox.object("HEAD:a.txt").hexadecimal
        try FileManager.default.removeItem(
            atPath: sandbox.path("work/.git/objects/\(object.prefix(2))/\(object.dropFirst(2))"))
        let head = try await sandbox.object("HEAD")
        await #expect(
            throws: GitError.unexpectedOutput(command: "cat-file", detail: "the object of a.txt is missing")
        ) { _ = try await repository.file(at: "a.txt", in: head) }
    }

    @Test func `a path that ends like another one behind a tab is not that one`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        try sandbox.write("other\n", to: "work/!\tKit/a.yml")
        try sandbox.write("other\n", to: "work/!\tKit/b.yml")
        try sandbox.write("one\n", to: "work/Kit/a.yml")
        try sandbox.write("folder\n", to: "work/Kit\r/c.yml")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("second")
        let second = try await sandbox.object("HEAD")
        // Git itself takes the carriage return for the end of a question.
        #expect(try await repository.names(in: second, of: "Kit\r") == [GitName("c.yml")])
        #expect(try await repository.names(in: second, of: "Kit") == [GitName("a.yml")])
        _ = try await repository.files(in: second)
        #expect(try await repository.file(at: "Kit/a.yml", in: second) == Array("one\n".utf8))
        #expect(try await repository.file(at: "Kit/b.yml", in: second) == nil)
        #expect(try await repository.file(at: "!\tKit/b.yml", in: second) == Array("other\n".utf8))
    }

    @Test func `what was listed before changes nothing about a file`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        try await sandbox.git("config", "core.symlinks", "true")
        try sandbox.write("two\n", to: "work/Kit/b.txt")
        try sandbox.write("three\n", to: "work/Kit/deep/b.txt")
        try await sandbox.git("add", "--all")
        let object = try await sandbox.git("rev-parse", "HEAD:a.txt")
        try await sandbox.git("update-index", "--add", "--cacheinfo", "120000,\(object),Kit/link")
        try await sandbox.commit("second")
        let second = try await sandbox.object("HEAD")
        for folder in ["Kit", ""] {
            let asked = try await sandbox.repository("work")
            _ = try await asked.files(in: second, below: folder)
            #expect(try await asked.files(in: second, below: folder) == repository.files(in: second, below: folder))
            for path in ["Kit/b.txt", "Kit/deep/b.txt", "Kit/link", "Kit/deep", "Kit/.txt", "b.txt", "a.txt"] {
                // The second answer is the one that was kept.
                for _ in 1...2 {
                    #expect(try await asked.file(at: path, in: second) == repository.file(at: path, in: second))
                }
            }
            #expect(try await asked.file(at: "Kit/deep/b.txt", in: second) == Array("three\n".utf8))
            #expect(try await asked.file(at: "Kit/link", in: second) == nil)
            #expect(try await asked.file(at: "a.txt", in: second) == Array("one\n".utf8))
        }
    }

    @Test func `a folder has the names that lie in it, not those below`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        for name in ["Kit/b.txt", "Kit/deep/c.txt", "Kit/生 \n.txt"] { try sandbox.write("two\n", to: "work/\(name)") }
        try await sandbox.git("add", "--all")
        try await sandbox.commit("second")
        let second = try await sandbox.object("HEAD")
        let repository = try await sandbox.repository()
        #expect(try await repository.names(in: second, of: "") == [GitName("Kit"), GitName("a.txt")])
        #expect(
            try await repository.names(in: second, of: "Kit")
                == [GitName("b.txt"), GitName("deep"), GitName("生 \n.txt")])
        #expect(try await repository.names(in: second, of: "Kit/deep") == [GitName("c.txt")])
        #expect(try await repository.names(in: second, of: "nowhere") == [])
        #expect(try await repository.file(at: "Kit/生 \n.txt", in: second) == Array("two\n".utf8))
    }

    @Test func `of a commit that is not there nothing is said`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let absent = try #require(ObjectID(String(repeating: "1", count: 40)))
        for path in ["a.txt", "Kit/a.txt"] {
            let error = await #expect(throws: GitError.self) { _ = try await repository.file(at: path, in: absent) }
            #expect(error?.description.hasPrefix("run git ls-tree (exit status 128): ") == true)
        }
        await #expect(throws: GitError.self) { _ = try await repository.names(in: absent, of: "") }
        #expect(try await repository.tree(of: absent) == nil)
        #expect(try await repository.commit(at: absent.hexadecimal) == nil)
    }

    @Test func `messages come whole, the newest first, without those of the base`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let base = try await sandbox.object("HEAD")
        try await sandbox.commit("second\n\nbody\n\nKey: value")
        let second = try await sandbox.object("HEAD")
        try await sandbox.commit("third")
        let third = try await sandbox.object("HEAD")
        let expected = [
            CommitMessage(commit: third, message: "third\n"),
            CommitMessage(commit: second, message: "second\n\nbody\n\nKey: value\n"),
        ]
        #expect(try await repository.messages(from: base, to: third, limit: 100) == expected)
        #expect(try await repository.messages(from: base, to: third, limit: 1) == [expected[0]])
        #expect(
            try await repository.messages(from: nil, to: base, limit: 9)
                == [CommitMessage(commit: base, message: "first\n")])
    }
}
