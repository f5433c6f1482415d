import RunModel
import Testing

@testable import Evidence

/// Lists of files that are no run directory, refused before anything of them is looked for.
@Suite struct DeliveryCheckTests {
    private static let hash = String(repeating: "a", count: 64)

    /// What is said of a list of empty files beside a manifest; `nil` if it may be that of a run.
    private func refusal(_ paths: [String]) -> String? {
        let files = (paths + [RunManifest.fileName]).map { Delivery.File(path: $0, sha256: Self.hash, size: 0) }
        do throws(EvidenceError) {
            try Delivery(project: "kit", files: files).check()
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// A path of so many parts.
    private func deep(_ parts: Int) -> String { Array(repeating: "p", count: parts).joined(separator: "/") }

    /// A path of three parts and so many bytes.
    private func long(_ bytes: Int) -> String {
        let name = String(repeating: "n", count: 200)
        return "\(name)/\(name)/" + String(repeating: "n", count: bytes - 402)
    }

    @Test func `a path has at most eight parts and 512 bytes`() {
        #expect(refusal([deep(8), long(512)]) == nil)
        #expect(refusal([deep(9)]) == "\(deep(9)): the path has more than 8 parts")
        #expect(
            refusal([long(513)]) == String(repeating: "n", count: 100) + "…: the path has more than 512 bytes")
        let name = String(repeating: "n", count: 255)
        #expect(refusal([name, "passes/\(name)"]) == nil)
        #expect(refusal([name + "n"]) == "\(name)n: a part of the path has more than 255 bytes")
    }

    @Test(arguments: ["../a", "/a", "a//b", "a/", "a/./b", "", "a\0b"])
    func `a path stays inside of the run directory`(path: String) {
        #expect(refusal([path]) == "\(path): the path leads out of the run directory")
    }

    @Test func `no file lies in another one, nor is it listed twice`() {
        #expect(refusal(["a-b", "a/b", "a0", "ab/c", "b/a"]) == nil)
        #expect(refusal(["a/b/c", "a-b", "a"]) == "a/b/c: 'a' is listed as a file")
        #expect(refusal(["b", "a/b", "a/b/c/d", "a/bc"]) == "a/b/c/d: 'a/b' is listed as a file")
        #expect(refusal(["a/b", "a/b"]) == "a/b: it is listed twice")
        // To `Character`, a slash before a combining mark is no slash.
        #expect(refusal(["a", "a/\u{301}b"]) == "a/\u{301}b: 'a' is listed as a file")
        // Two names: nothing lies in a name that is only spelt alike.
        #expect(refusal(["u\u{308}", "\u{FC}/a"]) == nil)
    }

    @Test func `the file of the server itself is not taken`() {
        #expect(refusal(["delivery.json"]) == "delivery.json: the server writes that file")
        #expect(refusal(["delivery.json/a"]) == "delivery.json/a: the server writes that file")
    }
}
