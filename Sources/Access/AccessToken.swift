public import struct Foundation.Date

/// A token as the server keeps it: what its holder may do, without its secret.
public struct AccessToken: Sendable, Hashable, Codable {
    /// What its runs, logs and lists call it.
    public var name: String
    /// What its older runs call it, where it was renamed; `nil` where it never was.
    public var formerNames: [String]?
    /// What it may be used for.
    public var scope: AccessScope
    /// The projects that it is for; at least one pattern.
    public var projects: [ProjectPattern]
    /// When it was made.
    public var created: Date
    /// When it expires; `nil` if it never does.
    public var expires: Date?
    /// When it was revoked; `nil` if it was not.
    public var revoked: Date?
    /// When the trust in it was withdrawn, with that in everything that it delivered; `nil` if it was not.
    public var distrusted: Date?
    /// SHA-256 of its secret, 64 lower-case hexadecimal digits.
    public var sha256: String

    package init(
        name: String, scope: AccessScope, projects: [ProjectPattern], created: Date, expires: Date?,
        revoked: Date? = nil, sha256: String
    ) {
        self.name = name
        self.scope = scope
        self.projects = projects
        self.created = created
        self.expires = expires
        self.revoked = revoked
        self.sha256 = sha256
    }

    /// Whether the token has or had this name. A run names the token that delivered it, so no name is used twice.
    public func isCalled(_ name: String) -> Bool { self.name == name || formerNames?.contains(name) == true }

    /// Whether a text may be the name of a token: 1 to 64 ASCII letters, digits, `.`, `_`, `@` and `-`, the first a letter or digit.
    public static func isName(_ text: String) -> Bool {
        guard (1...64).contains(text.utf8.count) else { return false }
        func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        return text.utf8.first.map(isPlain) == true
            && text.utf8.allSatisfy { isPlain($0) || Array("._@-".utf8).contains($0) }
    }

    /// Whether it may be used at a moment: neither revoked nor expired.
    public func isValid(at moment: Date) -> Bool {
        if let expires, moment >= expires { return false }
        return revoked == nil
    }

    /// Whether it is for a project, byte for byte.
    public func covers(_ project: String) -> Bool { projects.contains { $0.matches(project) } }

    /// Whether it is for all projects.
    public var coversEverything: Bool { projects.contains(where: \.isEverything) }
}
