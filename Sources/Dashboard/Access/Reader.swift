import Access
import RunModel

/// Who reads: anyone, the holder of a token or of a key, or a user that a proxy has signed in. Projects that a reader may not see do
/// not exist for it.
struct Reader: Sendable {
    /// The projects that exist for a reader.
    private enum Sight {
        case everything
        case what(AccessToken)
        case only(Name)
    }

    /// Whether others may see something else.
    let isKnown: Bool
    private let sight: Sight

    /// Somebody where anyone may see everything.
    static let anyone = Reader(.everything, isKnown: false)

    /// A user of a proxy, who may see everything.
    static let userOfProxy = Reader(.everything, isKnown: true)

    /// The holder of a token.
    init(_ token: AccessToken) { self.init(.what(token), isKnown: true) }

    /// The holder of a key of a project.
    init(keyOf project: String) { self.init(.only(Name(project)), isKnown: false) }

    private init(_ sight: Sight, isKnown: Bool) {
        self.sight = sight
        self.isKnown = isKnown
    }

    /// The token; `nil` without one.
    var token: AccessToken? {
        if case .what(let token) = sight { token } else { nil }
    }

    /// Whether a project exists for this reader.
    func sees(_ name: String) -> Bool {
        switch sight {
        case .everything: true
        case .what(let token): token.covers(name)
        case .only(let project): project == Name(name)
        }
    }

    /// Whether all projects do.
    var seesEverything: Bool {
        switch sight {
        case .everything: true
        case .what(let token): token.coversEverything
        case .only: false
        }
    }
}
