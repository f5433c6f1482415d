import AsyncHTTPClient
import NIOHTTP1

/// An object on its way here, over as many connections as it takes.
struct S3Download {
    /// The most that is taken, in bytes.
    private let limit: Int
    /// The size of the object; `nil` until it has begun to come.
    private(set) var size: Int?
    /// What the store calls this version of the object.
    private var tag: String?
    private var offset = 0

    init(limit: Int) { self.limit = limit }

    /// What is still wanted; `nil` for all.
    var range: String? { offset > 0 ? "bytes=\(offset)-" : nil }

    /// Looks at an answer before its bytes.
    ///
    /// - Throws: `ObjectError` if the object is too large, or what comes does not go on with what came.
    mutating func begin(_ response: HTTPClientResponse) throws(ObjectError) {
        let (length, tag) = (try Self.length(of: response), response.headers.first(name: "etag"))
        guard let size, offset > 0 else {
            guard length <= limit else {
                throw ObjectError(.tooLarge, "an object of \(length) bytes, the limit is \(limit)")
            }
            (self.size, self.tag) = (length, tag)
            return
        }
        guard response.status == .partialContent, tag == self.tag, length == size - offset,
            response.headers.first(name: "content-range") == "bytes \(offset)-\(size - 1)/\(size)"
        else { throw ObjectError(.failed, "the object became another one while it was read") }
    }

    /// Counts bytes that have come.
    mutating func count(_ bytes: Int) throws(ObjectError) {
        offset += bytes
        guard let size, offset <= size else { throw ObjectError(.failed, "more bytes come than the object has") }
    }

    /// Checks that all bytes have come.
    func end() throws(S3Failure) {
        if offset == size { return }
        var failure = S3Failure(ObjectError(.later, "the connection ended after \(offset) bytes"))
        failure.retry = .soon
        throw failure
    }

    /// How long a body is by its fields.
    static func length(of response: HTTPClientResponse) throws(ObjectError) -> Int {
        guard let length = response.headers.first(name: "content-length").flatMap({ Int($0) }), length >= 0 else {
            throw ObjectError(.failed, "it does not say how long the object is")
        }
        return length
    }
}
