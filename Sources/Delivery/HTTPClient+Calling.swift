package import AsyncHTTPClient
package import NIOCore
import NIOSSL

extension HTTPClient.Configuration {
    /// The configuration of every call: redirects are not followed, because the request is meant for this address alone, and nothing is
    /// tried again.
    ///
    /// - Parameters:
    ///   - proxies: The proxies and authorities of the environment.
    ///   - silence: The longest time without a byte from the other side.
    package static func calling(
        _ address: ServerAddress, through proxies: ProxySettings, silence: TimeAmount
    ) throws(ServerAddressError) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10), read: silence),
            decompression: .disabled)
        configuration.httpVersion = .http1Only
        // The caller decides when to try again, so a refused connection is an error at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        if let authorities = proxies.authorities {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(authorities)
            configuration.tlsConfiguration = tls
        }
        configuration.proxy = try proxies.proxy(for: address)
        return configuration
    }
}
