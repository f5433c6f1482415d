public import Foundation
public import RunModel

/// How a run in progress is written, in its progress file and for a server.
extension LiveRun {
    /// Reads what `encoded` wrote; `nil` for anything else.
    public init?(encoded bytes: Data) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        guard let run = try? decoder.decode(LiveRun.self, from: bytes) else { return nil }
        self = run
    }

    /// The run as JSON.
    public func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        return Array(try encoder.encode(self))
    }
}
