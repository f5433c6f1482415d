import HTTPTypes
import Hummingbird

/// An answer with a tag, ready to be sent: next to nothing is left to be worked out for whoever asks again.
struct PreparedAnswer: Sendable {
    let tag: String
    let body: ByteBuffer
    private let whole: Response

    /// Makes it from an answer that has a tag; `nil` for any other.
    init?(_ answer: Answer) {
        guard answer.status == .ok, let tag = answer.tag else { return nil }
        self.tag = tag
        body = ByteBuffer(bytes: answer.body)
        whole = Response(status: .ok, headers: answer.headers, body: ResponseBody(byteBuffer: body))
    }

    /// The answer, or only that it is the one that is known.
    func response(to request: HTTPRequest) -> Response {
        // Each by itself: to ask for all of a name at once puts a text together.
        for field in request.headerFields where field.name == .ifNoneMatch && isListed(in: field.value) {
            var headers = whole.headers
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        return request.method == .head ? Response(status: .ok, headers: whole.headers) : whole
    }

    private func isListed(in known: String) -> Bool {
        if known == tag || known == "*" { return true }
        return known.split { $0 == "," || $0 == " " || $0 == "\t" }.contains {
            $0 == tag || $0 == "W/\(tag)" || $0 == "*"
        }
    }
}
