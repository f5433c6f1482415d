import Evidence
import Foundation
import Gate
import RunModel

/// The projects that were renamed or removed: a file in the home, from which a rebuild takes it, as run directories and objects never
/// change.
package struct ProjectNames: Sendable {
    /// The largest file that is read, in bytes.
    private static let largest = 4 << 20
    /// So often a project may have been renamed.
    private static let mostSteps = 100

    /// A list and no JSON object, in which texts would be one that differ only in their bytes.
    private struct Content: Codable {
        var schemaVersion = 1
        var renamed: [Renaming] = []
        /// Absent if there are none.
        var removed: [Removal]?
    }

    private struct Removal: Codable {
        /// The name that runs say.
        let name: String
        /// Of what was delivered before, nothing comes back.
        let until: String
    }

    private struct Renaming: Codable {
        /// The name that runs may still say.
        let name: String
        /// The one that the project got.
        let other: String
    }

    private let path: String

    package init(_ home: Home) { path = home.path + "/projects.json" }

    /// The name that a project has now.
    package func current(_ name: String) throws -> String { Self.follow(Name(name), try renamed()).text }

    /// Every name that runs of a project may still say, the present one first.
    func all(of name: String) throws -> [String] {
        let (name, renamed) = (Name(name), try renamed())
        let others = renamed.keys.filter { $0 != name && Self.follow($0, renamed) == name }
        return ([name] + others.sorted()).map(\.text)
    }

    /// Records that a project has another name; on disk when it returns.
    package func rename(_ name: String, to other: String) throws {
        var renamed = try renamed()
        renamed[Name(name)] = Name(other)
        // The name may have been that of a project before.
        renamed[Name(other)] = nil
        try write(renamed, removed: try content().removed)
    }

    /// Forgets the names that a project had.
    func forget(_ name: String) throws {
        var renamed = try renamed()
        let names = try all(of: name)
        for name in names { renamed[Name(name)] = nil }
        if names.count > 1 { try write(renamed, removed: try content().removed) }
    }

    /// Records that what was delivered to projects until now is removed; on disk when it returns.
    func remove(_ names: [String], at moment: Date) throws {
        let until = Timestamp.text(of: moment)
        let gone = Set(names.map { Name($0) })
        let others = (try content().removed ?? []).filter { !gone.contains(Name($0.name)) }
        try write(try renamed(), removed: others + names.map { Removal(name: $0, until: until) })
    }

    /// When a project was removed; `nil` if it never was. It may exist again since.
    func removal(of name: String) throws -> Date? {
        guard let removal = try content().removed?.first(where: { Name($0.name) == Name(name) }) else { return nil }
        // Of a moment that cannot be read it is not known what came later: nothing of it comes back by itself.
        return Timestamp.date(of: removal.until) ?? .distantFuture
    }

    private static func follow(_ name: Name, _ renamed: [Name: Name]) -> Name {
        var current = name
        for _ in 0..<mostSteps {
            guard let next = renamed[current], next != current else { break }
            current = next
        }
        return current
    }

    /// By the name that runs may still say: the one that the project got.
    private func renamed() throws -> [Name: Name] {
        Dictionary(try content().renamed.map { (Name($0.name), Name($0.other)) }) { $1 }
    }

    private func content() throws -> Content {
        guard let bytes = try SmallFile.read(path, limit: Self.largest) else { return Content() }
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)), content.schemaVersion == 1
        else {
            throw Problem(.ioError, "\(path) is no list of renamed projects", hint: "restore it from a backup")
        }
        return content
    }

    private func write(_ renamed: [Name: Name], removed: [Removal]?) throws {
        let content = Content(
            renamed: renamed.sorted { $0.key < $1.key }.map { Renaming(name: $0.key.text, other: $0.value.text) },
            removed: removed)
        try SmallFile.replace(path, with: Array(try JSONEncoder.steadyLines.encode(content)))
    }
}
