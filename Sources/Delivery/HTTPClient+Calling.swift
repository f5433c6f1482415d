package import AsyncHTTPClient
package import NIOCore
import NIOSSL

extension HTTPClient.Configuration {
    /// How every address is called: no redirect is followed, as what is sent is meant for this one alone, and nothing is tried again.
    ///
    /// - Parameters:
    ///   - proxies: The proxies and authorities of the environment.
    ///   - silence: How long nothing may come.
    package static func calling(
        _ address: ServerAddress, through proxies: ProxySettings, silence: TimeAmount
    ) throws(ServerAddressError) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10), read: silence),
            decompression: .disabled)
        configuration.httpVersion = .http1Only
        // Whoever calls decides when to try again; an address that refuses the connection is told at once.
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
