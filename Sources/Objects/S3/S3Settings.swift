import Delivery
import Foundation
import RunModel

/// Where a bucket is, and how it is addressed.
public struct S3Settings: Sendable, Hashable {
    /// How an address names the bucket.
    public enum Addressing: String, Sendable, Hashable {
        /// In the path: `https://HOST/BUCKET/KEY`. Every store can do that.
        case path
        /// In the host: `https://BUCKET.HOST/KEY`, as newer regions of AWS demand.
        case host
    }

    /// The bucket, and the folder in it.
    public let location: S3Location
    /// The region for which requests are signed.
    public let region: String
    /// How the bucket is addressed.
    public let addressing: Addressing
    /// The address of the bucket's host, and of the service's path on it.
    let address: ServerAddress
    /// The path of the bucket, percent-encoded, without a slash at its end; empty for that of the host.
    let path: String

    /// Takes what is given, and what is not from the variables that the tools of AWS read: `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`,
    /// `AWS_REGION` and `AWS_DEFAULT_REGION`. Without an endpoint it is that of AWS in the region.
    ///
    /// - Parameters:
    ///   - endpoint: The address of the service: https, or http to this machine.
    ///   - region: The region; `us-east-1` if nothing names one, as most stores of others expect.
    ///   - addressing: `nil` for what suits: the host for AWS, unless the name of the bucket has a dot, for which no certificate
    ///     would do; the path for every other endpoint.
    /// - Throws: `ObjectError` of kind `.settings`.
    public init(
        _ location: S3Location, endpoint: String? = nil, region: String? = nil, addressing: Addressing? = nil,
        environment: [String: String]
    ) throws(ObjectError) {
        func variable(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        self.location = location
        let region = region ?? variable("AWS_REGION", "AWS_DEFAULT_REGION") ?? "us-east-1"
        guard (1...64).contains(region.utf8.count),
            region.utf8.allSatisfy({ $0.isLetterOrDigit || "-_".utf8.contains($0) })
        else { throw ObjectError(.settings, "no region has such a name", hint: "such as eu-central-1") }
        self.region = region
        let named = endpoint ?? variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
        let isHostName = Self.isHostName(location.bucket)
        let addressing = addressing ?? (named == nil && isHostName ? .host : .path)
        guard addressing == .path || isHostName else {
            throw ObjectError(
                .settings, "the bucket '\(location.bucket)' cannot be part of a host's name",
                hint: "address it by its path")
        }
        self.addressing = addressing
        let service = try Self.service(named ?? Self.ofAWS(region))
        let bucket = "/\(PercentEncoding.encode(location.bucket))"
        switch addressing {
        case .path: (address, path) = (service.address, service.path + bucket)
        case .host: (address, path) = (try Self.within(service.address, location.bucket), service.path)
        }
    }

    /// Whether a bucket may be the first part of a host's name, and a certificate for `*.HOST` good for it.
    private static func isHostName(_ bucket: String) -> Bool {
        bucket.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isLetterOrDigit && !(0x41...0x5A).contains($0) }
    }

    private static func ofAWS(_ region: String) -> String {
        "https://s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
    }

    private static func service(_ text: String) throws(ObjectError) -> (address: ServerAddress, path: String) {
        let address: ServerAddress
        do throws(ServerAddressError) {
            address = try ServerAddress(text)
        } catch {
            throw ObjectError(
                .settings, "the endpoint: \(error)", hint: "such as https://s3.eu-central-1.amazonaws.com")
        }
        // Whoever reads along could read every object, and the token of a session.
        guard address.isEncrypted || address.isLoopback else {
            throw ObjectError(
                .settings, "the endpoint is not encrypted, and another machine",
                hint: "name its https address; where it has none, put a proxy with a certificate before it")
        }
        return (address, URLComponents(string: address.description)?.percentEncodedPath ?? "")
    }

    /// The address of a bucket's own host.
    private static func within(_ service: ServerAddress, _ bucket: String) throws(ObjectError) -> ServerAddress {
        do throws(ServerAddressError) {
            return try ServerAddress(
                "\(service.isEncrypted ? "https" : "http")://\(bucket).\(service.host):\(service.port)")
        } catch {
            throw ObjectError(.settings, "the endpoint: \(error)", hint: "address the bucket by its path")
        }
    }

    /// The host as the field of that name says it: with the port, unless it is that of the scheme.
    var host: String {
        let name = address.host.contains(":") ? "[\(address.host)]" : address.host
        return address.port == (address.isEncrypted ? 443 : 80) ? name : "\(name):\(address.port)"
    }

    /// The beginning of every address.
    var origin: String { "\(address.isEncrypted ? "https" : "http")://\(host)" }

    /// The path of an object by its name in the bucket; `nil` for the bucket itself. As it is sent and signed.
    func path(of name: String?) -> String {
        if let name { return "\(path)/\(PercentEncoding.encode(name))" }
        return path.isEmpty ? "/" : path
    }
}
