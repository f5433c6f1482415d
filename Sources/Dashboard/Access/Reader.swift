import Access
import RunModel

/// Who reads: anyone, the holder of a token or of a key, or a user that a proxy has signed in. Projects that a reader may not see do
/// not exist for it.
struct Reader: Sendable {
    /// What somebody may see. There is no default: a new kind of reader has to say it.
    private enum Sight: Sendable {
        /// Every project.
        case everything
        /// The projects that a token is for.
        case token(AccessToken)
        /// The only project that a key opens.
        case project(Name)
    }

    private let sight: Sight
    /// Whether others may see something else.
    let isKnown: Bool

    /// Somebody where anyone may see everything.
    static let anyone = Reader(.everything, isKnown: false)

    /// A user of a proxy, who may see everything.
    static let userOfProxy = Reader(.everything, isKnown: true)

    /// The holder of a token.
    init(_ token: AccessToken) { self.init(.token(token), isKnown: true) }

    /// The holder of a key of a project.
    init(keyOf project: String) { self.init(.project(Name(project)), isKnown: false) }

    private init(_ sight: Sight, isKnown: Bool) {
        self.sight = sight
        self.isKnown = isKnown
    }

    /// The token; `nil` without one.
    var token: AccessToken? {
        guard case .token(let token) = sight else { return nil }
        return token
    }

    /// Whether it is whoever has the key of an address.
    var isOfKey: Bool { if case .project = sight { true } else { false } }

    /// Whether a project exists for this reader.
    func sees(_ name: String) -> Bool {
        switch sight {
        case .everything: true
        case .token(let token): token.covers(name)
        case .project(let project): project == Name(name)
        }
    }

    /// Whether all projects do.
    var seesEverything: Bool {
        switch sight {
        case .everything: true
        case .token(let token): token.coversEverything
        case .project: false
        }
    }
}
