import Foundation
import Gate
import RunModel
import Storage

/// What searches for culprits have found, in a file of the home with a line for each: no run directory has it, so that a rebuild of the
/// store takes it from there.
package struct CulpritLedger: Sendable {
    /// What was found in a project.
    struct Entry: Sendable, Codable {
        /// The name that the project had.
        let project: String
        let culprit: Culprit
    }

    /// How many are kept; beyond that the oldest are forgotten.
    static let most = 2000

    private let home: Home
    private var file: LineFile<Entry> { LineFile(path: home.culprits, most: Self.most) }

    package init(_ home: Home) { self.home = home }

    /// Keeps what was found, in the file and in the store; on disk when it returns.
    func add(_ culprit: Culprit, project: String) throws {
        home.prepare()
        try file.add(Entry(project: project, culprit: culprit))
        try RunStore(path: home.database).add([ProjectCulprit(culprit, project: project)])
    }

    /// Adds everything to a store, under the names that the projects have now. What cannot be read keeps no store from being
    /// rebuilt.
    func restore(into store: RunStore) throws {
        let entries: [Entry]
        do {
            entries = try file.all()
        } catch {
            return StandardStreams.tell("kanmon: warning: what was found of culprits is not restored: \(error.reason)")
        }
        let names = ProjectNames(home)
        try store.add(
            entries.reversed().map { ProjectCulprit($0.culprit, project: try names.current($0.project)) })
    }

    /// Gives what was found in a project its new name: another project may have the old one some day.
    package func rename(_ name: String, to other: String) throws {
        try file.replace(where: { Name($0.project) == Name(name) }, by: { Entry(project: other, culprit: $0.culprit) })
    }

    /// Forgets what was found in a project, under any of its names.
    func forget(_ projects: [String]) throws {
        let names = Set(projects.map { Name($0) })
        try file.remove { names.contains(Name($0.project)) }
    }
}
