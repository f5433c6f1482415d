/// The names under which the dashboard answers.
///
/// Without it a page of a stranger could, by rebinding its own name to this machine, read the dashboard through the
/// reader's browser. It therefore holds on the loopback address too.
struct HostPolicy: Sendable {
    private let names: Set<String>

    init(_ configuration: DashboardConfiguration) {
        var names = ["localhost", "127.0.0.1", "[::1]"] + configuration.hostNames
        if case .tcp(let host, _) = configuration.address { names.append(host.contains(":") ? "[\(host)]" : host) }
        if let base = configuration.baseURL { names.append(base.hostName) }
        // A wildcard is an address to listen on, never one to be called by.
        self.names = Set(names.map { $0.lowercased() }).subtracting(["0.0.0.0", "[::]", ""])
    }

    /// The host in an authority, without its port; `nil` unless it is written as names and addresses are.
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
