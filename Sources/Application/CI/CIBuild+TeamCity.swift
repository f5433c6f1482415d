import Foundation
import RunModel

extension CIBuild {
    /// TeamCity: a build finds its branch in no variable, but in a file of properties that a variable names.
    static func teamCity(_ all: CIVariables, readingFile: (String) -> String?) -> CIBuild? {
        guard all["TEAMCITY_VERSION"] != nil else { return nil }
        let build = all["TEAMCITY_BUILD_PROPERTIES_FILE"].flatMap(readingFile).map(JavaProperties.init)
        let configuration = build?["teamcity.configuration.properties.file"].flatMap(readingFile).map(
            JavaProperties.init)
        func value(_ name: String) -> String? { configuration?[name] ?? build?[name] }
        let page = CIVariables(["": value("teamcity.build.url") ?? all["BUILD_URL"] ?? ""]).address("")
        let found = RunHost.Build(
            url: page, job: all["TEAMCITY_BUILDCONF_NAME"], node: value("agent.name") ?? value("system.agent.name"))
        let number = CIVariables(["": value("teamcity.pullRequest.number") ?? ""]).number("")
        if let number {
            let change = ChangeRequest(
                number: number, target: value("teamcity.pullRequest.target.branch"),
                source: value("teamcity.pullRequest.source.branch"), author: value("teamcity.pullRequest.author"))
            return CIBuild(.change(change, prefix: "PR"), build: found)
        }
        let branch = CIVariables.withoutHeads(value("teamcity.build.branch"))
        // The default branch may be told by this word alone.
        let isNamed = branch.map { $0 != "<default>" && !$0.hasPrefix("refs/") } ?? false
        return CIBuild(isNamed ? .branch(branch ?? "") : .nameless, build: found)
    }
}

/// A file of properties as Java writes it: a name, `=` or `:`, and a value, with escapes.
struct JavaProperties: Sendable {
    private var values: [String: String] = [:]

    /// The most lines that are read; real files have a few hundred.
    private static let mostLines = 10_000

    init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline).prefix(Self.mostLines) {
            let line = line.drop { $0 == " " || $0 == "\t" }
            if line.hasPrefix("#") || line.hasPrefix("!") { continue }
            var parts = ["", ""]
            var part = 0
            var rest = line[...]
            while let character = rest.popFirst() {
                if character == "\\" {
                    guard let escaped = rest.popFirst() else { break }
                    parts[part].append(Self.meaning(escaped, &rest))
                } else if part == 0, character == "=" || character == ":" {
                    part = 1
                } else {
                    parts[part].append(character)
                }
            }
            values[parts[0].trimmingCharacters(in: .whitespaces)] = parts[1].trimmingCharacters(in: .whitespaces)
        }
    }

    /// The value of a name, if it may be recorded.
    subscript(_ name: String) -> String? { CIVariables.sound(values[name]) }

    private static func meaning(_ escaped: Character, _ rest: inout Substring) -> Character {
        switch escaped {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "u":
            let digits = rest.prefix(4)
            guard digits.count == 4, let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
                return "u"
            }
            rest = rest.dropFirst(4)
            return Character(scalar)
        default: return escaped
        }
    }
}
