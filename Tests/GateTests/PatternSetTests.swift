import TestSupport
import Testing

@testable import Gate

/// Patterns that are matched all at once find what each of them finds alone.
@Suite struct PatternSetTests {
    @Test func `a set finds what its patterns find alone`() {
        var random = SplitMix64(seed: 11)
        func text(_ letters: [String], _ most: Int) -> String {
            (0..<Int.random(in: 0...most, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }
                .joined()
        }
        for _ in 0..<3_000 {
            let patterns = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                text(["a", "b", "/", "*", "**", "**/", "/**", "?", "é"], 6)
            }
            let set = PatternSet(patterns)
            for _ in 0..<6 {
                let path = text(["a", "b", "ab", "/", "é", "e\u{301}", "日"], 6)
                let alone = patterns.indices.filter { Glob(patterns[$0]).matches(path) }
                let originals = alone.filter { index in
                    !patterns[..<index].contains { Array($0.utf8) == Array(patterns[index].utf8) }
                }
                #expect(set.all(for: path) == originals, "\(patterns) \(path)")
                #expect(set.first(for: path) == alone.first, "\(patterns) \(path)")
                #expect(set.matches(path) == !alone.isEmpty, "\(patterns) \(path)")
                let parts = path.split(separator: "/", omittingEmptySubsequences: false)
                let beginnings = (1...parts.count).map { parts.prefix($0).joined(separator: "/") }
                let first = patterns.indices.first { index in beginnings.contains { Glob(patterns[index]).matches($0) }
                }
                #expect(set.first(forBeginningOf: path) == first, "\(patterns) \(path)")
                #expect(set.areMatching([path]) == patterns.map { Glob($0).matches(path) }, "\(patterns) \(path)")
            }
        }
    }

    @Test func `many patterns of more than a word of bits are kept apart`() {
        let names = (0..<300).map { "Sources/Module\($0)/*/generated-\($0 * 7).swift" }
        let set = PatternSet(names)
        for index in [0, 1, 17, 150, 299] {
            #expect(set.all(for: "Sources/Module\(index)/x/generated-\(index * 7).swift") == [index])
            #expect(set.all(for: "Sources/Module\(index)/x/generated-\(index * 7 + 1).swift") == [])
        }
    }

    @Test func `of patterns written alike the first is found, and all of them match`() {
        let set = PatternSet(["a", "*", "a", "*"])
        #expect(set.originals == [0, 1, 0, 1])
        #expect(set.all(for: "a") == [0, 1])
        #expect(set.areMatching(["a"]) == [true, true, true, true])
        #expect(set.areMatching(["b"]) == [false, true, false, true])
    }
}
