/// The host names that the dashboard answers to.
///
/// It prevents DNS rebinding: a foreign page could rebind its own name to this machine and read the dashboard through
/// the reader's browser. So it applies to the loopback address too.
struct HostPolicy: Sendable {
    private let names: Set<String>

    init(_ configuration: DashboardConfiguration) {
        var names = ["localhost", "127.0.0.1", "[::1]"] + configuration.hostNames
        if case .tcp(let host, _) = configuration.address { names.append(host.contains(":") ? "[\(host)]" : host) }
        if let base = configuration.baseURL { names.append(base.hostName) }
        // A wildcard is an address to listen on, never a host name.
        self.names = Set(names.map { $0.lowercased() }).subtracting(["0.0.0.0", "[::]", ""])
    }

    /// The host in an authority, without its port; `nil` if it is no valid name or address.
    static func name(of authority: String) -> String? {
        let name = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard name.count <= 2, let host = name.first, (1...253).contains(host.utf8.count),
            host.utf8.allSatisfy({ byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
                    true
                default: false
                }
            }), !host.hasPrefix("-")
        else { return nil }
        return String(host)
    }

    /// Whether the `Host` of a request is one of the names, with any port or none.
    func allows(_ authority: String) -> Bool {
        var name = authority.utf8[...]
        if let colon = name.lastIndex(of: UInt8(ascii: ":")), name.last != UInt8(ascii: "]") {
            let port = name[name.index(after: colon)...]
            guard (1...5).contains(port.count),
                port.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { return false }
            name = name[..<colon]
        }
        let called = String(Substring(name))
        return names.contains(called) || names.contains(called.lowercased())
    }
}
