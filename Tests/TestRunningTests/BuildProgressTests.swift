import Testing

@testable import TestRunning

@Suite struct BuildProgressTests {
    /// The counts told when the text comes in chunks of one size.
    private func counts(_ text: String, chunk: Int) -> [[Int]] {
        var progress = BuildProgress()
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: chunk).compactMap { start in
            progress.receive(bytes[start..<min(start + chunk, bytes.count)]).map { [$0.done, $0.total] }
        }
    }

    @Test func `a recorded build is counted line by line`() throws {
        let told = counts(try Fixture.text("mixed-build.log"), chunk: 1)
        #expect(told.first == [0, 18])
        #expect(told.last == [37, 38])
        #expect(told.count == 29)
    }

    @Test(arguments: 1...9)
    func `chunks do not matter for the last count`(chunk: Int) {
        #expect(counts("[1/3] a\n[2/3] b [9/9]\nx [7/7]\n[3/3] c\n", chunk: chunk).last == [3, 3])
    }

    @Test(arguments: ["[/]", "[1/]", "[4/3]", "[-1/3]", "[1/2/3]", "[99999999999999999999/1]", "[a/b]", "(1/2]"])
    func `what only looks like a count is none`(text: String) {
        #expect(counts(text + "\n", chunk: 64) == [])
    }
}
