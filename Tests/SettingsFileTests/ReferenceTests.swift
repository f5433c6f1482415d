import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import SettingsFile

/// The schema and the reference are made of the declarations: `KANMON_REFRESH=1` writes them again.
@Suite struct ReferenceTests {
    @Test func `the schema is that of the declarations`() throws {
        let text = "{ \(Self.schema) }"
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let data = try JSONSerialization.data(
            withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        try Self.compare("kanmon.schema.json", with: String(decoding: data, as: UTF8.self) + "\n")
    }

    @Test func `the reference has the declarations' rows`() throws {
        var text = try String(contentsOf: Self.file("configuration.md"), encoding: .utf8)
        let keys = SettingDeclaration.all.filter(\.isInFile).map { setting in
            Self.row("`\(setting.key)`", setting.type, setting.preset, setting.meaning)
        }
        text = try Self.replacing("| key | type | default | meaning |", by: keys, in: text)
        let others = SettingDeclaration.all.filter { $0.flag != nil || $0.variable != nil }.map { setting in
            let meaning = setting.isInFile ? "" : setting.meaning
            let (flag, variable) = (setting.flag.map { "`\($0)`" } ?? "", setting.variable.map { "`\($0)`" } ?? "")
            return Self.row("`\(setting.key)`", flag, variable, setting.preset, meaning)
        }
        text = try Self.replacing("| setting | flag | environment | default | meaning |", by: others, in: text)
        try Self.compare("configuration.md", with: text)
    }

    @Test func `the example of the reference is valid and uses every key`() throws {
        let text = try String(contentsOf: Self.file("configuration.md"), encoding: .utf8)
        let example = try #require(
            text.components(separatedBy: "```yaml\n").dropFirst().first?.components(separatedBy: "```").first)
        let settings = try Settings.read(text: example, file: "f")
        let unset = settings.described().filter { $0.origin == .builtIn }.map(\.key)
        #expect(unset == ["home", "engine", "swift"])
        for setting in SettingDeclaration.all where setting.isInFile { #expect(example.contains("\(setting.name):")) }
    }

    @Test func `what the sample of a settings file shows is declared`() throws {
        let sample = Settings.sample(modules: SampleRuns.modules)
        let names = SettingDeclaration.all.map(\.name) + ["Core", "tool", Settings.defaultModule]
        let shown = sample.matches(of: /(?m)^[# ]*"?([a-z-]+|Core)"?:( |$)/).map { String($0.output.1) }
        #expect(shown.count > 12)
        #expect(shown.filter { !names.contains($0) } == [])
    }

    private static func row(_ cells: String...) -> String {
        "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
    }

    private static func file(_ name: String) -> URL { Checkout.top.appending(path: "docs/\(name)") }

    private static func compare(_ name: String, with text: String) throws {
        if ProcessInfo.processInfo.environment["KANMON_REFRESH"] == "1" {
            try Data(text.utf8).write(to: file(name))
        }
        #expect(try String(contentsOf: file(name), encoding: .utf8) == text, "KANMON_REFRESH=1 writes docs/\(name)")
    }

    /// Puts other rows into the table of this head.
    private static func replacing(_ head: String, by rows: [String], in text: String) throws -> String {
        var lines = text.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: head)) + 2
        let end = try #require(lines[start...].firstIndex { !$0.hasPrefix("|") })
        lines.replaceSubrange(start..<end, with: rows)
        return lines.joined(separator: "\n")
    }

    private static var schema: String {
        #""$schema": "https://json-schema.org/draft/2020-12/schema", "#
            + #""title": "Kanmon: what a Swift package must reach (.kanmon.yml)", \#(members(of: nil))"#
    }

    /// The members that describe a section, with everything in it; `nil` is the file.
    private static func members(of section: SettingDeclaration?) -> String {
        let properties = SettingDeclaration.all.filter { $0.isInFile && $0.section == section?.key ?? "" }
            .map { setting in
                let meaning = plain(setting.meaning)
                let own = setting.isSection ? members(of: setting) : setting.schema
                return #""\#(setting.name)": { "description": "\#(meaning)", \#(own) }"#
            }
        let number = section?.shorthand == nil ? "" : #""number", "#
        let range = section?.shorthand == nil ? "" : #""minimum": 0, "maximum": 100, "#
        let required = section?.needsShorthand == true ? #""required": ["line"], "# : ""
        return #""type": [\#(number)"object", "null"], \#(range)\#(required)"additionalProperties": false, "#
            + #""properties": { \#(properties.joined(separator: ", ")) }"#
    }

    /// The first sentence, without Markdown.
    private static func plain(_ meaning: String) -> String {
        let text = meaning.replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.output.1) }.replacing("`", with: "")
        guard let end = text.firstRange(of: ". ") else { return text }
        return text[..<end.lowerBound] + "."
    }
}
