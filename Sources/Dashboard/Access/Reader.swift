import Access

/// Who reads: anyone, the holder of a token, or a user that a proxy has signed in. Projects that a reader may not see do not exist for it.
struct Reader: Sendable {
    /// The token; `nil` without one.
    let token: AccessToken?
    /// Whether others may see something else.
    let isKnown: Bool

    /// Somebody where anyone may see everything.
    static let anyone = Reader(token: nil, isKnown: false)

    /// A user of a proxy, who may see everything.
    static let userOfProxy = Reader(token: nil, isKnown: true)

    /// The holder of a token.
    init(_ token: AccessToken) { self.init(token: token, isKnown: true) }

    private init(token: AccessToken?, isKnown: Bool) {
        self.token = token
        self.isKnown = isKnown
    }

    /// Whether a project exists for this reader.
    func sees(_ project: String) -> Bool { token?.covers(project) ?? true }

    /// Whether all projects do.
    var seesEverything: Bool { token?.coversEverything ?? true }
}
