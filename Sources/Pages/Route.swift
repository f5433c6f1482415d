public import RunModel

/// An address of the dashboard: the one table that links are written with and requests are read by.
public enum Route: Sendable, Hashable {
    /// The list of runs, of one project or of all; `before` continues the list after that run.
    case runs(project: String? = nil, before: RunID? = nil)
    /// One run.
    case run(RunID)
    /// The tests of one target in one run.
    case tests(RunID, target: String)
    /// One source file as a run saw it.
    case source(RunID, path: String)
    /// The style sheet.
    case stylesheet
    /// The icon.
    case icon
    /// Whether the server answers.
    case health

    /// The address as a link holds it: ASCII only, relative to the server.
    public var href: String {
        switch self {
        case .runs(let project, let before):
            let query = [
                project.map { "project=\(PercentEncoding.encode($0))" }, before.map { "before=\($0)" },
            ].compactMap { $0 }
            return query.isEmpty ? "/" : "/?" + query.joined(separator: "&")
        case .run(let id): return "/runs/\(id)"
        case .tests(let id, let target): return "/runs/\(id)/tests?target=\(PercentEncoding.encode(target))"
        // The path is a query value and no part of the path: browsers would resolve a hostile `..` in there.
        case .source(let id, let path): return "/runs/\(id)/source?path=\(PercentEncoding.encode(path))"
        case .stylesheet: return "/assets/kanmon.css"
        case .icon: return "/assets/kanmon.svg"
        case .health: return "/healthz"
        }
    }
}
