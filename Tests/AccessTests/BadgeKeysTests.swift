import Evidence
import Foundation
import TestSupport
import Testing

@testable import Access

@Suite struct BadgeKeysTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/badge-secret" }

    init() throws { folder = try TemporaryFolder() }

    @Test func `a key opens the badge of its project, also after a restart, and no other`() throws {
        let keys = try BadgeKeys(path: path)
        let key = keys.key(of: "kit")
        #expect(key.utf8.count == 32 && key.allSatisfy { $0.isHexDigit })
        #expect(keys.opens(key, "kit") && !keys.opens(key, "kit2") && keys.key(of: "kit2") != key)
        for wrong in ["", "0", String(repeating: "0", count: 32), key.uppercased(), key + "0", String(key.dropLast())]
        where wrong != key {
            #expect(!keys.opens(wrong, "kit"))
        }
        #expect(try BadgeKeys(path: path).opens(key, "kit"))
    }

    @Test func `the secret is its owner's alone, and another one ends all keys`() throws {
        let key = try BadgeKeys(path: path).key(of: "kit")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try FileManager.default.removeItem(atPath: path)
        #expect(try !BadgeKeys(path: path).opens(key, "kit"))
    }

    @Test func `what is no secret is refused, not replaced`() throws {
        _ = try folder.write("short", to: "badge-secret")
        #expect(throws: EvidenceError.self) { try BadgeKeys(path: path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "short")
    }
}
