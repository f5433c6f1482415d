import NIOSSL

/// Why no encrypted connection to a server was made, in words without the codes and paths of the library.
struct TLSFailure: Sendable, Hashable {
    let reason: String
    let hint: String

    /// - Returns: `nil` for an error of another kind.
    init?(_ error: any Error) {
        if let error = error as? NIOSSLExtraError {
            self.init(extra: error)
            return
        }
        guard let error = error as? NIOSSLError else { return nil }
        // The library tells its reason in a text only.
        let text = "\(error)"
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            self.init(
                reason: "its certificate is not trusted here",
                hint:
                    "name a file with the certificate of its authority in SSL_CERT_FILE; if it has expired, renew it there"
            )
        } else if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
            self.init(
                reason: "it does not speak https", hint: "kanmon login with the address of its https, or of its proxy")
        } else {
            self.init(
                reason: "no encrypted connection can be made",
                hint: "see what the server offers: openssl s_client -connect HOST:PORT")
        }
    }

    private init?(extra error: NIOSSLExtraError) {
        guard error == .failedToValidateHostname else { return nil }
        self.init(
            reason: "its certificate is that of another name",
            hint: "kanmon login with the name that the certificate has")
    }

    private init(reason: String, hint: String) {
        self.reason = reason
        self.hint = hint
    }
}
