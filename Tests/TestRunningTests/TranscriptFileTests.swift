import Foundation
import TestSupport
import Testing

@testable import TestRunning

@Suite struct TranscriptFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes chunks and answers what is in the file, and how much was dropped.
    private func written(_ chunks: [String], head: Int, tail: Int) throws -> (text: String, dropped: Int) {
        let path = "\(folder.path)/transcript.log"
        let file = try TranscriptFile(path: path, capacity: .init(head: head, tail: tail))
        for chunk in chunks { Array(chunk.utf8).withUnsafeBytes { file.append($0) } }
        let dropped = try file.finish()
        return (String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self), dropped)
    }

    @Test func `what fits is kept as it came`() throws {
        let result = try written(["abc", "", "def"], head: 4, tail: 4)
        #expect(result.text == "abcdef")
        #expect(result.dropped == 0)
    }

    @Test func `the middle of what does not fit is cut and said so`() throws {
        let result = try written(["0123456789"], head: 3, tail: 4)
        #expect(result.text == "012\n[kanmon: 3 bytes were cut here]\n6789")
        #expect(result.dropped == 3)
    }

    @Test(arguments: 1...13)
    func `chunks of any size end in the same file`(size: Int) throws {
        let text = (0..<100).map { String($0 % 10) }.joined()
        let chunks = stride(from: 0, to: 100, by: size).map { String(text.dropFirst($0).prefix(size)) }
        let result = try written(chunks, head: 7, tail: 11)
        #expect(result.text == "0123456\n[kanmon: 82 bytes were cut here]\n90123456789")
        #expect(result.dropped == 82)
    }

    @Test func `what was forgotten is neither at its beginning nor at its end`() throws {
        let path = "\(folder.path)/transcript.log"
        let file = try TranscriptFile(path: path, capacity: .init(head: 3, tail: 4))
        Array("0123456789".utf8).withUnsafeBytes { file.append($0) }
        file.clear()
        Array("ab".utf8).withUnsafeBytes { file.append($0) }
        #expect(try file.finish() == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "ab")
    }

    @Test func `a file that is there already is an error`() throws {
        let path = try folder.write("old", to: "transcript.log")
        #expect(throws: RunnerError.fileSystem(action: "make", path: path, detail: "File exists")) {
            try TranscriptFile(path: path)
        }
    }
}
