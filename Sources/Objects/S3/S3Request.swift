import AsyncHTTPClient
import Evidence
import Foundation
import NIOCore
import NIOHTTP1

/// A request to a store, before it is signed.
struct S3Request: Sendable {
    var method: HTTPMethod
    /// The name of the object in the bucket; `nil` for the bucket itself.
    var name: String?
    var query: [(name: String, value: String)] = []
    /// The field `Range`, if only a part is wanted.
    var range: String?
    /// The body of what is put.
    var content: ObjectContent?

    /// The request to send, signed for a moment.
    func signed(_ credentials: ObjectCredentials, _ settings: S3Settings, at moment: Date) -> HTTPClientRequest {
        var signable = SignableRequest(
            method: method.rawValue, path: settings.path(of: name), query: query,
            fields: [(name: "Host", value: settings.host)],
            payload: content?.sha256 ?? SignableRequest.emptyPayload)
        if let range { signable.fields.append((name: "Range", value: range)) }
        var request = HTTPClientRequest(url: settings.origin + signable.target)
        request.method = method
        for field in signable.signed(credentials, region: settings.region, at: moment) {
            request.headers.add(name: field.name, value: field.value)
        }
        if let content, content.size > 0 {
            request.body = .stream(ContentBody(content: content), length: .known(Int64(content.size)))
        }
        return request
    }
}

/// The bytes of an object that is sent, piece by piece, so that a large one needs little memory.
///
/// The last piece is sent only if all of them have the hash that was said: not every store looks.
private struct ContentBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let content: ObjectContent

    func makeAsyncIterator() -> Iterator { Iterator(content: content) }

    struct Iterator: AsyncIteratorProtocol {
        let content: ObjectContent
        private var offset = 0
        private var digest = Digest()

        init(content: ObjectContent) { self.content = content }

        mutating func next() async throws -> ByteBuffer? {
            let piece: [UInt8]
            do throws(EvidenceError) {
                piece = try content.piece(from: offset)
            } catch {
                throw ObjectError(error, putting: true)
            }
            guard !piece.isEmpty else { return nil }
            offset += piece.count
            piece.withUnsafeBytes { digest.update($0) }
            guard offset < content.size || digest.text == content.sha256 else {
                throw ObjectError(.unreadable, "what is to be put has another SHA-256 than \(content.sha256)")
            }
            return ByteBuffer(bytes: piece)
        }
    }
}
