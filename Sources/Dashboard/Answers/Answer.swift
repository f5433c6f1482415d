import HTTPTypes
import Hummingbird
import Pages

/// An answer before it is sent: a status, a body, and how long it may be kept.
struct Answer: Sendable {
    var status: HTTPResponse.Status
    var contentType: String
    var body: [UInt8]
    var fields: HTTPFields = [:]
    /// Whether a browser may cache it and must revalidate it.
    var isKept = false
    /// The `ETag`; `nil` if the answer cannot be revalidated.
    var tag: String?
    /// By default nothing is cached.
    var cacheControl = "no-store"
    /// Whether a browser that shows it all the same treats it as a page of nobody, without scripts: for untrusted files.
    var isSandboxed = false
    /// Whether pages of other origins may embed it.
    var isForEveryOrigin = false
    /// Whether it has a form that is sent by POST: without a referrer policy of its own, a browser would not say where it
    /// comes from.
    var hasForm = false
    /// Writes the body piece by piece instead; its length is not known before.
    var stream: (@Sendable (inout any ResponseBodyWriter) async throws -> Void)?
    /// How many bytes that writes, where it is known before.
    var length: Int?

    /// Data for programs.
    static func data(_ bytes: [UInt8]) -> Answer {
        Answer(status: .ok, contentType: "application/json; charset=utf-8", body: bytes, isKept: true)
    }

    static func page(_ html: [UInt8]) -> Answer {
        Answer(status: .ok, contentType: "text/html; charset=utf-8", body: html, isKept: true)
    }

    /// An error page.
    static func refusal(_ html: [UInt8], _ status: HTTPResponse.Status) -> Answer {
        Answer(status: status, contentType: "text/html; charset=utf-8", body: html)
    }

    /// A redirect to another page of the dashboard.
    static func found(_ location: String) -> Answer {
        Answer(
            status: .found, contentType: "text/plain; charset=utf-8", body: Array("\(location)\n".utf8),
            fields: [.location: location])
    }

    /// Makes the browser load the page again after a while.
    mutating func refresh() {
        if let name = HTTPField.Name("Refresh") { fields[name] = "\(WallPage.refresh)" }
    }

    /// The answer 304. It has no other headers, because they would replace those of the cached answer.
    static func unchanged(_ tag: String, cacheControl: String) -> Response {
        var response = Response(status: .notModified, headers: [.eTag: tag, .cacheControl: cacheControl])
        // A 304 must not have another length than the full answer.
        response.headers[.contentLength] = nil
        return response
    }

    /// The headers of all answers, and those of this one.
    var headers: HTTPFields {
        // Appended, because none of them is a duplicate and setting one would search for it first.
        var headers = Self.security
        for field in fields { headers.append(field) }
        if let tag { headers.append(HTTPField(name: .eTag, value: tag)) }
        headers.append(HTTPField(name: .contentType, value: contentType))
        headers.append(HTTPField(name: .cacheControl, value: cacheControl))
        if isSandboxed, let name = HTTPField.Name("Content-Security-Policy") {
            headers[name] = "default-src 'none'; frame-ancestors 'none'; sandbox"
        }
        if hasForm, let name = HTTPField.Name("Referrer-Policy") { headers[name] = "same-origin" }
        if isForEveryOrigin, let name = HTTPField.Name("Cross-Origin-Resource-Policy") {
            headers[name] = "cross-origin"
        }
        if let length = stream == nil ? body.count : length {
            headers.append(HTTPField(name: .contentLength, value: String(length)))
        }
        return headers
    }

    /// The answer without its body for `HEAD`.
    func response(withBody hasBody: Bool) -> Response {
        let content =
            stream.map { ResponseBody(contentLength: length, $0) } ?? ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        let isEmpty = !hasBody || (stream == nil && body.isEmpty)
        return Response(status: status, headers: headers, body: isEmpty ? ResponseBody() : content)
    }

    /// Only resources of the dashboard itself are loaded, and no other page may frame, read or cache it; a badge for every origin
    /// replaces one.
    private static let security: HTTPFields = {
        let values = [
            "Content-Security-Policy":
                "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
            "X-Frame-Options": "DENY",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
        ]
        var fields: HTTPFields = [:]
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }()
}
