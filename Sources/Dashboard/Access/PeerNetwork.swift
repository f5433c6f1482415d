import Glibc

/// What limits count a peer by.
///
/// Whoever has one IPv6 address has a network of 2⁶⁴ of them as a rule, and can send each request from another one.
enum PeerNetwork {
    /// The first bytes of IPv6 addresses that stand for one of IPv4: of a client at a socket of both, and of one behind a translator
    /// (`64:ff9b::/96`), where all of them would be in one network.
    private static let mapped: [[UInt8]] = [
        Array(repeating: 0, count: 10) + [0xFF, 0xFF],
        [0x00, 0x64, 0xFF, 0x9B] + Array(repeating: 0, count: 8),
    ]

    /// The IPv4 address, or the first 64 bits of an IPv6 address: `192.0.2.1`, `2001:db8:0:7::/64`. What is no IPv6 address stays as it
    /// is.
    static func name(of address: String) -> String {
        var six = in6_addr()
        guard inet_pton(AF_INET6, address, &six) == 1 else { return address }
        let bytes = withUnsafeBytes(of: six) { Array($0) }
        if mapped.contains(where: { bytes.starts(with: $0) }) {
            return bytes.suffix(4).map { String($0) }.joined(separator: ".")
        }
        let groups = stride(from: 0, to: 8, by: 2).map { index in
            String(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]), radix: 16)
        }
        return groups.joined(separator: ":") + "::/64"
    }
}
