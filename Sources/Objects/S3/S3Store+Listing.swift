import NIOHTTP1
import RunModel

extension S3Store {
    /// Lists objects, with one request.
    public func list(
        in folder: ObjectKey?, after: String?, limit: Int, until deadline: ContinuousClock.Instant
    ) async throws(ObjectError) -> ObjectPage {
        let top = settings.location.name(of: "")
        let beginning = top + (folder.map { "\($0)/" } ?? "")
        // Names come percent-encoded, because XML cannot have some characters that a key may have.
        var query = [
            (name: "encoding-type", value: "url"), (name: "list-type", value: "2"),
            (name: "max-keys", value: "\(min(max(limit, 1), ObjectPage.largest))"), (name: "prefix", value: beginning),
        ]
        if let after { query.append((name: "start-after", value: top + after)) }
        let request = S3Request(method: .GET, query: query)
        var answer: S3Answer?
        do throws(S3Failure) {
            try await call(until: deadline, { request }) { response in
                answer = S3Answer(try await Self.bytes(of: response, most: S3Answer.largest, until: deadline))
            }
        } catch {
            throw error.error
        }
        guard let answer, answer.kind == "ListBucketResult", let isTruncated = answer.isTruncated else {
            throw ObjectError(.failed, "its list cannot be read", hint: "look at the endpoint: does it speak S3?")
        }
        return try Self.page(answer.entries, isTruncated, beginning: beginning, top: top, after: after)
    }

    /// The page that a store says there is. What is not in order is refused: whoever asks for page after page would never end.
    private static func page(
        _ listed: [S3Answer.Entry], _ isTruncated: Bool, beginning: String, top: String, after: String?
    ) throws(ObjectError) -> ObjectPage {
        var entries: [ObjectPage.Entry] = []
        var last = after.map { Name(top + $0) }
        for object in listed {
            let name = Name(object.name)
            guard object.name.utf8.starts(with: beginning.utf8), last.map({ $0 < name }) ?? true,
                let size = object.size, size >= 0
            else { throw ObjectError(.failed, "its list is not in order at '\(ObjectError.shown(object.name))'") }
            last = name
            // What is no key is not of this store.
            if let key = ObjectKey(below(top, object.name)) {
                entries.append(ObjectPage.Entry(key: key, size: size, modified: object.modified))
            }
        }
        guard isTruncated else { return ObjectPage(entries: entries, next: nil) }
        guard let end = listed.last else { throw ObjectError(.failed, "its list goes on and names nothing") }
        return ObjectPage(entries: entries, next: below(top, end.name))
    }

    /// The name of an object without the prefix of the store, with which it begins.
    private static func below(_ top: String, _ name: String) -> String {
        String(decoding: name.utf8.dropFirst(top.utf8.count), as: UTF8.self)
    }
}
