import RunModel
import Testing

@testable import Repository

@Suite struct ObjectReaderTests {
    private func object(_ answer: ObjectReader.Answer) -> GitObject? {
        if case .object(let object) = answer { object } else { nil }
    }

    @Test func `every kind of object arrives whole, as often as it is asked for`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let large = String(repeating: "0123456789\n", count: 100_000)
        try sandbox.write(large, to: "work/Kit/large [a].txt")
        try sandbox.write("", to: "work/empty")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("second")
        let reader = repository.objects
        for _ in 1...2 {
            let commit = try #require(object(await reader.answer(to: "HEAD^{commit}")))
            #expect(commit.id == (try await sandbox.object("HEAD")))
            #expect(commit.kind == .commit)
            #expect(commit.tree == (try await sandbox.object("HEAD^{tree}")))
            #expect(commit.subject == "second")
            let tree = try #require(object(await reader.answer(to: "HEAD^{tree}")))
            #expect(
                tree.entries == [
                    GitObject.Entry(
                        mode: Array("40000".utf8), name: GitName("Kit"), object: try await sandbox.object("HEAD:Kit")),
                    GitObject.Entry(
                        mode: Array("100644".utf8), name: GitName("a.txt"),
                        object: try await sandbox.object("HEAD:a.txt")),
                    GitObject.Entry(
                        mode: Array("100644".utf8), name: GitName("empty"),
                        object: try await sandbox.object("HEAD:empty")),
                ])
            #expect(object(await reader.answer(to: "HEAD:Kit/large [a].txt"))?.bytes == Array(large.utf8))
            #expect(object(await reader.answer(to: "HEAD:empty"))?.bytes == [])
            #expect(await reader.answer(to: "HEAD:nowhere and missing") == .none)
            #expect(await reader.answer(to: "HEAD:empty/nowhere") == .none)
        }
    }

    @Test func `many that ask at once get each their own answer`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        for number in 0..<40 { try sandbox.write("\(number)", to: "work/\(number)") }
        try await sandbox.git("add", "--all")
        try await sandbox.commit("second")
        let texts = await withTaskGroup(of: (Int, String?).self) { group in
            for number in 0..<40 {
                group.addTask {
                    guard case .object(let blob) = await repository.objects.answer(to: "HEAD:\(number)") else {
                        return (number, nil)
                    }
                    return (number, String(decoding: blob.bytes, as: UTF8.self))
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(texts == Dictionary(uniqueKeysWithValues: (0..<40).map { ($0, "\($0)") }))
    }

    @Test func `what is new since the process began is found, and a rest is no end`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        #expect(object(await repository.objects.answer(to: "HEAD^{commit}"))?.subject == "first")
        try await sandbox.commit("second")
        #expect(object(await repository.objects.answer(to: "HEAD^{commit}"))?.subject == "second")
        repository.rest()
        try await sandbox.git("gc", "--quiet")
        #expect(object(await repository.objects.answer(to: "HEAD^{commit}"))?.subject == "second")
    }

    @Test func `where git ends over a name, every question is asked in a process of its own`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let head = try await sandbox.object("HEAD")
        #expect(await repository.objects.answer(to: "HEAD\nHEAD") == .unknown)
        #expect(await repository.objects.answer(to: "HEAD@{100}") == .unknown)
        #expect(await repository.objects.answer(to: "HEAD^{commit}") == .unknown)
        #expect(try await repository.commit(at: "HEAD") == head)
        #expect(try await repository.commit(at: "refs/heads/nowhere") == nil)
        #expect(try await repository.tree(of: head) == (try await sandbox.object("HEAD^{tree}")))
        #expect(try await repository.file(at: "a.txt", in: head) == Array("one\n".utf8))
        #expect(try await repository.names(in: head, of: "") == [GitName("a.txt")])
        #expect(try await repository.revision().commit == head.hexadecimal)
        #expect(try await repository.commit(at: "HEAD@{100}") == nil)
    }

    @Test func `a tree that is cut short has no entries`() throws {
        let id = try #require(ObjectID(String(repeating: "a", count: 40)))
        let entry = Array("100644 a".utf8) + [0] + [UInt8](repeating: 0xBC, count: 20)
        for count in 1..<entry.count {
            #expect(GitObject(id: id, kind: .tree, bytes: Array(entry.prefix(count))).entries == nil)
        }
        let other = try #require(ObjectID(String(repeating: "bc", count: 20)))
        #expect(
            GitObject(id: id, kind: .tree, bytes: entry + entry).entries
                == [GitObject.Entry](
                    repeating: GitObject.Entry(mode: Array("100644".utf8), name: GitName("a"), object: other), count: 2)
        )
    }
}
