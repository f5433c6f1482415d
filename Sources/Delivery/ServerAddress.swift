import Foundation
import RunModel

/// The address of a server: `https://kanmon.example.com`, with a path in front of a proxy's other services if there is one.
public struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address without a slash at its end.
    public let description: String
    /// Whether what is sent there is encrypted.
    public let isEncrypted: Bool
    /// The host, in lower case and without the brackets of an IPv6 address.
    public let host: String
    /// The port; that of the scheme if the address names none.
    public let port: Int

    /// Reads an address.
    ///
    /// - Throws: `ServerAddressError` for another scheme than `https` and `http`, without a host, or with a user, a query or
    ///   a fragment.
    public init(_ text: String) throws(ServerAddressError) {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let parts = URLComponents(string: trimmed), let scheme = parts.scheme?.lowercased(),
            ["https", "http"].contains(scheme), trimmed.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let host = parts.host?.trimmingCharacters(in: CharacterSet(charactersIn: "[]")).lowercased(), !host.isEmpty
        else { throw ServerAddressError(reason: "it is no address such as https://kanmon.example.com") }
        guard parts.user == nil, parts.password == nil else {
            throw ServerAddressError(reason: "it names a user; the token is given apart from the address")
        }
        guard parts.query == nil, parts.fragment == nil else {
            throw ServerAddressError(reason: "it has a query or a fragment")
        }
        isEncrypted = scheme == "https"
        self.host = host
        port = parts.port ?? (isEncrypted ? 443 : 80)
        var path = parts.path
        while path.hasSuffix("/") { path.removeLast() }
        let name = host.contains(":") ? "[\(host)]" : host
        description = "\(scheme)://\(name)" + (parts.port.map { ":\($0)" } ?? "") + path
    }

    /// Whether the host is this machine, so that nobody on the way can read along.
    public var isLoopback: Bool {
        if host == "localhost" { return true }
        var (four, six) = (in_addr(), in6_addr())
        // A name may begin with 127, too.
        if inet_pton(AF_INET, host, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        return inet_pton(AF_INET6, host, &six) == 1 && host == "::1"
    }

    /// The address of something on the server.
    func url(_ path: String) -> String { description + path }

    /// The address of a page that the server names, relative to its own; `nil` for what leads elsewhere.
    public func page(_ path: String) -> String? {
        guard path.hasPrefix("/"), !path.hasPrefix("//"), !path.contains(".."), path.utf8.count <= 1024,
            RunHost.isPlainAddress(url(path))
        else { return nil }
        return url(path)
    }
}

/// Why a text is no address of a server.
public struct ServerAddressError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, as a fragment in lower case.
    public let reason: String

    /// The reason.
    public var description: String { reason }
}
