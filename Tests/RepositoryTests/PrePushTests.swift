import Testing

@testable import Repository

@Suite struct PrePushTests {
    static let old = String(repeating: "a", count: 40)
    static let new = String(repeating: "b", count: 40)
    static let none = String(repeating: "0", count: 40)

    static func ref(
        _ local: String, _ localObject: String, _ remote: String, _ remoteObject: String
    ) throws -> PushedRef {
        PushedRef(
            localName: GitName(local),
            localObject: try #require(ObjectID(localObject)),
            remoteName: GitName(remote),
            remoteObject: try #require(ObjectID(remoteObject))
        )
    }

    @Test func `each line is a ref`() throws {
        let input = """
            refs/heads/main \(Self.new) refs/heads/main \(Self.old)
            (delete) \(Self.none) refs/heads/gone \(Self.old)
            HEAD@{1 day ago} \(Self.new) refs/heads/x \(Self.none)

            """
        let push = try PrePush(standardInput: Array(input.utf8))
        let refs = [
            try Self.ref("refs/heads/main", Self.new, "refs/heads/main", Self.old),
            try Self.ref("(delete)", Self.none, "refs/heads/gone", Self.old),
            try Self.ref("HEAD@{1 day ago}", Self.new, "refs/heads/x", Self.none),
        ]
        #expect(push.refs == refs)
        #expect(refs.map(\.isDeletion) == [false, true, false])
        #expect(refs.map(\.isNew) == [false, false, true])
    }

    @Test func `objects may have 64 digits`() throws {
        let object = String(repeating: "c", count: 64)
        let none = String(repeating: "0", count: 64)
        let push = try PrePush(standardInput: Array("refs/tags/t \(object) refs/tags/t \(none)\n".utf8))
        #expect(push.refs == [try Self.ref("refs/tags/t", object, "refs/tags/t", none)])
    }

    @Test func `nothing to push is no ref`() throws {
        #expect(try PrePush(standardInput: []).refs == [])
    }

    @Test func `a name need not be text`() throws {
        let line = Array("refs/heads/".utf8) + [0xFF] + Array(" \(Self.new) refs/heads/x \(Self.old)\n".utf8)
        #expect(try PrePush(standardInput: line).refs.map(\.localName.bytes) == [Array("refs/heads/".utf8) + [0xFF]])
    }

    @Test(arguments: [
        "\n", "x\n", "a b c d\n", "refs/heads/main  refs/heads/main \n", "a \(old) b \(new)", " \(old) b \(new)\n",
    ])
    func `anything else is refused with its line`(input: String) {
        #expect(throws: PrePush.InputError.self) { try PrePush(standardInput: Array(input.utf8)) }
    }

    @Test func `input that is cut short is refused, wherever`() throws {
        let line = Array("refs/heads/main \(Self.new) refs/heads/main \(Self.old)\n".utf8)
        for length in 1..<line.count {
            #expect(throws: PrePush.InputError.self) { try PrePush(standardInput: Array(line[..<length])) }
        }
    }
}
