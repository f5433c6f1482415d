import HTTPTypes
import Hummingbird

/// An answer with a tag, ready to be sent: nothing is left to be worked out for whoever asks again.
struct PreparedAnswer: Sendable {
    let tag: String
    let body: ByteBuffer
    private let headers: HTTPFields
    private let headersOfNotModified: HTTPFields

    /// Makes it from an answer that has a tag; `nil` for any other.
    init?(_ answer: Answer) {
        guard answer.status == .ok, let tag = answer.fields[.eTag] else { return nil }
        self.tag = tag
        body = ByteBuffer(bytes: answer.body)
        headers = answer.headers
        var headers = headers
        headers[.contentLength] = nil
        headers[.contentType] = nil
        headersOfNotModified = headers
    }

    /// The answer, or only that it is the one that is known.
    func response(to request: HTTPRequest) -> Response {
        if let known = request.headerFields[.ifNoneMatch], isListed(in: known) {
            return Response(status: .notModified, headers: headersOfNotModified)
        }
        return Response(
            status: .ok, headers: headers,
            body: request.method == .head ? ResponseBody() : ResponseBody(byteBuffer: body))
    }

    private func isListed(in known: String) -> Bool {
        if known == tag { return true }
        return known.split(separator: ",").contains { part in
            let part = part.drop { $0 == " " }
            return part == tag || part == "W/\(tag)" || part == "*"
        }
    }
}
