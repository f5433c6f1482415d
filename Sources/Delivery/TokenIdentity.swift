/// What a server says of a token: the answer of `GET /api/v1/whoami`.
public struct TokenIdentity: Sendable, Hashable {
    /// The name of the token.
    public let name: String
    /// What it may be used for: `submit`, `attest`, `read` or `admin`.
    public let scope: String
    /// The patterns of the projects that it may be used for.
    public let projects: [String]
    /// The day on which it expires, such as `2027-01-31`; `nil` if it never does.
    public let expires: String?
    /// The key that the server signs verdicts with, in base 64; `nil` if it signs none.
    public let key: String?

    /// Whether runs can be delivered with it.
    public var maySubmit: Bool { ["submit", "attest", "admin"].contains(scope) }
}

extension TokenIdentity: Decodable {
    private enum CodingKeys: String, CodingKey {
        case name = "token"
        case scope, projects, expires, key
    }
}
