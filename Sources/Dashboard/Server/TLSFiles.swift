/// Where the certificate of the server and its key are, both in PEM.
public struct TLSFiles: Sendable, Hashable {
    /// The certificate of the server, followed by those that vouch for it.
    public let certificate: String
    /// Its private key, without a password. Users other than its owner and group may not read it.
    public let key: String

    /// Names the two files.
    public init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
}

/// Why a certificate cannot be used.
public struct TLSError: Error, Sendable, CustomStringConvertible {
    let file: String
    /// A fragment: "other users can read it".
    let reason: String

    /// A fragment that fits "kanmon: failed to …".
    public var description: String { "use \(file) for TLS: \(reason)" }
}
