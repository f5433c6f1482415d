/// The projects that a question is about. Projects that a reader may not see are left out of the question, not of its answer, so that
/// neither the time nor the size of the answer reveals them.
public enum ProjectScope: Sendable, Hashable {
    /// Every project.
    case all
    /// The projects of these names; a name that no project has adds none.
    case named([String])
}

extension Connection {
    /// The rows of the projects.
    func projects(in scope: ProjectScope) throws -> [Int64] {
        switch scope {
        case .all: try statement(.projects).all { $0.integer(0) }
        case .named(let names): try names.compactMap { try project($0) }
        }
    }

    /// Rows in the form in which a statement takes many of them: a JSON array.
    static func list(_ rows: [Int64]) -> String { "[\(rows.map(String.init).joined(separator: ","))]" }
}
