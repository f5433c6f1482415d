import AsyncHTTPClient
public import Delivery
public import Foundation
import NIOCore
import NIOHTTP1

/// Objects in a bucket of a store that speaks S3.
///
/// Every object is sent in one request, with its SHA-256 in the signature, so a store can refuse what became another on the way. S3 takes
/// 5 GiB in one request, and a run is limited to a tenth of that, so nothing is sent in parts: parts that are left over would cost money
/// and somebody to remove them. No redirect is followed, and no write depends on what is there.
public final class S3Store: ObjectStore {
    /// The largest object that is put, in bytes: what S3 takes in one request.
    private static let largest = 5 << 30
    /// How long nothing may come from a store.
    private static let silence = TimeAmount.seconds(30)

    /// Where the objects are.
    public let settings: S3Settings
    let credentials: CredentialSource
    let now: @Sendable () -> Date
    let http: HTTPClient

    private init(
        _ settings: S3Settings, _ credentials: CredentialSource, proxies: ProxySettings,
        now: @escaping @Sendable () -> Date
    ) throws(ObjectError) {
        let configuration: HTTPClient.Configuration
        do throws(ServerAddressError) {
            configuration = try .calling(settings.address, through: proxies, silence: Self.silence)
        } catch {
            throw ObjectError(.settings, "\(error)", hint: "look at the variables of the proxy")
        }
        self.settings = settings
        self.credentials = credentials
        self.now = now
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Lends a store for as long as `body` runs; its connections end with it.
    ///
    /// - Parameters:
    ///   - credentials: With which requests are signed.
    ///   - proxies: The proxies and authorities of the environment.
    ///   - now: The clock by which requests are signed. It may differ from the store's by a quarter of an hour.
    /// - Throws: What `body` throws; `ObjectError` of kind `.settings` for a proxy that cannot be used.
    public static func with<Result: Sendable>(
        _ settings: S3Settings, credentials: CredentialSource, proxies: ProxySettings,
        now: @escaping @Sendable () -> Date, _ body: (S3Store) async throws -> Result
    ) async throws -> Result {
        let store = try S3Store(settings, credentials, proxies: proxies, now: now)
        do {
            let result = try await body(store)
            try? await store.http.shutdown()
            return result
        } catch {
            // Its connections are closed either way, and the first error is the one to report.
            try? await store.http.shutdown()
            throw error
        }
    }

    /// Keeps an object; in the bucket when it returns.
    public func put(
        _ content: ObjectContent, at key: ObjectKey, until deadline: ContinuousClock.Instant
    ) async throws(ObjectError) {
        guard content.size <= Self.largest else {
            throw ObjectError(.tooLarge, "\(content.size) bytes, S3 takes \(Self.largest) in one request")
        }
        // Of no bytes none is read on the way.
        guard content.size > 0 || content.sha256 == SignableRequest.emptyPayload else {
            throw ObjectError(.unreadable, "what is to be put is empty, and not what was said")
        }
        let request = S3Request(method: .PUT, name: name(key), content: content)
        do throws(S3Failure) {
            try await call(until: deadline, { request }) { try await Self.drain($0, until: deadline) }
        } catch {
            throw error.error
        }
    }

    /// Hands over the bytes of an object. After a connection that is cut, the next one begins where that was.
    public func get(
        _ key: ObjectKey, limit: Int, until deadline: ContinuousClock.Instant,
        _ take: (UnsafeRawBufferPointer) throws(ObjectError) -> Void
    ) async throws(ObjectError) -> Int? {
        let name = settings.location.name(of: key.text)
        var download = S3Download(limit: limit)
        do throws(S3Failure) {
            try await call(until: deadline) {
                S3Request(method: .GET, name: name, range: download.range)
            } read: { response in
                try download.begin(response)
                for try await piece in response.body {
                    try Self.check(deadline)
                    try download.count(piece.readableBytes)
                    try piece.withUnsafeReadableBytes { try take($0) }
                }
                try download.end()
            }
        } catch {
            // Of what has begun to come, nobody says that it is not there.
            if error.saysMissing, download.size == nil { return nil }
            throw error.error
        }
        return download.size
    }

    /// The size of an object.
    public func head(_ key: ObjectKey, until deadline: ContinuousClock.Instant) async throws(ObjectError) -> Int? {
        do throws(S3Failure) {
            return try await size(.HEAD, of: key, until: deadline)
        } catch {
            // The answer to HEAD has no words: another request tells whether it is the object that is not there, or the bucket, and
            // whether credentials have ended.
            guard error.status != nil, error.retry == .never else { throw error.error }
        }
        do throws(S3Failure) {
            return try await size(.GET, of: key, until: deadline)
        } catch {
            if error.saysMissing { return nil }
            throw error.error
        }
    }

    private func size(
        _ method: HTTPMethod, of key: ObjectKey, until deadline: ContinuousClock.Instant
    ) async throws(S3Failure) -> Int {
        let request = S3Request(method: method, name: name(key))
        var size = 0
        // The body of the answer to GET is not read: the connection ends with it.
        try await call(until: deadline, { request }) { response in
            size = try S3Download.length(of: response)
            if method == .HEAD { try await Self.drain(response, until: deadline) }
        }
        return size
    }

    /// Removes an object.
    public func delete(_ key: ObjectKey, until deadline: ContinuousClock.Instant) async throws(ObjectError) {
        let request = S3Request(method: .DELETE, name: name(key))
        do throws(S3Failure) {
            try await call(until: deadline, { request }) { try await Self.drain($0, until: deadline) }
        } catch {
            // S3 says of an object that is not there that it was removed; some stores say that there is none.
            if !error.saysMissing { throw error.error }
        }
    }

    /// The name of an object in the bucket.
    private func name(_ key: ObjectKey) -> String { settings.location.name(of: key.text) }
}
