import Foundation
import RunModel
import TestSupport
import Testing

@testable import Access

/// The key with which a server signs.
@Suite struct ServerKeyTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/server.key" }

    init() throws { folder = try TemporaryFolder() }

    @Test func `a key is made when it is first needed, for its owner alone, and stays the same`() throws {
        let key = ServerKey(path: path)
        #expect(!FileManager.default.fileExists(atPath: path))
        let first = try key.verifyingKey()
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try key.verifyingKey() == first)
        #expect(try ServerKey(path: path).verifyingKey() == first)
        #expect(first.id.utf8.count == 16)
        #expect(VerifyingKey(first.description) == first)
    }

    @Test func `what was signed is verified, and anything else is not`() throws {
        let key = ServerKey(path: path)
        let other = ServerKey(path: path + ".other")
        let signed = try key.sign("{\"ガ\":1}")
        let own = try key.verifyingKey()
        #expect(own.verifies(signed))
        #expect(try !other.verifyingKey().verifies(signed))
        let changes: [(inout SignedStatement) -> Void] = [
            { $0.statement += " " }, { $0.statement = "" },
            { $0.statement = "{\"カ\u{3099}\":1}" }, { $0.signature = "" }, { $0.signature = "AAAA" },
            { $0.key = "0000000000000000" },
        ]
        for change in changes {
            var changed = signed
            change(&changed)
            #expect(!own.verifies(changed))
        }
        var foreign = try other.sign(signed.statement)
        foreign.key = own.id
        #expect(!own.verifies(foreign))
    }

    @Test func `a file that is no key, or that others can read, is not used`() throws {
        for text in ["", "key", Data([1, 2, 3]).base64EncodedString()] {
            try folder.write(text, to: "server.key")
            #expect(chmod(path, 0o600) == 0)
            #expect(throws: AccessError.badKey(path: path, reason: "it is no key")) {
                try ServerKey(path: path).verifyingKey()
            }
        }
        try FileManager.default.removeItem(atPath: path)
        _ = try ServerKey(path: path).verifyingKey()
        #expect(chmod(path, 0o644) == 0)
        #expect(throws: AccessError.self) { try ServerKey(path: path).verifyingKey() }
        #expect(throws: AccessError.self) { try ServerKey(path: "\(folder.path)/none/server.key").verifyingKey() }
    }

    @Test(arguments: ["", "x", "====", String(repeating: "A", count: 44), String(repeating: "A", count: 43)])
    func `a text of another form is no key`(text: String) { #expect(VerifyingKey(text) == nil) }
}
