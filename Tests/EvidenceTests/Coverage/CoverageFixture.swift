import CodeCoverage
import Evidence
import Foundation
import RunModel
import TestSupport
import Testing

/// Recorded exports and what other readers make of them.
enum CoverageFixture {
    static func folder() throws -> URL {
        let fixtures = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        return fixtures.appending(path: "coverage")
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder().appending(path: name)))
    }

    static func read(
        _ bytes: [UInt8], keepingFunctions: Bool = true
    ) throws(CoverageExportError) -> CoverageExport {
        try CoverageExport.read(bytes, keepingFunctions: keepingFunctions)
    }

    static func read(_ text: String) throws(CoverageExportError) -> CoverageExport { try read(Array(text.utf8)) }

    static func export(_ name: String) throws -> CoverageExport { try read(bytes(name)) }

    /// The DA lines of an lcov file, by its SF line.
    static func lcov(_ name: String) throws -> [String: [LineCount]] {
        var files: [String: [LineCount]] = [:]
        var current = ""
        for line in String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("SF:") {
                current = String(line.dropFirst(3))
                files[current] = []
            } else if line.hasPrefix("DA:") {
                let numbers = line.dropFirst(3).split(separator: ",")
                let count = ExecutionCount(try #require(UInt64(numbers[1])))
                files[current]?.append(LineCount(line: try #require(Int32(numbers[0])), count: count))
            }
        }
        return files
    }

    /// A whole export around the members of one file.
    static func withFile(_ members: String) -> String {
        #"{"data":[{"files":[{"# + members + #"}]}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#
    }

    /// A whole export around the segments of one file.
    static func withSegments(_ segments: String) -> String {
        withFile(#""filename":"/p/a.swift","segments":\#(segments),"summary":\#(summary)"#)
    }

    static let summary = #"{"regions":{"count":2,"covered":1},"functions":{"count":1,"covered":1}}"#
}

extension RunManifest {
    /// The manifest of a run of which only the package is known.
    static func sample(packageRoot: String, _ facts: RunFacts) -> RunManifest {
        var facts = facts
        facts.toolchain = Toolchain(swiftVersion: "6.3.1", llvmVersion: "21", target: "x86_64-unknown-linux-gnu")
        return RunManifest(
            RunHead(
                id: SampleRuns.id(1), project: "p", package: "Kit", startedAt: SampleRuns.moment, duration: .seconds(1),
                engine: .swiftTest),
            facts, Contents(kanmonVersion: "test", packageRoot: packageRoot, arguments: []))
    }
}
