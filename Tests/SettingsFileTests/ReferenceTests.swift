import Foundation
import Gate
import RunModel
import Testing

@testable import SettingsFile

/// The schema and the reference know the keys that the parser knows, no more and no fewer.
@Suite struct ReferenceTests {
    private static let docs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs")

    @Test func `the schema has the parser's keys`() throws {
        let schema = try Schema(JSONSerialization.jsonObject(with: Data(contentsOf: Self.file("kanmon.schema.json"))))
        #expect(try schema.keys(under: "").sorted() == SettingsKey.allCases.map(\.rawValue).sorted())
        let floors = try #require(schema["$defs"]["floors"].list("anyOf").last)
        #expect(try floors.keys(under: "").sorted() == SettingsKey.metrics.sorted())
        #expect(schema["properties"]["version"].text("const") == String(SettingsKey.currentVersion))
    }

    @Test func `the schema has the parser's defaults`() throws {
        let schema = try Schema(JSONSerialization.jsonObject(with: Data(contentsOf: Self.file("kanmon.schema.json"))))
        let tests = schema["properties"]["tests"]["properties"]
        let timeouts = tests["timeouts"]["properties"]
        let settings = Settings()
        #expect(tests["minimum"].text("default") == String(settings.minimumTests.value))
        #expect(timeouts["run"].text("default") == settings.runTimeout.value.timeLimitDescription)
        #expect(tests["retries"].text("default") == String(settings.retries.value))
        #expect(tests["jobs"].text("default") == String(settings.jobs.value))
        #expect(tests["jobs"].text("minimum") == String(Settings.jobsAllowed.lowerBound))
        #expect(tests["jobs"].text("maximum") == String(Settings.jobsAllowed.upperBound))
        #expect(timeouts["test"].text("default") == settings.testTimeout.value.timeLimitDescription)
        #expect(timeouts["silence"].text("default") == settings.silenceTimeout.value.timeLimitDescription)
        let floors = schema["properties"]["coverage"]["properties"]["modules"]["default"]["default"]
        #expect(floors.text("line") == settings.defaultFloors.value.line?.description)
    }

    @Test func `the reference has a row for every key, in the parser's order`() throws {
        let text = try String(contentsOf: Self.file("configuration.md"), encoding: .utf8)
        let table = try #require(text.components(separatedBy: "## Keys").last?.components(separatedBy: "###").first)
        let rows = table.split(separator: "\n").compactMap { line in
            line.hasPrefix("| `") ? line.dropFirst(3).prefix { $0 != "`" } : nil
        }
        #expect(rows.map(String.init) == SettingsKey.allCases.map(\.rawValue))
    }

    @Test func `the example of the reference is valid and uses every key`() throws {
        let text = try String(contentsOf: Self.file("configuration.md"), encoding: .utf8)
        let example = try #require(
            text.components(separatedBy: "```yaml\n").dropFirst().first?.components(separatedBy: "```").first)
        let settings = try Settings.read(text: example, file: "f")
        let unset = settings.described().filter { $0.origin == .builtIn }.map(\.key)
        #expect(unset == ["home", "engine", "swift"])
        for key in SettingsKey.allCases { #expect(example.contains("\(key.name):")) }
    }

    private static func file(_ name: String) -> URL { docs.appending(path: name) }
}

/// A node of the schema.
private struct Schema {
    let object: [String: Any]

    init(_ node: Any?) { object = node as? [String: Any] ?? [:] }

    subscript(key: String) -> Schema { Schema(object[key]) }

    func list(_ key: String) -> [Schema] { (object[key] as? [Any] ?? []).map(Schema.init) }

    func text(_ key: String) -> String? { object[key].map { "\($0)" } }

    /// The paths of all keys; every section must refuse others.
    func keys(under path: String) throws -> [String] {
        guard let properties = object["properties"] as? [String: Any] else { return [] }
        try #require(object["additionalProperties"] as? Bool == false, "\(path) takes any key")
        return try properties.flatMap { name, node in
            let path = path.isEmpty ? name : "\(path).\(name)"
            return [path] + (try Schema(node).keys(under: path))
        }
    }
}
