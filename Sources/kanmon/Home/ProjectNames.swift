import Evidence
import Foundation
import Gate
import RunModel

/// The projects that were renamed: a file in the home, from which a rebuild takes it, as run directories never change.
struct ProjectNames: Sendable {
    /// The largest file that is read, in bytes.
    private static let largest = 4 << 20
    /// So often a project may have been renamed.
    private static let mostSteps = 100

    private struct Content: Codable {
        var schemaVersion = 1
        /// By the name that runs may still say: the one that it has now.
        var renamed: [String: String] = [:]
    }

    private let path: String

    init(_ home: Home) { path = home.path + "/projects.json" }

    /// The name that a project has now.
    func current(_ name: String) throws -> String { Self.follow(name, try content().renamed) }

    /// Every name that runs of a project may still say, the present one first.
    func all(of name: String) throws -> [String] {
        let renamed = try content().renamed
        return [name]
            + renamed.keys.filter { Name(Self.follow($0, renamed)) == Name(name) && Name($0) != Name(name) }.sorted()
    }

    /// Records that a project has another name; on disk when it returns.
    func rename(_ name: String, to other: String) throws {
        var content = try content()
        content.renamed[name] = other
        // The name may have been that of a project before.
        content.renamed[other] = nil
        try write(content)
    }

    /// Forgets the names that a project had.
    func forget(_ name: String) throws {
        var content = try content()
        let names = try all(of: name)
        for name in names { content.renamed[name] = nil }
        if names.count > 1 { try write(content) }
    }

    private static func follow(_ name: String, _ renamed: [String: String]) -> String {
        var current = name
        for _ in 0..<mostSteps {
            guard let next = renamed[current], Name(next) != Name(current) else { break }
            current = next
        }
        return current
    }

    private func content() throws -> Content {
        guard let bytes = try SmallFile.read(path, limit: Self.largest) else { return Content() }
        do {
            return try JSONDecoder().decode(Content.self, from: Data(bytes))
        } catch {
            throw Problem(.ioError, "\(path) is no list of renamed projects", hint: "restore it from a backup")
        }
    }

    private func write(_ content: Content) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try SmallFile.replace(path, with: Array(try encoder.encode(content)))
    }
}
