/// The machine that made a run, and the build of a CI server that it was a part of.
///
/// It is what the machine says of itself: it is shown, and nothing is decided by it.
public struct RunHost: Sendable, Hashable, Codable {
    /// A build of a CI server.
    public struct Build: Sendable, Hashable, Codable {
        /// The address of the build's page: `http` or `https`, without credentials.
        public var url: String?
        /// The job, such as `kit/main`.
        public var job: String?
        /// The name that the CI server has for the machine.
        public var node: String?

        /// The job and the machine, else the address.
        public var name: String {
            let place = [job, node.map { "on \($0)" }].compactMap { $0 }.joined(separator: " ")
            return place.isEmpty ? url ?? "" : place
        }

        /// The address of the build's page, if it may become a link: untrusted text may lead to another scheme.
        public var link: String? { url.flatMap { RunHost.isPlainAddress($0) ? $0 : nil } }

        /// Makes a build from its parts; `nil` if nothing is known of it.
        public init?(url: String?, job: String?, node: String?) {
            if url == nil, job == nil, node == nil { return nil }
            self.url = url
            self.job = job
            self.node = node
        }
    }

    /// The name of the machine; `nil` if unknown, or if its shards ran on several.
    public var host: String?
    /// The build; `nil` outside of CI.
    public var build: Build?
    /// The repository of the package on a forge; `nil` if its address or its forge is unknown.
    public var repository: ForgeRepository?

    /// The pull request or merge request that was built; `nil` if it was none.
    public var change: ChangeRequest?

    /// Makes a host from its parts; `nil` if nothing is known of it.
    public init?(
        host: String?, build: Build? = nil, repository: ForgeRepository? = nil, change: ChangeRequest? = nil
    ) {
        if host == nil, build == nil, repository == nil, change == nil { return nil }
        self.host = host
        self.build = build
        self.repository = repository
        self.change = change
    }

    /// What several runs have in common; `nil` if they have nothing.
    public static func common(of machines: some Collection<RunHost?>) -> RunHost? {
        guard let first = machines.first, let first else { return nil }
        let builds = Set(machines.map(\.?.build))
        let same = builds.count == 1 ? first.build : nil
        // The cells of a matrix run on several machines for one build.
        let urls = Set(machines.map(\.?.build?.url))
        let jobs = Set(machines.map(\.?.build?.job))
        let shared = Build(
            url: urls.count == 1 ? first.build?.url : nil, job: jobs.count == 1 ? first.build?.job : nil, node: nil)
        let hosts = Set(machines.map(\.?.host))
        let repositories = Set(machines.map(\.?.repository))
        let changes = Set(machines.map(\.?.change))
        return RunHost(
            host: hosts.count == 1 ? first.host : nil, build: same ?? shared,
            repository: repositories.count == 1 ? first.repository : nil,
            change: changes.count == 1 ? first.change : nil)
    }

    /// Whether a text is an `http` or `https` address of printable ASCII without a user.
    public static func isPlainAddress(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) }),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !#"<>"'`\"#.utf8.contains($0) })
        else { return false }
        let authority = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        return !authority.isEmpty && !authority.contains("@")
    }
}

extension RunHost: CustomStringConvertible {
    /// One line: `agent-3, kit/main on linux-2: https://ci.example.com/job/kit/12/`.
    public var description: String {
        let parts = [host, build?.name].compactMap { $0 }.joined(separator: ", ")
        guard let url = build?.url, build?.name != url else { return parts }
        return "\(parts): \(url)"
    }
}
