import HTTPTypes
import NIOCore

/// A proxy in front of the server whose word is believed: from where a request comes, and who the user is.
///
/// Anybody can send the same headers, so they count in requests from the proxy's own address only.
public struct TrustedProxy: Sendable, Hashable {
    /// The word for a proxy that comes through a socket in the file system.
    public static let socket = "unix"
    /// The longest name of a user, in bytes.
    private static let longestUser = 256
    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")

    /// IP addresses, or `socket`.
    private let addresses: Set<String>
    /// The field with the name of the user; `nil` if the proxy signs nobody in.
    private let userField: HTTPField.Name?

    /// Names a proxy.
    ///
    /// - Parameters:
    ///   - addresses: IP addresses, or `socket`.
    ///   - userHeader: The field with the name of the user that the proxy has signed in.
    /// - Returns: `nil` for what is no address, and for what no field can be named.
    public init?(addresses: [String], userHeader: String?) {
        var known: Set<String> = []
        for address in addresses {
            guard let plain = address == Self.socket ? address : Self.plain(address) else { return nil }
            known.insert(plain)
        }
        self.addresses = known
        userField = userHeader.flatMap { HTTPField.Name($0) }
        if userHeader != nil, userField == nil { return nil }
    }

    /// Whether it signs its users in.
    public var signsIn: Bool { userField != nil }

    /// What is known of a request, by the address that it comes from; `nil` for a socket in the file system.
    func origin(of fields: HTTPFields, from address: String?) -> (address: String?, user: String?) {
        let plain = address.map { Self.plain($0) ?? $0 }
        guard addresses.contains(plain ?? Self.socket) else { return (plain, nil) }
        return (Self.client(fields) ?? plain, user(fields))
    }

    /// The name in the user's field. Two fields, or none with text, name nobody.
    private func user(_ fields: HTTPFields) -> String? {
        guard let userField else { return nil }
        let values = fields[values: userField]
        guard values.count == 1, let name = values.first, !name.isEmpty, name.utf8.count <= Self.longestUser else {
            return nil
        }
        return name
    }

    /// The last address in the list: the one that the proxy has added. Those before it are the client's own words.
    private static func client(_ fields: HTTPFields) -> String? {
        guard let forwardedFor, let last = fields[values: forwardedFor].last?.split(separator: ",").last else {
            return nil
        }
        return plain(last.trimmingPrefix(" ").description)
    }

    /// An IP address in its usual spelling; one of IPv4 that is written as one of IPv6 is one of IPv4.
    private static func plain(_ address: String) -> String? {
        guard let found = try? SocketAddress(ipAddress: address, port: 0).ipAddress else { return nil }
        let mapped = "::ffff:"
        return found.hasPrefix(mapped) && found.contains(".") ? String(found.dropFirst(mapped.count)) : found
    }
}
