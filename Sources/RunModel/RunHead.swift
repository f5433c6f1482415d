public import struct Foundation.Date

/// The identity of a run and what it tested: the facts by which lists show a run and queries find it.
///
/// A manifest, a run and its line in a list have the same head. In the store each of its values has a column.
public struct RunHead: Sendable, Hashable, Codable {
    /// The identity of the run.
    public var id: RunID
    /// The project it belongs to, the same in all clones.
    public var project: String
    /// The name of the package in its manifest.
    public var package: String
    /// What was tested; `nil` outside of git.
    public var revision: Revision?
    /// When it began; in a manifest ISO 8601 with milliseconds.
    public var startedAt: Date
    /// From its beginning to the end of its last step; in a manifest an integer of nanoseconds.
    public var duration: Duration
    /// How the tests were started.
    public var engine: Engine

    private enum CodingKeys: String, CodingKey {
        case id = "runID"
        case project, package, revision, startedAt, duration, engine
    }

    package init(
        id: RunID, project: String, package: String, revision: Revision? = nil, startedAt: Date, duration: Duration,
        engine: Engine
    ) {
        self.id = id
        self.project = project
        self.package = package
        self.revision = revision
        self.startedAt = startedAt
        self.duration = duration
        self.engine = engine
    }
}

/// What has the head of a run, and every value of it by the same name.
@dynamicMemberLookup
public protocol HasRunHead {
    /// Which run it is, and of what.
    var head: RunHead { get set }
}

extension HasRunHead {
    /// A value of the head.
    public subscript<Value>(dynamicMember path: WritableKeyPath<RunHead, Value>) -> Value {
        get { head[keyPath: path] }
        set { head[keyPath: path] = newValue }
    }
}
