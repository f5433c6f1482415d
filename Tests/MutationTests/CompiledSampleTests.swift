import Foundation
import TestSupport
import Testing

@testable import Mutation

/// Mutated sources, compiled and executed.
@Suite(.slow, .timeLimit(.minutes(5))) struct CompiledSampleTests {
    private static let source = """
        @resultBuilder enum Numbers {
            static func buildBlock(_ parts: Int...) -> [Int] { parts.reversed() }
        }
        @Numbers func built() -> [Int] {
            1
            2
        }
        func close(_ number: Int32) -> Int32 { number + 1 }
        func open(_ path: String, _ flags: Int32) -> Int32 { flags }
        func milliseconds(_ text: String) -> Bool { text.wholeMatch(of: #/[0-9]+ms/#) != nil }
        func digits(_ text: String) -> Bool {
            return text.wholeMatch(of: /[0-9]{2,3}/) != nil
        }
        func sign(_ number: Int) -> String {
            switch number {
            case 0: return ""
            case 1...3: return "few"
            default: return number < 0 ? "-" : "many"
            }
        }
        func first(_ numbers: [Int]) -> Int? {
            for number in numbers where number > 10 { return number }
            return nil
        }
        func isEven(_ number: Int) -> Bool {
            for half in 0...number where half * 2 == number { return true }
            return false
        }
        @main enum Program {
            static func main() {
                print(built(), close(4), open("", 3), milliseconds("12ms"), milliseconds("ms"), digits("12"), digits("1"))
                print([-1, 0, 2, 7].map(sign), first([1, 11]) ?? 0, first([]) ?? 0, (0...5).map(isEven))
            }
        }

        """

    private func run(_ words: [String], in folder: String) throws -> (status: Int32, output: Data) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.currentDirectoryURL = URL(filePath: folder)
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    @Test func `what stands behind a closure of several lines is known`() throws {
        let folder = try TemporaryFolder()
        let source = """
            func total(_ numbers: [Int]) -> Int {
                numbers.map { number in
                    number * 2
                }.reduce(10, +) + numbers.map { $0 + 3 }.reduce(4, +)
            }

            """
        try source.write(toFile: "\(folder.path)/Sample.swift", atomically: true, encoding: .utf8)
        let parse = ["swiftc", "-frontend", "-dump-parse", "-dump-ast-format", "json", "Sample.swift"]
        let mutated = try #require(
            MutatedSource(
                path: "Sample.swift", source: Array(source.utf8), changed: [1..<6],
                syntax: try run(parse, in: folder.path).output))
        let behind = mutated.mutants.filter(\.isBehindClosure).map(\.original)
        #expect(behind == ["10", "3", "4"])
    }

    @Test func `without a mutant nothing is different, and each of them is`() throws {
        let folder = try TemporaryFolder()
        try Self.source.write(toFile: "\(folder.path)/Sample.swift", atomically: true, encoding: .utf8)
        let parse = [
            "swiftc", "-frontend", "-dump-parse", "-dump-ast-format", "json", "-swift-version", "6", "Sample.swift",
        ]
        let syntax = try run(parse, in: folder.path).output
        var mutated = try #require(
            MutatedSource(path: "Sample.swift", source: Array(Self.source.utf8), changed: [1..<31], syntax: syntax))
        let next = mutated.number(from: 1)
        #expect(next > 20)
        let text = mutated.text(switchedBy: "\(folder.path)/mutant", marksImports: false)
        try Data(text).write(to: URL(filePath: "\(folder.path)/Mutated.swift"))
        for name in ["Sample", "Mutated"] {
            let build = ["swiftc", "-swift-version", "6", "-parse-as-library", "\(name).swift", "-o", name]
            #expect(try run(build, in: folder.path).status == 0)
        }
        let original = try run(["./Sample"], in: folder.path)
        #expect(original.status == 0)
        // No file, and a file that names none.
        #expect(try run(["./Mutated"], in: folder.path).output == original.output)
        try Data("0".utf8).write(to: URL(filePath: "\(folder.path)/mutant"))
        #expect(try run(["./Mutated"], in: folder.path).output == original.output)
        var same: [String] = []
        for mutant in mutated.mutants {
            try Data("\(mutant.number)".utf8).write(to: URL(filePath: "\(folder.path)/mutant"))
            let changed = try run(["./Mutated"], in: folder.path)
            if changed.status == 0, changed.output == original.output {
                same.append("\(mutant.line) \(mutant.original) → \(mutant.replacement)")
            }
        }
        // 0 has a case of its own, and the others are arguments that the functions treat alike.
        #expect(same == ["18 0 → 1", "32 2 → 3", "32 7 → 8", "32 1 → 0", "32 0 → 1"])
    }
}
