import Foundation
import Testing

/// Recorded bytes; see `Fixtures/README.md`.
enum Fixture {
    static func bytes(_ name: String) throws -> Data {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil))
        return try Data(contentsOf: url)
    }

    static func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    static func lines(_ name: String) throws -> [Data] {
        try bytes(name).split(separator: UInt8(ascii: "\n")).map { Data($0) }
    }
}
