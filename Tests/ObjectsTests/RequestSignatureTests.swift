import Cryptography
import Foundation
import RunModel
import Testing

@testable import Objects

/// Signatures, compared with those of others.
@Suite struct RequestSignatureTests {
    /// What botocore signed: written by `Fixtures/sign-requests`.
    private struct Recording: Decodable {
        struct Request: Decodable {
            let method, host, key, payload, accessKey, secret, region, date, path, authorization: String
            let query, fields: [[String]]
            let sessionToken: String?
            let seconds: Double
        }

        let requests: [Request]
    }

    @Test func `two hundred odd requests are signed as botocore signs them`() throws {
        let file = Bundle.module.bundleURL.appending(path: "Fixtures/signatures.json")
        let recording = try JSONDecoder().decode(Recording.self, from: Data(contentsOf: file))
        #expect(recording.requests.count == 200)
        for (number, request) in recording.requests.enumerated() {
            let credentials = try #require(
                ObjectCredentials(
                    accessKey: request.accessKey, secret: request.secret, sessionToken: request.sessionToken))
            let path = PercentEncoding.encode(request.key)
            #expect(path == request.path)
            let signable = SignableRequest(
                method: request.method, path: path, query: request.query.map { (name: $0[0], value: $0[1]) },
                fields: [(name: "Host", value: request.host)] + request.fields.map { (name: $0[0], value: $0[1]) },
                payload: request.payload)
            let moment = Date(timeIntervalSince1970: request.seconds)
            let signed = signable.signed(credentials, region: request.region, at: moment)
            #expect(signed.first { $0.name == "X-Amz-Date" }?.value == request.date)
            #expect(signed.first { $0.name == "X-Amz-Security-Token" }?.value == request.sessionToken)
            #expect(signed.last?.value == request.authorization, "request \(number)")
        }
    }

    /// An example of "Signature Calculations for the Authorization Header" in the API reference of Amazon S3.
    private static func published(
        _ method: String, _ path: String, query: [(name: String, value: String)] = [],
        fields: [(name: String, value: String)] = [], body: String = ""
    ) throws -> String {
        let credentials = try #require(
            // In two parts, so that nobody takes it for a key that leaked.
            ObjectCredentials(
                accessKey: "AKIA" + "IOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"))
        let request = SignableRequest(
            method: method, path: PercentEncoding.encode(path), query: query,
            fields: [(name: "Host", value: "examplebucket.s3.amazonaws.com")] + fields,
            payload: SHA256.hash(body.utf8).hexadecimal)
        let moment = try #require(Timestamp.date(of: "2013-05-24T00:00:00Z"))
        let authorization = request.signed(credentials, region: "us-east-1", at: moment).last?.value ?? ""
        return String(authorization.suffix(64))
    }

    @Test func `the examples that AWS publishes are signed as it says`() throws {
        #expect(
            try Self.published("GET", "/test.txt", fields: [(name: "Range", value: "bytes=0-9")])
                == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
        #expect(
            try Self.published(
                "PUT", "/test$file.text",
                fields: [
                    (name: "Date", value: "Fri, 24 May 2013 00:00:00 GMT"),
                    (name: "x-amz-storage-class", value: "REDUCED_REDUNDANCY"),
                ], body: "Welcome to Amazon S3.")
                == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
        #expect(
            try Self.published("GET", "/", query: [(name: "lifecycle", value: "")])
                == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
        #expect(
            try Self.published("GET", "/", query: [(name: "prefix", value: "J"), (name: "max-keys", value: "2")])
                == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test func `what is signed is what is sent`() {
        let request = SignableRequest(
            method: "GET", path: "/b/%E3%82%AC", query: [(name: "z", value: "1"), (name: "a b", value: "/+")],
            fields: [(name: "Host", value: "h")], payload: SignableRequest.emptyPayload)
        #expect(request.target == "/b/%E3%82%AC?a%20b=%2F%2B&z=1")
        #expect(request.canonical.hasPrefix("GET\n/b/%E3%82%AC\na%20b=%2F%2B&z=1\nhost:h\n\nhost\n"))
    }
}
