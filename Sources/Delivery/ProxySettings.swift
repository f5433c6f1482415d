import AsyncHTTPClient
import Foundation

/// The proxies in the variables that most programs read: `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`.
///
/// They count in lower case first, then in upper case, except `HTTP_PROXY`: a request to a CGI program can set that. And, as
/// OpenSSL and curl read it, `SSL_CERT_FILE`: the authorities whose certificates are trusted, in place of the system's.
public struct ProxySettings: Sendable, Hashable {
    private let variables: [String: String]
    /// A file of certificates in PEM; `nil` for those of the system.
    let authorities: String?

    /// Takes the variables from an environment.
    public init(_ environment: [String: String]) {
        var variables: [String: String] = [:]
        for name in ["https_proxy", "http_proxy", "all_proxy", "no_proxy"] {
            let upper = name == "http_proxy" ? nil : environment[name.uppercased()]
            variables[name] = [environment[name], upper].compactMap { $0 }.first { !$0.isEmpty }
        }
        self.variables = variables
        authorities = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Which proxy leads to an address; `nil` for a direct connection. This machine is never asked through a proxy.
    ///
    /// - Throws: `ServerAddressError` for a proxy that cannot be used.
    func proxy(for address: ServerAddress) throws(ServerAddressError) -> HTTPClient.Configuration.Proxy? {
        guard !address.isLoopback, !isExempt(address),
            let text = variables[address.isEncrypted ? "https_proxy" : "http_proxy"] ?? variables["all_proxy"]
        else { return nil }
        // Most programs take a proxy without a scheme for one of HTTP.
        let full = text.contains("://") ? text : "http://\(text)"
        guard let parts = URLComponents(string: full), let host = parts.host, !host.isEmpty else {
            throw ServerAddressError(reason: "the variable of the proxy has no address")
        }
        switch parts.scheme?.lowercased() {
        case "http":
            let user = parts.user.map { HTTPClient.Authorization.basic(username: $0, password: parts.password ?? "") }
            return .server(host: host, port: parts.port ?? 80, authorization: user)
        case "socks5", "socks5h": return .socksServer(host: host, port: parts.port ?? 1080)
        default: throw ServerAddressError(reason: "a proxy of the kind '\(parts.scheme ?? "")' is not supported")
        }
    }

    /// Whether `no_proxy` names the host: itself, a domain that it is in, with or without a port, or `*` for all.
    private func isExempt(_ address: ServerAddress) -> Bool {
        let entries = (variables["no_proxy"] ?? "").lowercased().split { $0 == "," || $0 == " " }
        return entries.contains { entry in
            if entry == "*" { return true }
            var name = String(entry)
            if name.hasSuffix(":\(address.port)"), !address.host.contains(":") {
                name = String(name.dropLast("\(address.port)".count + 1))
            }
            if name.hasPrefix("*.") { name.removeFirst() }
            let domain = name.hasPrefix(".") ? name : ".\(name)"
            return address.host == name || address.host == domain.dropFirst() || address.host.hasSuffix(domain)
        }
    }
}
