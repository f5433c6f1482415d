import HTTPTypes
import Hummingbird

/// An answer before it is sent: a status, a body, and how long it may be kept.
struct Answer: Sendable {
    var status: HTTPResponse.Status
    var contentType: String
    var body: [UInt8]
    var fields: HTTPFields = [:]
    /// By what it is asked about again; `nil` for what is never kept.
    var tag: String?
    /// What says nothing else is kept by nobody.
    var cacheControl = "no-store"
    /// Whether the page comes with a script, and may ask the server for more.
    var hasScript = false
    /// Whether pages of other origins may show it; everything else is for the dashboard's own pages.
    var isForEveryOrigin = false
    /// Writes the body piece by piece instead; its length is not known before.
    var stream: (@Sendable (inout any ResponseBodyWriter) async throws -> Void)?
    /// Whether it tells of nothing but what is stored, so that it may be told again until that changes.
    var isLasting = true

    /// A page. It tells about a store that grows, and about code: only the reader's own browser keeps it, and asks again.
    static func page(_ html: [UInt8], hasScript: Bool = false) -> Answer {
        Answer(
            status: .ok, contentType: "text/html; charset=utf-8", body: html,
            cacheControl: "private, no-cache", hasScript: hasScript
        ).tagged
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

    /// The answer with a tag of its body, by which it is asked about again. It depends on nothing but its address, the host it
    /// was asked of, the store and the minute, and may be told again as long as they stay the same.
    var tagged: Answer {
        var answer = self
        answer.tag = Self.entityTag(body)
        return answer
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

    /// A hash of the bytes: it tells versions of a page apart and protects nothing.
    ///
    /// Eight words at a time, each in a sum of its own, because a multiplication waits for the one before.
    private static func entityTag(_ bytes: [UInt8]) -> String {
        func mix(_ hash: inout UInt64, _ word: UInt64) {
            hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        let hash = bytes.withUnsafeBytes { bytes in
            var sums: [8 of UInt64] = [1, 2, 3, 4, 5, 6, 7, 8]
            let blocks = bytes.count & ~63
            for place in stride(from: 0, to: blocks, by: 64) {
                for lane in 0..<8 {
                    mix(&sums[lane], bytes.loadUnaligned(fromByteOffset: place + lane * 8, as: UInt64.self))
                }
            }
            var hash = UInt64(bytes.count)
            for lane in 0..<8 { mix(&hash, sums[lane]) }
            for byte in bytes[blocks...] { mix(&hash, UInt64(byte)) }
            return hash
        }
        return "\"\(String(hash, radix: 16))\""
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
