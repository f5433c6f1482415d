import HTTPTypes
import Web

extension DashboardResponder {
    /// A file of the dashboard's face; not sent again to a browser that has it.
    func asset(_ file: WebFile, contentType: String, _ request: HTTPRequest) throws(WebError) -> Answer {
        let bytes = try webRoot.bytes(of: file)
        return Answer(status: .ok, contentType: contentType, body: bytes, cacheControl: "no-cache")
            .validated(for: request)
    }
}

extension Answer {
    /// Data for programs.
    static func data(_ bytes: [UInt8]) -> Answer {
        Answer(
            status: .ok, contentType: "application/json; charset=utf-8", body: bytes, cacheControl: "no-cache")
    }

    /// The answer with a tag of its body; nothing but the tag for whoever has that body already.
    func validated(for request: HTTPRequest) -> Answer {
        var answer = self
        let tag = Self.entityTag(body)
        answer.fields[.eTag] = tag
        let known = (request.headerFields[.ifNoneMatch] ?? "").split(separator: ",").map { $0.drop { $0 == " " } }
        if known.contains(where: { $0 == tag || $0 == "W/\(tag)" || $0 == "*" }) {
            answer.status = .notModified
            answer.body = []
        }
        return answer
    }

    /// FNV-1a over the bytes: it tells versions of a file apart and protects nothing.
    static func entityTag(_ bytes: [UInt8]) -> String {
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\"\(String(hash, radix: 16))\""
    }
}
