import Foundation
import TestSupport
import Testing

/// One behavior of the program, written down as plain text in a folder of `Cases`.
struct CommandCase: Sendable, CustomTestStringConvertible {
    let name: String

    /// Every case, by name.
    static let all: [CommandCase] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return names.sorted().map(CommandCase.init)
    }()

    private static let folder = Checkout.top.appending(path: "Tests/KanmonTests/Cases")

    var testDescription: String { name }
    /// Whether the case starts SwiftPM.
    var isSlow: Bool { has("slow") }

    /// Runs what stands in `before`, then the command, and holds what came of it against the record.
    func check() async throws {
        let folder = try TestFolder()
        try FileManager.default.copyItem(at: url(""), to: URL(filePath: folder.copy))
        // A package that lies somewhere else each time would leave a cache behind each time.
        let program = Program(folder: folder, variables: try variables(cache: "\(folder.path)/cache"))
        for line in try lines("before") {
            let outcome = try await program.run(try words(line, folder))
            // A verdict is as good as any; what fails otherwise spoils the case.
            try #require(outcome.status <= 5, "\(line): \(outcome.messages)")
        }
        let line = try #require(try lines("command").first)
        let outcome = try await program.run(try words(line, folder))
        let redact = Redactor(
            paths: [
                (folder.home, "{home}"), (folder.copy, "{case}"), (folder.work, "{work}"), (TestFolder.runs, "{runs}"),
                (TestFolder.packages, "{packages}"),
            ], hidesTestOutput: isSlow)
        expectSnapshot(redact(outcome.output), at: record("expected.txt"))
        expectSnapshot("\(outcome.status)\n", at: record("exit-status"))
        // Messages of a build come as it goes; of everything else they are part of the behavior.
        let messages = redact(outcome.messages)
        if isSlow ? has("expected-stderr.txt") : !messages.isEmpty || has("expected-stderr.txt") {
            expectSnapshot(messages, at: record("expected-stderr.txt"))
        }
    }

    private func words(_ line: String, _ folder: TestFolder) throws -> [String] {
        try line.split(separator: " ").map { word in
            var word = String(word)
            if word.hasPrefix("{packages}/") { return try TestFolder.package(String(word.dropFirst(11))) }
            for (token, path) in [
                ("{home}", folder.home), ("{case}", folder.copy), ("{work}", folder.work), ("{runs}", TestFolder.runs),
            ] { word = word.replacingOccurrences(of: token, with: path) }
            return word
        }
    }

    private func variables(cache: String) throws -> [String: String] {
        var variables: [String: String] = [:]
        for line in try lines("environment") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            variables[parts[0]] = parts.last
        }
        let usesSample = try lines("command").contains { $0.contains("{packages}") }
        if !usesSample { variables["XDG_CACHE_HOME"] = cache }
        return variables
    }

    private func lines(_ file: String) throws -> [String] {
        guard has(file) else { return [] }
        return try String(contentsOf: url(file), encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private func has(_ file: String) -> Bool { FileManager.default.fileExists(atPath: url(file).path) }
    private func url(_ file: String) -> URL { Self.folder.appending(path: file.isEmpty ? name : "\(name)/\(file)") }
    private func record(_ file: String) -> String { "Tests/KanmonTests/Cases/\(name)/\(file)" }
}
