public import Foundation
import HTTPTypes
import Hummingbird
import RunModel

/// One request and its answer for the access log, without query and headers.
public struct AccessEntry: Sendable, Hashable, CustomStringConvertible {
    /// When the request came.
    public var moment: Date
    /// `GET`; may be any word.
    public var method: String
    /// The path without the query, in printable ASCII: everything else is `?`.
    public var path: String
    /// The status of the answer.
    public var status: Int
    /// How many bytes its body has; `nil` for one that is written piece by piece.
    public var bytes: Int?
    /// The time to make the answer, in whole milliseconds.
    public var milliseconds: Int

    init(_ request: HTTPRequest, _ response: Response, from beginning: Date, to end: Date) {
        moment = beginning
        method = Self.printable(request.method.rawValue)
        path = Self.printable(String((request.path ?? "").prefix { $0 != "?" }))
        status = response.status.code
        bytes = response.body.contentLength
        milliseconds = max(0, Int(end.timeIntervalSince(beginning) * 1000))
    }

    /// `2026-01-02T03:04:05Z GET /runs 200 5123 bytes 3 ms`.
    public var description: String {
        "\(Timestamp.utc(moment)) \(method) \(path) \(status) \(bytes.map { "\($0)" } ?? "-") bytes \(milliseconds) ms"
    }

    private static func printable(_ text: String) -> String {
        // Nobody should send a token so; if somebody does, the log is no place for it.
        let text = text.replacing(/kanmon_[0-9A-Za-z]{8,}/) { _ in "kanmon_***" }
        return String(
            decoding: text.utf8.prefix(1000).map { (0x21...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
