package import AsyncHTTPClient
import Foundation
package import NIOCore
import NIOSSL

extension HTTPClient.Configuration {
    /// The configuration of every call: redirects are not followed, because the request is meant for this address alone, and nothing is
    /// tried again.
    ///
    /// - Parameters:
    ///   - proxies: The proxies and authorities of the environment.
    ///   - silence: The longest time without a byte from the other side.
    /// - Throws: `ServerAddressError` for a proxy that cannot be used, and for authorities that cannot be read.
    package static func calling(
        _ address: ServerAddress, through proxies: ProxySettings, silence: TimeAmount
    ) throws(ServerAddressError) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10), read: silence),
            decompression: .disabled)
        configuration.httpVersion = .http1Only
        // The caller decides when to try again, so a refused connection is an error at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        if address.isEncrypted, let authorities = proxies.authorities {
            // Otherwise the fault would be looked for at the server.
            guard access(authorities, R_OK) == 0 else {
                let reason = String(cString: strerror(errno)).lowercased()
                throw ServerAddressError(reason: "SSL_CERT_FILE names a file that cannot be read: \(reason)")
            }
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(authorities)
            configuration.tlsConfiguration = tls
        }
        configuration.proxy = try proxies.proxy(for: address)
        return configuration
    }
}
