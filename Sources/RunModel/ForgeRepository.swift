/// A repository on a forge, such as GitHub, and the addresses of its pages.
public struct ForgeRepository: Sendable, Hashable, Codable {
    /// Software that forges run: it decides how addresses are formed.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// GitHub, also GitHub Enterprise.
        case gitHub = "github"
        /// GitLab.
        case gitLab = "gitlab"
        /// Gitea and Forgejo, such as Codeberg.
        case gitea
        /// Bitbucket Cloud; Bitbucket Data Center forms addresses in another way.
        case bitbucket
    }

    /// The software of the forge.
    public var kind: Kind
    /// The address of the repository's page: `https`, without credentials.
    public var url: String

    /// A repository at an address that is known to be of a forge; `nil` if it may not become a link.
    public init?(_ kind: Kind, url: String) {
        guard Self.isLinkable(url) else { return nil }
        self.kind = kind
        self.url = url
    }

    /// A repository at an address whose host tells the forge, as `gitlab.example.com` does; `nil` for any other.
    public init?(url: String) {
        guard let kind = Kind(host: Self.host(of: url)) else { return nil }
        self.init(kind, url: url)
    }

    /// The page of a commit; `nil` if the address, which a delivered run may have made up, may not become a link.
    public func page(ofCommit hash: String) -> String? {
        guard Self.isLinkable(url), Self.isHash(hash) else { return nil }
        return switch kind {
        case .gitHub, .gitea: "\(url)/commit/\(hash)"
        case .gitLab: "\(url)/-/commit/\(hash)"
        case .bitbucket: "\(url)/commits/\(hash)"
        }
    }

    /// The page with what changed from one commit to another.
    public func page(from base: String, to head: String) -> String? {
        guard Self.isLinkable(url), Self.isHash(base), Self.isHash(head), base != head else { return nil }
        return switch kind {
        case .gitHub, .gitea: "\(url)/compare/\(base)...\(head)"
        case .gitLab: "\(url)/-/compare/\(base)...\(head)"
        case .bitbucket: "\(url)/branches/compare/\(head)%0D\(base)"
        }
    }

    /// Whether an address of a repository may become a link.
    public static func isLinkable(_ url: String) -> Bool {
        guard url.hasPrefix("https://"), RunHost.isPlainAddress(url),
            !url.utf8.contains(where: { #"?#\%"#.utf8.contains($0) })
        else { return false }
        let parts = url.dropFirst("https://".count).split(separator: "/", omittingEmptySubsequences: false)
        return parts.count > 1 && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    /// A whole hash: a short one may be that of another commit some day.
    private static func isHash(_ text: String) -> Bool {
        [40, 64].contains(text.utf8.count) && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    private static func host(of url: String) -> Substring {
        let authority = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        return authority.prefix { !"/:".contains($0) }
    }
}

extension ForgeRepository.Kind {
    /// The software that a host has in its name; `nil` if it says nothing of it.
    fileprivate init?(host: Substring) {
        let labels = host.lowercased().split(separator: ".")
        if host.lowercased() == "bitbucket.org" {
            self = .bitbucket
        } else if labels.contains("github") {
            self = .gitHub
        } else if labels.contains("gitlab") {
            self = .gitLab
        } else if labels.contains(where: { ["gitea", "forgejo", "codeberg"].contains($0) }) {
            self = .gitea
        } else {
            return nil
        }
    }
}
