import Foundation
import TestSupport
import Testing

@testable import Evidence

@Suite struct FileWriterTests {
    /// The second folder lies in memory, where a file system may know no way past the cache.
    @Test(arguments: [0, 1, 4_095, 4_096, 262_143, 262_144, 262_145, 524_288, 700_001], ["/tmp", "/dev/shm"])
    func `a file has the bytes that were written, in pieces of any size`(size: Int, root: String) throws {
        let folder = "\(root)/kanmon-\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var random = SplitMix64(seed: UInt64(size))
        let bytes = (0..<size).map { _ in UInt8(random.below(256)) }
        var file = try FileWriter(creating: "\(folder)/a")
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(1 + random.below(200_000)))
            try piece.withUnsafeBufferPointer { piece throws(EvidenceError) in
                try file.append(UnsafeRawBufferPointer(piece))
            }
            rest = rest.dropFirst(piece.count)
        }
        try file.finish()
        try FileBytes.write(bytes, to: "\(folder)/b")
        for name in ["a", "b"] {
            #expect(try [UInt8](Data(contentsOf: URL(filePath: "\(folder)/\(name)"))) == bytes)
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        #expect(throws: EvidenceError.unwritable(path: "\(folder)/a", reason: "File exists")) {
            try FileBytes.write([], to: "\(folder)/a")
        }
    }
}
