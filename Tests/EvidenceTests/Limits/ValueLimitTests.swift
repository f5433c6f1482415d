import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence

/// Files that are decoded as a whole are refused before that.
@Suite struct ValueLimitTests {
    private static func list(_ count: Int, of text: String) -> [UInt8] {
        Array("[\(Array(repeating: text, count: count).joined(separator: ","))]".utf8)
    }

    private static let limits: [(role: ArtifactRole, bytes: Int, values: Int)] = [
        (.policy, 2 << 20, 100_000), (.baseline, 16 << 20, 400_000), (.comparison, 16 << 20, 800_000),
    ]

    @Test(arguments: limits.indices)
    func `what has more values or bytes than its role may have is refused`(index: Int) throws {
        let (role, bytes, values) = Self.limits[index]
        func refusal(_ text: [UInt8]) -> EvidenceError? {
            do throws(EvidenceError) {
                try RunDirectory.check(text, as: role, file: "f")
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal(Self.list(values, of: "1")) == nil)
        #expect(
            refusal(Self.list(values + 1, of: "1"))
                == .tooLarge(file: "f", reason: "more than \(values) values in a file of JSON"))
        let space = [UInt8](repeating: 0x20, count: bytes)
        #expect(refusal(space) == nil)
        #expect(
            refusal(space + [0x20]) == .tooLarge(file: "f", reason: "\(bytes + 1) bytes, the limit is \(bytes)"))
    }

    @Test func `a comma in a text is no value`() throws {
        let text = Array(#"["\"\#(String(repeating: ",", count: 200_000))"]"#.utf8)
        #expect(throws: Never.self) { try RunDirectory.check(text, as: .policy, file: "f") }
    }

    @Test func `an artifact is not decoded beyond the limits of its role`() throws {
        let folder = try TemporaryFolder()
        let writer = try RunDirectory.Writer(creating: "\(folder.path)/run")
        let small = try writer.write(Self.list(3, of: "1"), as: .policy, to: "small.json")
        let large = try writer.write(Self.list(100_001, of: "1"), as: .policy, to: "large.json")
        let directory = try writer.finish(RecordedRun().manifest([small, large]))
        #expect(try directory.value(of: small) == Array("[1,1,1]".utf8))
        let refusal = EvidenceError.tooLarge(file: "large.json", reason: "more than 100000 values in a file of JSON")
        #expect(throws: refusal) { try directory.value(of: large) }
    }

    @Test func `a manifest with very many values is refused`() throws {
        var manifest = RecordedRun().manifest([])
        manifest.profiles = Array(repeating: 1, count: 250_000)
        let bytes = try manifest.encoded()
        #expect(throws: EvidenceError.tooLarge(file: "m", reason: "more than 250000 values in a file of JSON")) {
            try RunManifest.decoded(bytes, path: "m")
        }
    }
}
