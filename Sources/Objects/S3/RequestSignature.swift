import Cryptography
import Foundation
import RunModel

/// A request as AWS Signature Version 4 sees it, which most stores that speak S3 demand. Source: "Authenticating Requests (AWS
/// Signature Version 4)" in the API reference of Amazon S3.
///
/// What is signed is what is sent: path, query and fields are written here once, for both.
struct SignableRequest: Sendable {
    /// The method, in upper case.
    var method: String
    /// The path, percent-encoded once. Nothing is resolved in it: `.` and empty parts are parts of a key.
    var path: String
    /// The query, as it is meant.
    var query: [(name: String, value: String)] = []
    /// The fields, with `Host`. All are signed, each once.
    var fields: [(name: String, value: String)]
    /// The SHA-256 of the body, in lower-case hexadecimal.
    var payload: String

    /// The SHA-256 of no bytes.
    static let emptyPayload = SHA256.hash([UInt8]()).hexadecimal

    /// The query in the order in which it is signed, percent-encoded.
    var encodedQuery: String {
        func encoded(_ text: String) -> String { PercentEncoding.encode(text, keepsSlashes: false) }
        let pairs = query.map { (encoded($0.name), encoded($0.value)) }.sorted { $0 < $1 }
        return pairs.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    var target: String { query.isEmpty ? path : "\(path)?\(encodedQuery)" }

    /// The fields to send: those that are there, and those of the signature.
    ///
    /// - Parameter moment: Must be that of the store's clock, give or take a quarter of an hour.
    func signed(
        _ credentials: ObjectCredentials, region: String, at moment: Date
    ) -> [(name: String, value: String)] {
        let time = Timestamp.utc(moment).filter { $0 != "-" && $0 != ":" }
        var request = self
        request.fields.append((name: "X-Amz-Content-SHA256", value: payload))
        request.fields.append((name: "X-Amz-Date", value: time))
        if let token = credentials.sessionToken {
            request.fields.append((name: "X-Amz-Security-Token", value: token))
        }
        let scope = [String(time.prefix(8)), region, "s3", "aws4_request"]
        let text = [
            "AWS4-HMAC-SHA256", time, scope.joined(separator: "/"), SHA256.hash(request.canonical.utf8).hexadecimal,
        ].joined(separator: "\n")
        // Each part of the scope makes the key narrower.
        let key = scope.reduce(Array("AWS4\(credentials.secret)".utf8)) { MessageCode.of($1.utf8, key: $0) }
        let authorization =
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope.joined(separator: "/")), "
            + "SignedHeaders=\(request.fieldNames), Signature=\(MessageCode.of(text.utf8, key: key).hexadecimal)"
        var fields = request.fields
        fields.append((name: "Authorization", value: authorization))
        return fields
    }

    /// The request in the form of which the hash is signed.
    var canonical: String {
        let lines = sortedFields.map { "\($0.name):\($0.value)\n" }.joined()
        return [method, path, encodedQuery, lines, fieldNames, payload].joined(separator: "\n")
    }

    /// The fields with names in lower case, in their order; space around values and runs of it inside count as one.
    private var sortedFields: [(name: String, value: String)] {
        let plain = fields.map { field in
            let words = field.value.split { $0 == " " || $0 == "\t" }
            return (name: field.name.lowercased(), value: words.joined(separator: " "))
        }
        return plain.sorted { $0.name < $1.name }
    }

    private var fieldNames: String { sortedFields.map(\.name).joined(separator: ";") }
}
