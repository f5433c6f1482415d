import HTTPTypes
import Hummingbird

/// An answer before it is sent: a status, a body, and how long it may be kept.
struct Answer: Sendable {
    var status: HTTPResponse.Status
    var contentType: String
    var body: [UInt8]
    var fields: HTTPFields = [:]
    /// Whether it may be kept by whoever asks again before it is shown.
    var isKept = false
    /// By what it is asked about again; `nil` where nobody knows whether it is still true.
    var tag: String?
    /// What says nothing else is kept by nobody.
    var cacheControl = "no-store"
    /// Whether the page comes with a script, and may ask the server for more.
    var hasScript = false
    /// Whether pages of other origins may show it; everything else is for the dashboard's own pages.
    var isForEveryOrigin = false
    /// Writes the body piece by piece instead; its length is not known before.
    var stream: (@Sendable (inout any ResponseBodyWriter) async throws -> Void)?

    /// A page.
    static func page(_ html: [UInt8], hasScript: Bool = false) -> Answer {
        Answer(
            status: .ok, contentType: "text/html; charset=utf-8", body: html, isKept: true, hasScript: hasScript)
    }

    /// A page that says why there is none.
    static func refusal(_ html: [UInt8], _ status: HTTPResponse.Status) -> Answer {
        Answer(status: status, contentType: "text/html; charset=utf-8", body: html)
    }

    /// The way to another page of the dashboard.
    static func found(_ location: String) -> Answer {
        Answer(
            status: .found, contentType: "text/plain; charset=utf-8", body: Array("\(location)\n".utf8),
            fields: [.location: location])
    }

    /// That whoever asks has the answer. It says nothing else that would take the place of what came with the answer.
    static func unchanged(_ tag: String, cacheControl: String) -> Response {
        var response = Response(status: .notModified, headers: [.eTag: tag, .cacheControl: cacheControl])
        // Of a length it may tell none but that of the answer.
        response.headers[.contentLength] = nil
        return response
    }

    /// Everything that all answers carry, and what this one does.
    var headers: HTTPFields {
        // Appended, as none of them is there twice: to set one is to look for it first.
        var headers = Self.security
        for field in fields { headers.append(field) }
        if let tag { headers.append(HTTPField(name: .eTag, value: tag)) }
        headers.append(HTTPField(name: .contentType, value: contentType))
        headers.append(HTTPField(name: .cacheControl, value: cacheControl))
        if hasScript, let name = HTTPField.Name("Content-Security-Policy") {
            headers[name] = (headers[name] ?? "") + "; script-src 'self'; connect-src 'self'"
        }
        if isForEveryOrigin, let name = HTTPField.Name("Cross-Origin-Resource-Policy") {
            headers[name] = "cross-origin"
        }
        if stream == nil { headers.append(HTTPField(name: .contentLength, value: String(body.count))) }
        return headers
    }

    /// The answer without its body for `HEAD`.
    func response(withBody hasBody: Bool) -> Response {
        let content = stream.map { ResponseBody($0) } ?? ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        let isEmpty = !hasBody || (stream == nil && body.isEmpty)
        return Response(status: status, headers: headers, body: isEmpty ? ResponseBody() : content)
    }

    /// Nothing is loaded but what the dashboard itself serves, and no other page may frame, read or keep it; the badge replaces one.
    private static let security: HTTPFields = {
        let values = [
            "Content-Security-Policy":
                "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; "
                + "frame-ancestors 'none'",
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
