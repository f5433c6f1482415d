public import Web

/// Where the dashboard listens, under which names, and whose face it wears.
public struct DashboardConfiguration: Sendable, Hashable {
    /// Where it listens.
    public enum Address: Sendable, Hashable {
        /// A host and a port; port 0 is any that is free.
        case tcp(host: String, port: Int)
        /// A socket in the file system.
        case unixSocket(path: String)
    }

    /// Where it listens.
    public var address: Address
    /// Names it answers to beside those of this machine and its own address, such as the one a proxy serves it under.
    public var hostNames: [String]
    /// Where templates, style sheet and icon come from.
    public var webRoot: WebRoot
    /// Where people reach it through a proxy; every link is written for that address then.
    public var baseURL: BaseURL?
    /// How much following runs under way may cost.
    public var live = LiveLimits()

    /// Makes a configuration; the default is reachable from this machine only.
    public init(
        address: Address = .tcp(host: "127.0.0.1", port: 8720),
        hostNames: [String] = [],
        webRoot: WebRoot = .embedded,
        baseURL: BaseURL? = nil
    ) {
        self.address = address
        self.hostNames = hostNames
        self.webRoot = webRoot
        self.baseURL = baseURL
    }
}

extension DashboardConfiguration.Address {
    /// Whether only this machine reaches it.
    public var isLocal: Bool {
        switch self {
        case .tcp(let host, _):
            ["localhost", "::1"].contains(host)
                || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
        case .unixSocket: true
        }
    }
}

extension DashboardConfiguration.Address: CustomStringConvertible {
    /// The address as a person opens it: `http://127.0.0.1:8720/`, or the path of the socket.
    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "http://[\(host)]:\(port)/" : "http://\(host):\(port)/"
        case .unixSocket(let path): path
        }
    }
}
