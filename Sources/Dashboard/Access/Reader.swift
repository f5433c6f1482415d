import Access
import RunModel

/// Who reads: anyone, the holder of a token or of a key, or a user that a proxy has signed in. Projects that a reader may not see do
/// not exist for it.
struct Reader: Sendable {
    /// The token; `nil` without one.
    let token: AccessToken?
    /// Whether others may see something else.
    let isKnown: Bool

    /// Somebody where anyone may see everything.
    static let anyone = Reader(token: nil, isKnown: false)

    /// A user of a proxy, who may see everything.
    static let userOfProxy = Reader(token: nil, isKnown: true)

    /// The only project that the holder of a key may see.
    private let project: Name?

    /// The holder of a token.
    init(_ token: AccessToken) { self.init(token: token, isKnown: true) }

    /// The holder of a key of a project.
    init(keyOf project: String) { self.init(token: nil, isKnown: false, project: Name(project)) }

    private init(token: AccessToken?, isKnown: Bool, project: Name? = nil) {
        self.token = token
        self.isKnown = isKnown
        self.project = project
    }

    /// Whether a project exists for this reader.
    func sees(_ name: String) -> Bool { project.map { $0 == Name(name) } ?? token?.covers(name) ?? true }

    /// Whether all projects do.
    var seesEverything: Bool { project == nil && token?.coversEverything ?? true }
}
