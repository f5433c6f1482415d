import HTTPTypes
import Hummingbird

/// An answer before it is sent: a status, a body, and how long it may be kept.
struct Answer: Sendable {
    var status: HTTPResponse.Status
    var contentType: String
    var body: [UInt8]
    var fields: HTTPFields = [:]
    /// Pages tell about a store that grows, and about code: nobody keeps them.
    var cacheControl = "no-store"
    /// Whether the page comes with a script, and may ask the server for more.
    var hasScript = false
    /// Writes the body piece by piece instead; its length is not known before.
    var stream: (@Sendable (inout any ResponseBodyWriter) async throws -> Void)?

    /// A page.
    static func page(_ html: String, status: HTTPResponse.Status = .ok, hasScript: Bool = false) -> Answer {
        var answer = Answer(status: status, contentType: "text/html; charset=utf-8", body: Array(html.utf8))
        answer.hasScript = hasScript
        return answer
    }

    /// The way to another page of the dashboard.
    static func found(_ location: String) -> Answer {
        Answer(
            status: .found, contentType: "text/plain; charset=utf-8", body: Array("\(location)\n".utf8),
            fields: [.location: location])
    }

    /// The answer with everything that all answers carry; without its body for `HEAD`.
    func response(withBody hasBody: Bool) -> Response {
        var headers = Self.security
        for field in fields { headers[field.name] = field.value }
        headers[.contentType] = contentType
        headers[.cacheControl] = cacheControl
        if hasScript, let name = HTTPField.Name("Content-Security-Policy") {
            headers[name] = (headers[name] ?? "") + "; script-src 'self'; connect-src 'self'"
        }
        if let stream {
            return Response(
                status: status, headers: headers, body: hasBody ? ResponseBody(stream) : ResponseBody())
        }
        headers[.contentLength] = String(body.count)
        return Response(
            status: status, headers: headers,
            body: hasBody && !body.isEmpty ? ResponseBody(byteBuffer: ByteBuffer(bytes: body)) : ResponseBody()
        )
    }

    /// Nothing is loaded but what the dashboard itself serves, and no other page may frame, read or keep it.
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
