/// A pull request or merge request that a CI server built, according to its variables.
///
/// It is what the machine says of itself: it is shown, and nothing is decided by it.
public struct ChangeRequest: Sendable, Hashable, Codable {
    /// The number on the forge, such as `12`.
    public var number: String
    /// The address of its page: `http` or `https`, without credentials.
    public var url: String?
    /// The branch that it is to be merged into.
    public var target: String?
    /// The branch that it comes from; in a fork it may be called `main` as well.
    public var source: String?
    /// Who asked for it, by the name that the CI server has for them.
    public var author: String?

    /// The address of its page, if it may become a link: untrusted text may lead to another scheme.
    public var link: String? { url.flatMap { RunHost.isPlainAddress($0) ? $0 : nil } }

    package init(
        number: String, url: String? = nil, target: String? = nil, source: String? = nil, author: String? = nil
    ) {
        self.number = number
        self.url = url
        self.target = target
        self.source = source
        self.author = author
    }
}

extension ChangeRequest: CustomStringConvertible {
    /// One line: `12 from topic into main by Kim`.
    public var description: String {
        [number, source.map { "from \($0)" }, target.map { "into \($0)" }, author.map { "by \($0)" }]
            .compactMap { $0 }.joined(separator: " ")
    }
}
