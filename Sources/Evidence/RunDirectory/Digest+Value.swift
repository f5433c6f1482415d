import Foundation

extension Digest {
    /// The SHA-256 of a value as JSON with sorted keys: equal values have equal digests on every machine. `nil` for a value
    /// that cannot be written as JSON.
    public static func sha256(of value: some Encodable) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { sha256(Array($0)) }
    }
}
