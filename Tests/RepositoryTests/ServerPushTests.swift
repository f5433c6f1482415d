import Testing

@testable import Repository

@Suite struct ServerPushTests {
    private static let one = String(repeating: "1", count: 40)
    private static let two = String(repeating: "2", count: 40)
    private static let none = String(repeating: "0", count: 40)

    @Test func `every line of a pre-receive hook is a ref`() throws {
        let input = "\(Self.one) \(Self.two) refs/heads/main\n\(Self.none) \(Self.one) refs/tags/v 1\n"
        let refs = try ServerPush.refs(standardInput: Array(input.utf8))
        #expect(refs.map(\.remoteName.description) == ["refs/heads/main", "refs/tags/v 1"])
        #expect(refs.map(\.localObject.hexadecimal) == [Self.two, Self.one])
        #expect(refs.map(\.isNew) == [false, true])
        #expect(refs.map(\.branch) == ["main", nil])
        #expect(try ServerPush.refs(standardInput: []) == [])
    }

    @Test func `what is cut short at any byte is an error`() {
        let input = Array("\(Self.one) \(Self.two) refs/heads/main\n".utf8)
        for count in 1..<input.count {
            #expect(throws: PrePush.InputError.self) { try ServerPush.refs(standardInput: Array(input[..<count])) }
        }
    }

    @Test func `an update hook is given one ref by its arguments`() throws {
        let ref = try ServerPush.ref(arguments: ["refs/heads/main", Self.one, Self.none])
        #expect(ref.isDeletion)
        #expect(ref.remoteObject.hexadecimal == Self.one)
        for arguments in [[], ["refs/heads/main", Self.one], ["", Self.one, Self.two], ["r", "1", Self.two]] {
            #expect(throws: PrePush.InputError.self) { try ServerPush.ref(arguments: arguments) }
        }
    }
}
