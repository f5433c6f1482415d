import Cryptography
import Delivery
import Foundation
import RunModel
import Synchronization

@testable import Objects

/// An emulator of S3 with one bucket, addressed by its path. It checks every signature over the bytes that came, and does what a test
/// says instead of answering.
final class FakeBucket: Sendable {
    static let name = "bucket"
    static let environment = [
        "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "a/secret+of=mine", "AWS_SESSION_TOKEN": "token==",
    ]
    /// The moment at which all requests are signed.
    static let moment = Date(timeIntervalSince1970: 1_767_225_600)

    private struct State {
        var objects: [Name: [UInt8]] = [:]
        var requests: [TestServer.Request] = []
        var fault: @Sendable (TestServer.Request, _ number: Int) -> TestServer.Reply? = { _, _ in nil }
    }

    /// The emulator behind a server, which exists only after its first connection could come.
    private final class Desk: Sendable {
        let state = Mutex(State())

        func answer(_ request: TestServer.Request) -> TestServer.Reply {
            let (fault, number) = state.withLock { state in
                state.requests.append(request)
                return (state.fault, state.requests.count)
            }
            return fault(request, number) ?? FakeBucket.refusal(of: request)
                ?? state.withLock { state in
                    FakeBucket.answer(request, &state.objects)
                }
        }
    }

    private let desk: Desk
    private let server: TestServer

    init() async throws {
        let desk = Desk()
        server = try await TestServer { desk.answer($0) }
        self.desk = desk
    }

    func stop() async throws { try await server.stop() }

    /// The requests so far.
    var requests: [TestServer.Request] { desk.state.withLock { $0.requests } }
    /// The objects, by their names in the bucket.
    var objects: [Name: [UInt8]] { desk.state.withLock { $0.objects } }

    /// Chooses what becomes of each request; `nil` for what a store does. `number` counts the requests from 1 on.
    func fail(_ fault: @escaping @Sendable (TestServer.Request, _ number: Int) -> TestServer.Reply?) {
        desk.state.withLock { $0.fault = fault }
    }

    /// Lends a store over the bucket.
    func with<Result: Sendable>(
        prefix: String = "", credentials: CredentialSource = CredentialSource(environment: FakeBucket.environment),
        _ body: (S3Store) async throws -> Result
    ) async throws -> Result {
        let settings = try S3Settings(
            S3Location("s3://\(Self.name)/\(prefix)"), endpoint: server.address, region: "here", environment: [:])
        return try await S3Store.with(
            settings, credentials: credentials, proxies: ProxySettings([:]), now: { FakeBucket.moment }, body)
    }

    /// An error as S3 says it.
    static func error(
        _ status: Int, _ code: String, _ message: String = "no", _ fields: [String: String] = [:]
    ) -> TestServer.Reply {
        let xml = #"<?xml version="1.0" encoding="UTF-8"?>"#
        return .text(
            status, "\(xml)\n<Error><Code>\(code)</Code><Message>\(message)</Message><HostId>h</HostId></Error>",
            fields)
    }

    /// Why a request is not done: the signature is not that of what came, or the body has another hash.
    private static func refusal(of request: TestServer.Request) -> TestServer.Reply? {
        let (path, pairs) = split(request.target)
        let payload = request.fields["x-amz-content-sha256"] ?? ""
        guard payload == SHA256.hash(request.body).hexadecimal else { return error(400, "XAmzContentSHA256Mismatch") }
        let named = (request.fields["authorization"] ?? "").split(separator: "SignedHeaders=").last ?? ""
        let own = ["x-amz-content-sha256", "x-amz-date", "x-amz-security-token"]
        let names = named.prefix { $0 != "," }.split(separator: ";").map(String.init).filter { !own.contains($0) }
        guard names.contains("host"), request.fields["x-amz-date"] == "20260101T000000Z",
            let credentials = ObjectCredentials(
                accessKey: environment["AWS_ACCESS_KEY_ID"] ?? "", secret: environment["AWS_SECRET_ACCESS_KEY"] ?? "",
                sessionToken: environment["AWS_SESSION_TOKEN"])
        else { return error(403, "AccessDenied") }
        let signable = SignableRequest(
            method: request.method, path: path, query: pairs,
            fields: names.map { (name: $0, value: request.fields[$0] ?? "") }, payload: payload)
        let signed = signable.signed(credentials, region: "here", at: moment)
        guard signed.last?.value == request.fields["authorization"] else { return error(403, "SignatureDoesNotMatch") }
        return nil
    }

    /// The path as it came, and the query as it is meant.
    private static func split(_ target: String) -> (path: String, query: [(name: String, value: String)]) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let pairs = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                name: PercentEncoding.decode(sides[0]) ?? "",
                value: sides.count > 1 ? PercentEncoding.decode(sides[1]) ?? "" : ""
            )
        }
        return (String(parts[0]), pairs)
    }

    private static func answer(
        _ request: TestServer.Request, _ objects: inout [Name: [UInt8]]
    ) -> TestServer.Reply {
        let (path, query) = split(request.target)
        let bucket = "/\(name)"
        if path == bucket, request.method == "GET" { return list(query, objects) }
        guard path.hasPrefix("\(bucket)/"), let key = PercentEncoding.decode(path.dropFirst(bucket.count + 1)) else {
            return error(404, "NoSuchBucket")
        }
        let found = objects[Name(key)]
        switch request.method {
        case "PUT":
            objects[Name(key)] = request.body
            return .answer(200)
        case "DELETE":
            objects[Name(key)] = nil
            return .answer(204)
        case "HEAD", "GET":
            guard let found else { return error(404, "NoSuchKey") }
            return part(of: found, request.fields["range"])
        default: return error(405, "MethodNotAllowed")
        }
    }

    /// What the emulator calls a version of an object.
    static func tag(of object: [UInt8]) -> String { "\"\(SHA256.hash(object).hexadecimal.prefix(32))\"" }

    /// An object, or the rest of one.
    private static func part(of object: [UInt8], _ range: String?) -> TestServer.Reply {
        let tag = tag(of: object)
        guard let range else { return .answer(200, ["ETag": tag], object) }
        guard range.hasPrefix("bytes="), range.hasSuffix("-"), let first = Int(range.dropFirst(6).dropLast()),
            first < object.count
        else { return error(416, "InvalidRange") }
        let fields = ["ETag": tag, "Content-Range": "bytes \(first)-\(object.count - 1)/\(object.count)"]
        return .answer(206, fields, Array(object[first...]))
    }

    private static func list(
        _ query: [(name: String, value: String)], _ objects: [Name: [UInt8]]
    ) -> TestServer.Reply {
        func value(_ name: String) -> String { query.first { $0.name == name }?.value ?? "" }
        let most = Int(value("max-keys")) ?? 1000
        let names = objects.keys.sorted().filter {
            $0.text.utf8.starts(with: value("prefix").utf8) && Name(value("start-after")) < $0
        }
        let entries = names.prefix(most).map { name in
            let key = PercentEncoding.encode(name.text)
            let size = objects[name]?.count ?? 0
            return "<Contents><Key>\(key)</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
                + "<Size>\(size)</Size></Contents>"
        }
        return .text(200, Self.list(entries.joined(), isTruncated: names.count > most))
    }

    /// A list as S3 says it.
    static func list(_ entries: String, isTruncated: Bool) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name>\
        <EncodingType>url</EncodingType><IsTruncated>\(isTruncated)</IsTruncated>\(entries)</ListBucketResult>
        """
    }
}
