import Application
import ArgumentParser
import Dashboard

/// How connections are encrypted, and what is believed of a proxy in front.
struct ServeConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve https with this certificate: a PEM file with the server's own first. A renewal is used at once.",
            valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The private key of the certificate: a PEM file without a password.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            """
            Believe what the proxy at this IP address ('unix': at --socket) says in X-Forwarded-For and --user-header; \
            may be repeated.
            """, valueName: "address"))
    var trustedProxy: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            The trusted proxy has signed its users in and names them in this header, such as X-Forwarded-User; they \
            may read everything.
            """, valueName: "name"))
    var userHeader: String?

    func validate() throws {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key are given together")
        }
        guard userHeader == nil || !trustedProxy.isEmpty else {
            throw ValidationError("--user-header needs --trusted-proxy: anybody could send that header")
        }
        guard TrustedProxy(addresses: trustedProxy, userHeader: userHeader) != nil else {
            throw ValidationError(
                "--trusted-proxy takes an IP address such as 127.0.0.1, or 'unix'; --user-header the name of a header")
        }
    }

    /// The proxy that is believed; `nil` for none.
    var proxy: TrustedProxy? {
        trustedProxy.isEmpty ? nil : TrustedProxy(addresses: trustedProxy, userHeader: userHeader)
    }

    /// The certificate and its key; `nil` for http.
    func tls(_ process: ProcessContext) -> TLSFiles? {
        guard let tlsCertificate, let tlsKey else { return nil }
        return TLSFiles(certificate: process.absolute(tlsCertificate), key: process.absolute(tlsKey))
    }
}
