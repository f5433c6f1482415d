/// The public address of the dashboard behind a proxy: `https://ci.example/kanmon/`.
///
/// It is given at the start and never taken from a request, because any client can set `X-Forwarded-Host`.
public struct BaseURL: Sendable, Hashable {
    /// `https://ci.example`.
    public let root: String
    /// The host and the port, as requests name them.
    let authority: String
    /// `/kanmon`; empty if the proxy serves the dashboard at the root of a host.
    public let path: String

    /// Reads an address of `http` or `https` without user, query and fragment; `nil` for anything else.
    public init?(_ text: String) {
        let schemes = ["http://", "https://"]
        guard let scheme = schemes.first(where: { text.lowercased().hasPrefix($0) }) else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        let names = authority.utf8.allSatisfy { Self.isPlain($0) || [0x3A, 0x5B, 0x5D].contains($0) }
        guard !authority.isEmpty, authority.utf8.first != UInt8(ascii: ":"), names else { return nil }
        var path = rest.dropFirst(authority.count)
        while path.last == "/" { path = path.dropLast() }
        let steps = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard steps.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.allSatisfy(Self.isPlain) }) else {
            return nil
        }
        root = scheme + authority.lowercased()
        self.authority = authority.lowercased()
        self.path = String(path)
    }

    /// The name of the host without its port.
    var hostName: String {
        guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else { return authority }
        return String(authority[..<colon])
    }

    /// The target of a request without the public path, which the proxy may or may not have removed.
    func target(_ target: String) -> String {
        guard !path.isEmpty, target.utf8.starts(with: path.utf8) else { return target }
        let rest = target.utf8.dropFirst(path.utf8.count)
        switch rest.first {
        case nil: return "/"
        case UInt8(ascii: "/"): return String(Substring(rest))
        case UInt8(ascii: "?"): return "/" + String(Substring(rest))
        default: return target
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

extension BaseURL: CustomStringConvertible {
    /// The address with a slash at its end.
    public var description: String { "\(root)\(path)/" }
}
