import Evidence
import Foundation
import TestSupport
import Testing

@testable import Access

@Suite struct AddressKeysTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/badge-secret" }

    init() throws { folder = try TemporaryFolder() }

    @Test func `a key opens one address of its project, also after a restart, and no other`() throws {
        let keys = try AddressKeys(path: path)
        let key = keys.key(of: "kit", for: .badge)
        #expect(key.utf8.count == 32 && key.allSatisfy { $0.isHexDigit })
        #expect(
            keys.opens(key, .badge, of: "kit") && !keys.opens(key, .badge, of: "kit2")
                && keys.key(of: "kit2", for: .badge) != key)
        #expect(!keys.opens(key, .feed, of: "kit") && keys.opens(keys.key(of: "kit", for: .feed), .feed, of: "kit"))
        for wrong in ["", "0", String(repeating: "0", count: 32), key.uppercased(), key + "0", String(key.dropLast())]
        where wrong != key {
            #expect(!keys.opens(wrong, .badge, of: "kit"))
        }
        #expect(try AddressKeys(path: path).opens(key, .badge, of: "kit"))
    }

    @Test func `the secret is its owner's alone, and another one ends all keys`() throws {
        let key = try AddressKeys(path: path).key(of: "kit", for: .badge)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try FileManager.default.removeItem(atPath: path)
        #expect(try !AddressKeys(path: path).opens(key, .badge, of: "kit"))
    }

    @Test func `what is no secret is refused, not replaced`() throws {
        _ = try folder.write("short", to: "badge-secret")
        #expect(throws: EvidenceError.self) { try AddressKeys(path: path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "short")
    }
}
