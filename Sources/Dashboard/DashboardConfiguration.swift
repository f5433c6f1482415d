public import Web

/// The address, host names and web files of the dashboard.
public struct DashboardConfiguration: Sendable, Hashable {
    /// Where it listens.
    public enum Address: Sendable, Hashable {
        /// A host and a port; port 0 is any free port.
        case tcp(host: String, port: Int)
        /// A socket in the file system.
        case unixSocket(path: String)
    }

    /// Where it listens.
    public var address: Address
    /// Host names that requests may use besides those of this machine and its own address, such as a proxy's.
    public var hostNames: [String]
    /// Where templates, style sheet and icon come from.
    public var webRoot: WebRoot
    /// The public address behind a proxy; all links use it.
    public var baseURL: BaseURL?
    /// The certificate and the key with which it serves https itself; `nil` for http.
    public var tls: TLSFiles?
    /// How many bytes of answers may be in memory that clients have not read yet; a quarter of them for one reader.
    public var answerMemory: Int
    /// How many bytes the runs may have that a token of scope `submit` delivers in a day; one that attests may deliver sixteen times as
    /// many.
    public var dailyBytes: Int
    /// Limits for pages that follow runs in progress.
    public var live = LiveLimits()

    /// Makes a configuration; the default is reachable from this machine only.
    public init(
        address: Address = .tcp(host: "127.0.0.1", port: 8720),
        hostNames: [String] = [],
        webRoot: WebRoot = .embedded,
        baseURL: BaseURL? = nil,
        tls: TLSFiles? = nil,
        answerMemory: Int = 64 << 20,
        dailyBytes: Int = 8 << 30
    ) {
        self.address = address
        self.hostNames = hostNames
        self.webRoot = webRoot
        self.baseURL = baseURL
        self.tls = tls
        self.answerMemory = answerMemory
        self.dailyBytes = dailyBytes
    }

    /// Whether browsers reach it by https, here or through the proxy in front.
    public var isEncrypted: Bool { tls != nil || baseURL?.root.hasPrefix("https:") ?? false }

    /// An address to open: `https://kanmon.example:8720/`, or the path of the socket.
    public func link(to address: Address) -> String {
        guard tls != nil, case .tcp = address else { return "\(address)" }
        return "https" + "\(address)".dropFirst("http".count)
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
    /// The address to open: `http://127.0.0.1:8720/`, or the path of the socket.
    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "http://[\(host)]:\(port)/" : "http://\(host):\(port)/"
        case .unixSocket(let path): path
        }
    }
}
