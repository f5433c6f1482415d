import Foundation

/// Where webhooks are sent: https, or http to this machine; with a path and a query if there are any.
public struct WebhookAddress: Sendable, Hashable {
    /// The longest address, in bytes.
    private static let longest = 2048

    /// The whole address, which may hold a secret of the receiver.
    public let text: String
    /// The receiver's scheme, host and port.
    let origin: ServerAddress

    /// Reads an address.
    ///
    /// - Throws: `ServerAddressError`, which does not repeat the address.
    public init(_ text: String) throws(ServerAddressError) {
        guard text.utf8.count <= Self.longest, let parts = URLComponents(string: text), let host = parts.host else {
            throw ServerAddressError(reason: "it is no address such as https://chat.example.com/kanmon")
        }
        guard parts.user == nil, parts.password == nil, parts.fragment == nil else {
            throw ServerAddressError(reason: "it names a user, or has a fragment")
        }
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        origin = try ServerAddress("\(parts.scheme ?? "")://\(name)" + (parts.port.map { ":\($0)" } ?? ""))
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ServerAddressError(reason: "it has characters that no address has")
        }
        guard origin.isEncrypted || origin.isLoopback else {
            throw ServerAddressError(reason: "it is not encrypted, and the receiver is another machine")
        }
        self.text = text
    }
}
