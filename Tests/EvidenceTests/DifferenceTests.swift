import Evidence
import Testing

/// Files as differences from earlier ones.
@Suite struct DifferenceTests {
    private static let text = Array((0..<2_000).map { "line \($0): \($0 * 7_919 % 1_013)\n" }.joined().utf8)

    /// A text with an edit of each kind.
    private static let edited: [UInt8] = {
        var text = Self.text
        text.replaceSubrange(100..<105, with: Array("another".utf8))
        text.removeSubrange(9_000..<9_500)
        text.insert(contentsOf: Array("関門 ".utf8), at: 20_000)
        // What was at the end comes first.
        return Array(text.suffix(3_000)) + text.dropLast(3_000)
    }()

    private func made(_ difference: [UInt8], from earlier: [UInt8]) throws -> [UInt8] {
        try Difference.apply(difference, to: earlier)
    }

    private func isDamaged(_ difference: [UInt8], from earlier: [UInt8]) -> Bool {
        do throws(EvidenceError) {
            _ = try Difference.apply(difference, to: earlier)
            return false
        } catch {
            if case .damaged(file: "the difference", reason: _) = error { return true }
            return false
        }
    }

    @Test func `a file with a few edits is a few bytes, and the same file afterwards`() throws {
        let difference = Difference.between(Self.text, Self.edited)
        #expect(difference.count < 100)
        #expect(try made(difference, from: Self.text) == Self.edited)
    }

    @Test(
        arguments: [
            ([], []), ([], [1]), ([1], []), ([1, 2], [1, 2]), (text, text), (text, []), ([], text), (text, edited),
            (Array(repeating: 0, count: 70_000), Array(repeating: 0, count: 0x10000)),
            (Array(repeating: 0, count: 300), Array(repeating: 0, count: 1_000)),
            (Array(text.prefix(15)), Array(text.prefix(16))), (Array(text.prefix(16)), Array(text.prefix(17))),
        ] as [([UInt8], [UInt8])])
    func `any file can be a difference from any other`(_ earlier: [UInt8], _ file: [UInt8]) throws {
        #expect(try made(Difference.between(earlier, file), from: earlier) == file)
    }

    @Test func `a copy of 16 MiB takes two instructions`() throws {
        let earlier = [UInt8](repeating: 7, count: Difference.largestFile)
        let difference = Difference.between(earlier, earlier)
        #expect(difference.count < 20)
        #expect(try made(difference, from: earlier) == earlier)
    }

    @Test func `the form is that of git's deltas`() throws {
        let earlier = Array("0123456789".utf8)
        // 10 bytes, 7 bytes; copies 3 from offset 2; two bytes as they are; copies 2 from the beginning.
        let difference: [UInt8] = [10, 7, 0x91, 2, 3, 2, 0x61, 0x62, 0x90, 2]
        #expect(try made(difference, from: earlier) == Array("234ab01".utf8))
    }

    @Test func `a difference that ends early is damaged, wherever it ends`() {
        let difference = Difference.between(Self.text, Self.edited)
        for count in difference.indices { #expect(isDamaged(Array(difference.prefix(count)), from: Self.text)) }
    }

    @Test func `a difference with a changed byte makes no more than it says, or is damaged`() {
        let difference = Difference.between(Self.text, Self.edited)
        for index in difference.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var other = difference
                other[index] = value
                guard let file = try? made(other, from: Self.text) else { continue }
                #expect(file.count == Self.edited.count || index < 6)
            }
        }
    }

    @Test(
        arguments: [
            [], [10], [9, 1, 1, 0x61], [10, 1], [10, 1, 0], [10, 1, 1], [10, 1, 2, 0x61, 0x61], [10, 0, 1, 0x61],
            // Copies behind the end, in all of its fields, and 64 KiB.
            [10, 1, 0x91, 10, 1], [10, 11, 0x90, 11], [10, 1, 0xFF, 255, 255, 255, 255, 255, 255, 255], [10, 1, 0x80],
            // Numbers without an end.
            [0x80], [0x8A, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], [10, 0xFF, 0xFF],
            // Fewer bytes than it says.
            [10, 9, 0x90, 8],
        ] as [[UInt8]])
    func `what is no difference from the file is damaged`(_ difference: [UInt8]) {
        #expect(isDamaged(difference, from: Array("0123456789".utf8)))
    }

    @Test func `a difference that makes a huge file is refused before anything is made`() {
        // 0xFF_FFFF bytes are copied again and again, as long as there is room for what it says.
        let earlier = [UInt8](repeating: 0, count: Difference.largestFile)
        let head: [UInt8] = [0x80, 0x80, 0x80, 0x08, 0x81, 0x80, 0x80, 0x08]
        #expect(
            throws: EvidenceError.tooLarge(
                file: "the difference", reason: "it makes 16777217 bytes, the limit is 16777216")
        ) { try made(head, from: earlier) }
        let many =
            [0x80, 0x80, 0x80, 0x08, 0x80, 0x80, 0x80, 0x08]
            + Array(
                repeating: [0xF0, 0xFF, 0xFF, 0xFF] as [UInt8], count: 100_000
            ).flatMap(\.self)
        #expect(isDamaged(many, from: earlier))
    }
}
