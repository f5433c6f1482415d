import Foundation
import HTTPTypes

/// What a machine says of itself in the fields of a call. It is shown, and nothing is decided by it.
struct MachineClaim: Sendable, Hashable {
    /// The longest name of a machine, in bytes.
    private static let longestHost = 255
    /// The longest version, in bytes.
    private static let longestVersion = 64
    /// The most runs that are believed to wait.
    private static let mostWaiting = 1_000_000

    /// The name of the machine; `nil` if it names none, or one that nobody could read.
    var host: String?
    /// Its version of Kanmon; `nil` if another program calls.
    var version: String?
    /// How many runs wait there apart from the one that the call is about; `nil` if it does not say so.
    var waiting: Int?

    /// Reads `Kanmon-Machine` (percent-encoded UTF-8), `Kanmon-Waiting` and `User-Agent`.
    init(_ fields: HTTPFields) {
        func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
        host = value("Kanmon-Machine")?.removingPercentEncoding.flatMap { Self.isHost($0) ? $0 : nil }
        waiting = value("Kanmon-Waiting").flatMap { Int($0) }
            .flatMap { (0...Self.mostWaiting).contains($0) ? $0 : nil }
        version = fields[.userAgent].flatMap { Self.version(in: $0) }
    }

    private static func isHost(_ text: String) -> Bool {
        (1...longestHost).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { ![.control, .format].contains($0.properties.generalCategory) }
    }

    private static func version(in agent: String) -> String? {
        let prefix = "kanmon/"
        guard agent.utf8.starts(with: prefix.utf8) else { return nil }
        let version = agent.utf8.dropFirst(prefix.utf8.count)
        let isPlain = version.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"):
                true
            default: false
            }
        }
        return isPlain && (1...longestVersion).contains(version.count) ? String(Substring(version)) : nil
    }
}
