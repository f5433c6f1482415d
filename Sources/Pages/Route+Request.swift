import RunModel

/// Why a request leads nowhere.
public enum RouteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no page at that address.
    case notFound
    /// The address is written wrongly.
    case malformed(String)

    /// A fragment for a reader.
    public var description: String {
        switch self {
        case .notFound: "there is no page at this address"
        case .malformed(let reason): reason
        }
    }
}

extension Route {
    /// Reads the target of a request, such as `/runs/…/source?path=Sources/Core.swift`.
    ///
    /// Only the spelling that `href` writes is known; a path is never normalized, so that nothing can climb.
    public init(target: String) throws(RouteError) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = try Query(parts.count == 2 ? parts[1] : "")
        let steps = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard steps.count >= 2, steps[0].isEmpty else { throw .notFound }
        switch (steps[1], steps.count) {
        case ("", 2): self = .runs(project: query.project, before: query.before)
        case ("runs", 3): self = .run(try Self.runID(steps[2]))
        case ("runs", 4) where steps[3] == "source":
            let id = try Self.runID(steps[2])
            guard let path = query.path else { throw .malformed("the address lacks the path of a file") }
            self = .source(id, path: path)
        case ("runs", 4) where steps[3] == "tests":
            let id = try Self.runID(steps[2])
            guard let target = query.target else { throw .malformed("the address lacks the name of a test target") }
            self = .tests(id, target: target)
        case ("assets", 3) where steps[2] == "kanmon.css": self = .stylesheet
        case ("assets", 3) where steps[2] == "kanmon.svg": self = .icon
        case ("healthz", 2): self = .health
        default: throw .notFound
        }
    }

    private static func runID(_ text: Substring) throws(RouteError) -> RunID {
        guard let id = RunID(String(text)) else { throw .notFound }
        return id
    }
}

/// The values that addresses may hold behind the question mark; other names are passed over.
private struct Query {
    var project: String?
    var before: RunID?
    var path: String?
    var target: String?

    init(_ text: Substring) throws(RouteError) {
        for pair in text.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(sides[0]),
                let value = PercentEncoding.decode(sides.dropFirst().first ?? "")
            else { throw .malformed("the address is not percent-encoded UTF-8") }
            switch name {
            case "project": try Self.set(&project, to: value, name)
            case "path": try Self.set(&path, to: value, name)
            case "target": try Self.set(&target, to: value, name)
            case "before":
                guard let id = RunID(value) else { throw .malformed("'before' is not the id of a run") }
                try Self.set(&before, to: id, name)
            default: continue
            }
        }
    }

    private static func set<Value>(_ slot: inout Value?, to value: Value, _ name: String) throws(RouteError) {
        guard slot == nil else { throw .malformed("'\(name)' is given twice") }
        slot = value
    }
}
