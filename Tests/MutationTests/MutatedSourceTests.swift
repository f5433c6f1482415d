import Foundation
import RunModel
import TestSupport
import Testing

@testable import Mutation

@Suite struct MutatedSourceTests {
    private let sample: SampleSource

    init() throws { sample = try SampleSource("Sample") }

    @Test func `every kind is found, and nothing else is touched`() throws {
        let mutants = try #require(sample.mutated()).mutants
        let found = mutants.map { "\($0.line) \($0.function) \($0.kind.rawValue): \($0.original) → \($0.replacement)" }
        #expect(
            found == [
                "6 names early-return: names → return [:]",
                "6 names changed-constant: 1 → 0",
                "7 isLarge negated-condition: limit > 10 → !(limit > 10)",
                "7 isLarge changed-constant: 10 → 11",
                "10 first early-return: first → return",
                "10 first changed-constant: 0 → 1",
                "10 first changed-constant: 7 → 8",
                "13 init(text:) early-return: init(text:) → return nil",
                "14 init(text:) negated-condition: number != 0 → !(number != 0)",
                "14 init(text:) changed-constant: 0 → 1",
                "14 init(text:) negated-condition: !text.hasPrefix(\"-,1\") → !(!text.hasPrefix(\"-,1\"))",
                "18 subscript early-return: subscript → return 0",
                "18 subscript changed-constant: 2 → 3",
                "20 sign(_:) early-return: sign(_:) → return \"\"",
                "22 sign(_:) negated-condition: number < 0 → !(number < 0)",
                "22 sign(_:) changed-constant: 0 → 1",
                "22 sign(_:) changed-constant: 0 → 1",
                "22 sign(_:) changed-constant: 9 → 10",
                "31 contains(_:) changed-constant: 1.5 → 2.5",
                "31 contains(_:) changed-constant: 2 → 3",
                "32 contains(_:) negated-condition: value > 1 → !(value > 1)",
                "32 contains(_:) changed-constant: 1 → 0",
                "32 contains(_:) changed-constant: true → false",
                "33 contains(_:) changed-constant: false → true",
                "35 contains(_:) negated-condition: hits.count > limit → !(hits.count > limit)",
                "36 contains(_:) negated-condition: wanted.0 == 4 || hits.isEmpty → !(wanted.0 == 4 || hits.isEmpty)",
                "36 contains(_:) changed-constant: 4 → 5",
                "39 choose() negated-condition: limit > 1 → !(limit > 1)",
                "39 choose() changed-constant: 1 → 0",
                "41 log() early-return: log() → return",
                "42 inner() early-return: inner() → return 0",
                "42 inner() changed-constant: 8 → 9",
                "56 available() early-return: available() → return nil",
                "57 available() negated-condition: limit == 11 → !(limit == 11)",
                "57 available() changed-constant: 11 → 12",
                "57 available() changed-constant: 12 → 13",
            ])
    }

    @Test func `only functions that the change touches have mutants`() throws {
        #expect(try #require(sample.mutated(changed: [4..<6])).mutants.isEmpty)
        let inner = try #require(sample.mutated(changed: [42..<43])).mutants
        #expect(Set(inner.map(\.function)) == ["inner()"])
        // Removed lines are between two others.
        let removed = try #require(sample.mutated(changed: [35..<35])).mutants
        #expect(Set(removed.map(\.function)) == ["contains(_:)"])
        #expect(removed.allSatisfy { !$0.isOnChangedLine })
        let line = try #require(sample.mutated(changed: [36..<37])).mutants
        #expect(line.filter(\.isOnChangedLine).map(\.line) == [36, 36])
        #expect(line.first { $0.line == 36 }?.column == 16)
        #expect(line.first { $0.line == 36 }?.text == "return wanted.0 == 4 || hits.isEmpty")
    }

    @Test func `lines stay where they are, and each mutant has its number`() throws {
        let mutated = try #require(sample.mutated())
        let text = String(decoding: mutated.text(switchedBy: "/x/mutant", marksImports: false), as: UTF8.self)
        let (before, after) = (
            String(decoding: sample.source, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false),
            text.split(separator: "\n", omittingEmptySubsequences: false)
        )
        #expect(after[6] == "    var isLarge: Bool { __kanmonNegated(3, limit > __kanmonChanged(4, 10, 11)) }")
        #expect(
            after[17]
                == "    subscript(place: Int) -> Int { if __kanmonReturns(12) { return 0 };  return limit * (place + __kanmonChanged(13, 2, 3)) }"
        )
        for (index, line) in before.enumerated() where !mutated.mutants.contains(where: { $0.line == index + 1 }) {
            #expect(after[index] == line || index == before.count - 1)
        }
        #expect(text.contains("Glibc.open(\"/x/mutant\", "))
        #expect(text.contains("\nimport Glibc\n"))
        #expect(
            String(decoding: mutated.text(switchedBy: "/a\"b\\c\n", marksImports: true), as: UTF8.self)
                .contains("open(\"/a\\u{22}b\\u{5c}c\\u{a}\", "))
    }

    @Test func `what does not compile is taken away, and the rest stays`() throws {
        var mutated = try #require(sample.mutated())
        let all = mutated.mutants.count
        #expect(mutated.suspects(of: [36]) == Set(mutated.mutants.filter { $0.line == 36 }.map(\.number)))
        // No mutant is on the line, but its function has some.
        #expect(
            mutated.suspects(of: [30]) == Set(mutated.mutants.filter { $0.function == "contains(_:)" }.map(\.number)))
        #expect(mutated.suspects(of: [1]).count == all)
        #expect(mutated.suspects(of: []).isEmpty)
        mutated.remove(mutated.suspects(of: [36]))
        #expect(mutated.mutants.count == all - 2)
        mutated.remove(Set(mutated.mutants.map(\.number)))
        #expect(mutated.text(switchedBy: "/x", marksImports: false) == sample.source)
    }

    @Test func `errors of the compiler are read from its output`() {
        let output = """
            [1/3] Compiling A B.swift
            /tmp/a:b/日本.swift:12:7: error: cannot find 'x' in scope
            /tmp/a:b/日本.swift:14:1: warning: unused
            /tmp/a:b/日本.swift:12:9: error: again
             | error: not a place
            error: fatalError
            /tmp/C.swift:3: error: no column
            """
        #expect(CompilerErrors(output: output).lines == ["/tmp/a:b/日本.swift": [12]])
    }

    @Test func `how visible an import is has to be told like the others`() {
        #expect(MutatedSource.marksImport(Array("private import Glibc\n".utf8)))
        #expect(MutatedSource.marksImport(Array("@preconcurrency public  import Musl".utf8)))
        #expect(!MutatedSource.marksImport(Array("import Glibc\nprivate import Foundation\n".utf8)))
    }

    @Test func `a program's main file has no mutants`() {
        let main = MutatedSource(path: "Sources/a/main.swift", source: [], changed: [1..<2], syntax: Data())
        #expect(main?.mutants.isEmpty == true)
        #expect(MutatedSource(path: "Domain.swift", source: [], changed: [1..<2], syntax: Data()) == nil)
    }

    @Test func `what is no tree, or one of another source, is refused at every byte`() throws {
        let small = try SampleSource("Small")
        #expect(small.mutated()?.mutants.count == 3)
        for count in 0..<small.syntax.count - 1 {
            #expect(
                MutatedSource(
                    path: "a.swift", source: small.source, changed: [1..<9], syntax: small.syntax.prefix(count)) == nil)
        }
        for count in 0..<small.source.count {
            // Whatever it finds, it finds in the source that it has.
            var cut = MutatedSource(
                path: "a.swift", source: Array(small.source.prefix(count)), changed: [1..<9], syntax: small.syntax)
            _ = cut?.number(from: 1)
            _ = cut?.text(switchedBy: "/x", marksImports: false)
        }
        #expect(
            MutatedSource(path: "a.swift", source: small.source, changed: [], syntax: Data("{\"_kind\":\"x\"}".utf8))
                == nil)
    }
}
