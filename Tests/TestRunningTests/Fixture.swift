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

/// A folder that vanishes with the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "kanmon-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.resolvingSymlinksInPath().path(percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    func write(_ bytes: Data, to name: String) throws -> String {
        let place = "\(path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true
        )
        try bytes.write(to: URL(filePath: place))
        return place
    }
}
